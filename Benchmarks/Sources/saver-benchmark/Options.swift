/// What the command line asks for.
struct Options {
  static let usage = """
    usage: saver-benchmark [--quick] [--engine sqlite|lmdb] [--work NAME] [--rows N] [--growth-to N]
                           [--gap MICROSECONDS] [--saver PATH] [--idle SECONDS] [--json FILE] [--folder PATH]

      --quick      fewer items and rounds: under a minute instead of about five
      --engine     one engine; both without it
      --work       one family: \(Work.allCases.map(\.rawValue).joined(separator: ", ")); all without it
      --rows       how many items are stored: at least 1000; 100000 by default
      --growth-to  the largest of the stores whose growth is shown: 1000000 by default
      --gap        how long the writer sleeps between the commits that another process observes: 2000 microseconds
      --saver      a release build of the program, for what it costs as a process; left out without it
      --idle       how long a watcher is idle: 60 seconds by default
      --json       a file for all results
      --folder     where the stores are made and removed again; /var/tmp by default.
                   Must be on a disk, or durable commits mean nothing.
    """

  enum Work: String, CaseIterable {
    /// Writing and reading beside C.
    case stores
    /// The same in stores of several sizes, and windows over them.
    case growth
    /// Several processes that write at once.
    case writers
    /// From a commit in one process to its publication in another.
    case latency
    /// What a change costs a list of everything.
    case lists
    /// The command line beside the shell of SQLite.
    case commands
    /// What watching costs while nothing happens.
    case idle
  }

  var works = Work.allCases
  var engines = BenchmarkEngine.allCases
  var effort = Effort()
  var saver: String?
  var json: String?
  var folder = "/var/tmp"

  /// `nil` if the arguments are not understood.
  init?(_ arguments: [String]) {
    // First: what else is said counts more.
    if arguments.contains("--quick") { effort = .quick }
    var arguments = arguments.makeIterator()
    while let option = arguments.next() {
      if option == "--quick" { continue }
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
        effort.rows = count
      case "--growth-to":
        guard let count = Int(value), count >= 1_000 else { return nil }
        effort.growthMax = count
      case "--gap":
        guard let gap = Int(value), gap >= 0 else { return nil }
        effort.gapMicroseconds = gap
      case "--saver": saver = value
      case "--idle":
        guard let seconds = Int(value), seconds > 0 else { return nil }
        effort.idleSeconds = seconds
      case "--json": json = value
      case "--folder": folder = value
      default: return nil
      }
    }
  }
}
