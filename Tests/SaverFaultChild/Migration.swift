import FoundationEssentials
import SaverCore
import SaverTestKit

/// One record type before and after a program was updated, and a store in which it can be told what became of it.
enum Migration {
  typealias Before = Evolution.First
  /// Two fields more and indexes: every row is written anew.
  typealias After = Evolution.Second

  static let pageCount = 600

  static func fill(_ store: Store) throws {
    try store.write { transaction in
      for number in 0..<pageCount {
        try transaction.insert(Before(id: .version7(), text: "page \(number)", level: number % 7))
      }
    }
  }

  /// What is wrong after the migration; empty if nothing is.
  static func problems(_ transaction: borrowing ReadTransaction) throws -> String {
    let pages = try transaction.fetch(Query<After>())
    guard pages.count == pageCount, Set(pages.map(\.text)) == Set((0..<pageCount).map { "page \($0)" }) else {
      return "\(pages.count) pages"
    }
    guard pages.allSatisfy({ $0.text == "page \($0.text.split(separator: " ").last ?? "")" && $0.stars == 3 }) else {
      return "a page is another"
    }
    let third = try transaction.count(Query<After> { $0.level == 3 && $0.stars == 3 })
    return third == pages.count { $0.level == 3 } ? "" : "the index has \(third) pages of level 3"
  }
}
