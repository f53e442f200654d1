import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// Numbered transactions, each of which changes several rows in several ways, so that half of one can be told.
///
/// Attempt K adds its rows, deletes each second one of attempt K - 4 by id and what is left of attempt K - 8 by a
/// condition, and sets the title of the counter to K. So the whole content of a store follows from the numbers of the
/// attempts that were committed, and a store does not grow for ever.
struct Attempts {
  private let store: Store
  /// How many rows each attempt adds.
  private let rows: Int

  init(_ store: Store, rows: Int = 3) {
    self.store = store
    self.rows = rows
  }

  /// Makes the attempts, and prints of each whether it was acknowledged.
  func run(from first: Int, count: Int) {
    for number in first..<first + count {
      do {
        try store.write { try attempt(number, &$0) }
        FaultChild.print("attempt", "ok", "\(number)")
      } catch let error as StorageError {
        FaultChild.print("attempt", "error", error.code.rawValue, error.path ?? "", error.description, "\(number)")
      } catch {
        FaultChild.print("attempt", "error", "unexpected", "", "\(error)", "\(number)")
      }
    }
  }

  static func id(_ attempt: Int, _ row: Int) -> UUID {
    let number = UInt64(UInt32(truncatingIfNeeded: attempt))
    let high = 0x0190_0000_0000_7000 | number << 16
    let low = 0x8000_0000_0000_0000 | number &* 0x9e37_79b9 << 16 | UInt64(row)
    return UUID(uuid: unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
  }

  private static let counter = id(0xffff_ffff, 0)

  /// From a few bytes to several pages.
  private static func text(_ attempt: Int, _ row: Int) -> String {
    let size = [0, 40, 300, 1_500, 5_000][abs(attempt * 7 + row * 3) % 5]
    return "attempt \(attempt) row \(row) " + String(repeating: "\(attempt % 10)", count: size)
  }

  private static func date(_ attempt: Int) -> Date { Date(timeIntervalSince1970: 1_767_000_000 + Double(attempt)) }

  private static func item(_ attempt: Int, _ row: Int) -> SavedItem {
    let date = date(attempt)
    return SavedItem(
      id: id(attempt, row), text: text(attempt, row), title: row == 0 ? nil : "title \(row)",
      tags: attempt % 2 == 1 ? ["odd", "\(row)"] : [], createdAt: date, updatedAt: date)
  }

  private func attempt(_ number: Int, _ transaction: inout WriteTransaction) throws {
    for row in 0..<rows { try transaction.insert(Self.item(number, row)) }
    for row in stride(from: 1, to: rows, by: 2) { try transaction.delete(SavedItem.self, id: Self.id(number - 4, row)) }
    let last = Self.date(number - 8)
    try transaction.delete(Query<SavedItem> { $0.createdAt == last })
    let date = Date(timeIntervalSince1970: 1_766_000_000)
    try transaction.save(
      SavedItem(id: Self.counter, text: "the counter", title: "\(number)", createdAt: date, updatedAt: date))
  }

  /// The numbers of the attempts that are there, in order; or what shows that one is not there as a whole.
  func present(_ transaction: borrowing ReadTransaction) throws -> String {
    let items = try transaction.fetch(Query<SavedItem>())
    var found: [Int: Set<Int>] = [:]
    var last: Int?
    for item in items {
      if item.id == Self.counter {
        last = item.title.flatMap { Int($0) }
        continue
      }
      let words = item.text.split(separator: " ")
      guard words.count >= 4, words[0] == "attempt", let number = Int(words[1]), let row = Int(words[3]) else {
        return "torn: a row that nobody wrote"
      }
      guard item == Self.item(number, row) else { return "torn: row \(row) of \(number) is not as it was written" }
      found[number, default: []].insert(row)
    }
    let whole = Set(0..<rows)
    let rest = whole.filter { $0 % 2 == 0 }
    for (number, rows) in found {
      if rows == (found[number + 4] == nil ? whole : rest) { continue }
      // Attempt K + 4 may have been there and gone again, if K + 8 was refused.
      if rows == rest && found[number + 12] != nil { continue }
      return "torn: attempt \(number) has the rows \(rows.sorted())"
    }
    if let number = found.keys.first(where: { found[$0 + 8] != nil }) {
      return "torn: attempt \(number) is still there"
    }
    guard last == found.keys.max() else { return "torn: the counter says \(last ?? -1)" }
    guard try transaction.count(Query<SavedItem>()) == items.count else { return "torn: the count is another" }
    return found.keys.sorted().map { "\($0)" }.joined(separator: " ")
  }
}
