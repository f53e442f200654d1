import CFloor
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// The process that writes while another observes: shares one item after the other, sleeps in between, and notes when
/// each was committed and the others were about to be told.
struct ObservedWriter {
  let engine: BenchmarkEngine
  let base: String
  let times: SharedTimes
  let gapMicroseconds: Int

  /// Arguments: the engine, the store's base, the file of the times, how many commits, the gap in microseconds.
  init?(_ arguments: [String]) throws {
    guard arguments.count == 5, let engine = BenchmarkEngine(rawValue: arguments[0]), let count = Int(arguments[3]),
      let gap = Int(arguments[4])
    else { return nil }
    self.engine = engine
    base = arguments[1]
    times = try SharedTimes(arguments[2], count: count)
    gapMicroseconds = gap
  }

  func run() throws {
    let store = try engine.openStore(base)
    let now = Date.now
    for number in 0..<times.count {
      usleep(UInt32(gapMicroseconds))
      let item = Self.item(number, at: now)
      try store.write { try $0.insert(item) }
      times.times[number] = floor_last_touch()
    }
  }

  static let prefix = "https://example.com/observed/"

  /// Newer than all others; the number stands at the end of the text.
  private static func item(_ number: Int, at start: Date) -> SavedItem {
    let digits = String(number)
    let padded = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    let date = start.addingTimeInterval(Double(number) / 1_000)
    return SavedItem(
      id: UUID.version7(), text: prefix + padded, title: nil, tags: [], createdAt: date,
      updatedAt: date)
  }

  static func number(of item: SavedItem) -> Int? {
    guard item.text.hasPrefix(prefix) else { return nil }
    return Int(item.text.suffix(6))
  }

  /// Starts such a process.
  static func start(
    _ engine: BenchmarkEngine, _ base: String, times path: String, count: Int, gapMicroseconds: Int
  ) throws -> pid_t {
    try ChildProcess.start(
      ["--observed-writer", engine.rawValue, base, path, "\(count)", "\(gapMicroseconds)"])
  }

  /// Takes away what such processes have left in a store.
  static func forget(in store: Store) throws {
    try store.write { transaction in
      try transaction.delete(Query<SavedItem>(filter: .hasPrefix("text", prefix)))
    }
  }
}
