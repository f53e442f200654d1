import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// One of many that use a store at the same time, for a time.
struct Contender {
  private let store: Store
  private let number: Int
  private let acknowledged: Acknowledged

  init(_ store: Store, number: Int) throws {
    self.store = store
    self.number = number
    acknowledged = try Acknowledged(beside: store)
  }

  private func item(_ text: String) -> SavedItem {
    let now = Date.now.wholeMilliseconds
    return SavedItem(id: UUID.version7(), text: text, tags: ["c\(number)"], createdAt: now, updatedAt: now)
  }

  /// Commits one item after the other: how many, and the microseconds that the slowest took, from asking for the writer
  /// lock to the return; that the slowest waited for it; and that the slowest took from having it.
  func share(forMilliseconds limit: Int) throws -> String {
    try loop(limit) { turn, hasLock in
      try store.write {
        hasLock()
        try $0.insert(item("share \(number) \(turn)"))
      }
      return 1
    }
  }

  static let rowsOfAnImport = 500

  /// Commits 500 items at a time, with a pause: a bulk importer that leaves the others no time measures only itself.
  func importRows(forMilliseconds limit: Int) throws -> String {
    try loop(limit) { turn, hasLock in
      usleep(50_000)
      try store.write { transaction in
        hasLock()
        for row in 0..<Self.rowsOfAnImport { try transaction.insert(item("import \(number) \(turn) \(row)")) }
      }
      return Self.rowsOfAnImport
    }
  }

  /// Commits so many megabytes, in items of a hundred kilobytes, one megabyte a transaction.
  func importLarge(megabytes: Int) throws -> String {
    let filling = String(repeating: "0123456789", count: 10_000)
    for turn in 0..<megabytes {
      try store.write { transaction in
        for row in 0..<10 { try transaction.insert(item("large \(number) \(turn) \(row) \(filling)")) }
      }
    }
    return "\(megabytes * 10)"
  }

  private func loop(_ milliseconds: Int, _ body: (Int, () -> Void) throws -> Int) throws -> String {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .milliseconds(milliseconds))
    var (turn, count, slowest, longestWait, slowestCommit) = (0, 0, Duration.zero, Duration.zero, Duration.zero)
    while clock.now < end {
      let start = clock.now
      var locked = start
      count += try body(turn) { locked = clock.now }
      acknowledged.note(turn + 1, of: number)
      let now = clock.now
      slowest = max(slowest, start.duration(to: now))
      longestWait = max(longestWait, start.duration(to: locked))
      slowestCommit = max(slowestCommit, locked.duration(to: now))
      turn += 1
    }
    return ([slowest, longestWait, slowestCommit].map { Int($0 / .microseconds(1)) }).reduce("\(count)") {
      "\($0) \($1)"
    }
  }
}
