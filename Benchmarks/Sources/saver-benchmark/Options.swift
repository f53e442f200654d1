/// What the command line asks for.
struct Options {
  static let usage = """
    usage: saver-benchmark [--engine sqlite|lmdb] [--work NAME] [--rows N] [--folder PATH]

      --engine   one engine; both without it
      --work     one part: stores, latency, lists; all without it
      --rows     how many items are stored: at least 1000; 100000 by default
      --folder   where the stores are made and removed again; /var/tmp by default.
                 Must be on a disk, or durable commits mean nothing.
    """

  enum Work: String, CaseIterable {
    /// Writing and reading beside C.
    case stores
    /// From a commit in one process to its publication in another.
    case latency
    /// What a change costs a live list.
    case lists
  }

  var works = Work.allCases
  var engines = BenchmarkEngine.allCases
  var rows = 100_000
  var folder = "/var/tmp"

  /// `nil` if the arguments are not understood.
  init?(_ arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let option = arguments.next() {
      guard let value = arguments.next() else { return nil }
      switch option {
      case "--engine":
        guard let engine = BenchmarkEngine(rawValue: value) else { return nil }
        engines = [engine]
      case "--work":
        guard let work = Work(rawValue: value) else { return nil }
        works = [work]
      case "--rows":
        guard let count = Int(value), count >= 1_000 else { return nil }
        rows = count
      case "--folder": folder = value
      default: return nil
      }
    }
  }
}
