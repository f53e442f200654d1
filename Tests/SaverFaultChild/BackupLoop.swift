import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// One backup after another of a store that contenders write to.
struct BackupLoop {
  let store: Store
  /// What the backup is named by; each replaces the one before.
  let base: String

  /// - Parameter open: opens the backup.
  /// - Returns: how many backups, the microseconds that the slowest took, and the records in the last; or what is wrong with
  ///   one.
  func run(forMilliseconds limit: Int, open: () throws -> Store) throws -> String {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .milliseconds(limit))
    let acknowledged = try Acknowledged(beside: store)
    var (count, slowest, records) = (0, Duration.zero, 0)
    while clock.now < end {
      let before = acknowledged.turns()
      let start = clock.now
      try store.backUp(to: base, overwriting: true)
      slowest = max(slowest, start.duration(to: clock.now))
      let copy = try open()
      let problems = try copy.inspect(checkingIntegrity: true).problems
      guard problems.isEmpty else { return "backup \(count): \(problems.joined(separator: "; "))" }
      let items = try copy.read { try $0.fetch(Query<SavedItem>()) }
      if let missing = Self.missing(from: items, before) { return "backup \(count): \(missing)" }
      records = items.count
      count += 1
    }
    return "\(count) \(Int(slowest / .microseconds(1))) \(records)"
  }

  /// What is not there, and was acknowledged before; or that half a transaction is there. `nil` if neither.
  private static func missing(from items: [SavedItem], _ acknowledged: [Int]) -> String? {
    var found: [String: [Int: Int]] = [:]
    for item in items {
      let words = item.text.split(separator: " ")
      guard words.count >= 3, let turn = Int(words[2]) else { continue }
      found["\(words[0]) \(words[1])", default: [:]][turn, default: 0] += 1
    }
    for (number, turns) in acknowledged.enumerated() where turns > 0 {
      let (shares, imports) = (found["share \(number)"] ?? [:], found["import \(number)"] ?? [:])
      let rows = imports.isEmpty ? shares : imports
      if let turn = (0..<turns).first(where: { rows[$0] == nil }) {
        return "turn \(turn) of contender \(number), acknowledged before, is missing"
      }
      if let half = imports.first(where: { $0.value != Contender.rowsOfAnImport }) {
        return "\(half.value) rows of import \(half.key) of contender \(number)"
      }
    }
    return nil
  }
}
