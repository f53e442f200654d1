import Foundation
import Testing

@testable import SaverCore

/// The tree itself: the algebra of its operators, and the check against a record type.
struct FilterTests {
  private let leaf = Filter.compare("number", .equal, .int(1))

  @Test func constantsInConjunctions() {
    #expect((.constant(true) && leaf).conjuncts == [leaf])
    #expect(leaf.and(.constant(true)) == leaf)
    #expect(leaf.and(.constant(false)) == .constant(false))
    #expect(leaf.or(.constant(true)) == .constant(true))
    #expect(leaf.or(.constant(false)) == leaf)
    #expect(!(!leaf) == leaf)
    #expect(!Filter.constant(true) == .constant(false))
  }

  @Test(arguments: Comparison.allCases)
  func flippedComparisonHoldsForExchangedSides(_ comparison: Comparison) {
    for order in -1...1 {
      #expect(comparison.holds(order) == comparison.flipped.holds(-order))
    }
    #expect(comparison.flipped.flipped == comparison)
  }

  /// A filter and its complement part the records.
  @Test(arguments: [
    Filter.compare("rank", .equal, .int(4)), .compare("rank", .notEqual, .int(4)), .compare("rank", .less, .int(4)),
    .compare("rank", .equal, .null), .compareFields("rank", .equal, "number"), .compareFields("rank", .less, "number"),
    .compareFields("number", .notEqual, "rank"), .count("title", .equal, 1), .count("title", .notEqual, 1),
    .count("labels", .greater, 0), .isIn("rank", [.null, .int(4)]), .contains("title", "x"), .constant(true),
    .not(.hasElement("labels", "a")),
  ])
  func complements(_ filter: Filter) throws {
    let (those, others) = (try matches(filter), try matches(filter.complement))
    #expect(Set(those).isDisjoint(with: others))
    #expect(those.count + others.count == Sample.all.count)
  }

  /// A choice is what it says, however it was shortened.
  @Test func choices() throws {
    let tests: [Filter] = [
      .compare("rank", .notEqual, .null), .compare("rank", .equal, .null), .compare("number", .greater, .int(2)),
      .constant(true), .constant(false),
    ]
    let branches: [Filter] = [
      .constant(true), .constant(false), .compare("rank", .greater, .int(1)), .compare("rank", .notEqual, .int(4)),
      .not(.compare("rank", .less, .int(1))), .isIn("rank", [.null]), .count("title", .equal, 1),
      .and([.compare("rank", .less, .int(9)), .compare("number", .less, .int(9))]),
      .or([.compare("rank", .less, .int(9)), .compare("rank", .notEqual, .int(9))]),
    ]
    for test in tests {
      let chosen = Set(try matches(test))
      for then in branches {
        for otherwise in branches {
          let expected = Set(try matches(then)).intersection(chosen)
            .union(Set(try matches(otherwise)).subtracting(chosen))
          let choice = Filter.choice(test, then: then, otherwise: otherwise)
          #expect(Set(try matches(choice)) == expected, "\(test) ? \(then) : \(otherwise), as \(choice)")
        }
      }
    }
  }

  @Test(arguments: [
    (Filter.compare("nothing", .equal, .int(1)), "'nothing'"),
    (.compare("number", .equal, .text("1")), "number"),
    (.compare("weight", .equal, .double(.nan)), "NaN"),
    (.compare("created_at", .less, .date(Date(timeIntervalSince1970: .nan))), "NaN"),
    (.compare("tags", .less, .texts([])), "no order"),
    (.compareFields("number", .less, "text"), "text"),
    (.compareFields("tags", .less, "labels"), "no order"),
    (.count("number", .equal, 1), "count"),
    (.isIn("number", [.int(1), .double(1)]), "number"),
    (.contains("number", "1"), "contains"),
    (.hasPrefix("tags", "1"), "hasPrefix"),
    (.hasSuffix("blob", "1"), "hasSuffix"),
    (.hasElement("text", "1"), "hasElement"),
    (.search(["text", "number"], "1"), "search"),
    (.not(.and([.constant(true), .or([.contains("id", "1")])])), "id"),
  ])
  func checkNamesTheField(_ filter: Filter, _ word: String) {
    let error = #expect(throws: StorageError.self) { try Selection(Sample.schema.type, filter: filter) }
    #expect(error?.code == .invalidQuery)
    #expect(error.map { "\($0)".contains(word) } == true, "\(String(describing: error))")
  }

  @Test func selectionEndsWithTheId() throws {
    let type = Sample.schema.type
    #expect(try Selection(type).order == [.init(column: 0, descending: false)])
    let descending = try Selection(type, order: [SortKey(field: "number", descending: true)])
    #expect(descending.order.map(\.column) == [5, 0])
    #expect(descending.order.map(\.descending) == [true, true])
    let id = try Selection(type, order: [SortKey(field: "id"), SortKey(field: "number")])
    #expect(id.order.map(\.column) == [0])
    let twice = try Selection(type, order: [SortKey(field: "rank"), SortKey(field: "rank", descending: true)])
    #expect(twice.order.map(\.column) == [6, 0])
  }

  @Test func selectionRefusesKeysAndPlacesThatDoNotFit() throws {
    let type = Sample.schema.type
    let id = Sample.id(1)
    let rank = [SortKey(field: "rank")]
    #expect(throws: StorageError.self) { try Selection(type, order: [SortKey(field: "nothing")]) }
    #expect(throws: StorageError.self) { try Selection(type, order: [SortKey(field: "tags")]) }
    #expect(throws: StorageError.self) { try Selection(type, order: rank, after: Position(values: [], id: id)) }
    #expect(throws: StorageError.self) {
      try Selection(type, order: rank, after: Position(values: [.text("1")], id: id))
    }
    #expect(throws: StorageError.self) {
      try Selection(type, order: [SortKey(field: "number")], after: Position(values: [.null], id: id))
    }
    #expect(try Selection(type, order: rank, after: Position(values: [.null], id: id)).after == [.null, .uuid(id)])
  }

  @Test("Filters for a composed and a decomposed text are different")
  func filtersCompareBytes() {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    #expect(composed == decomposed)
    let filters: [(String) -> Filter] = [
      { .contains("text", $0) }, { .hasPrefix("text", $0) }, { .hasSuffix("text", $0) }, { .hasElement("tags", $0) },
      { .search(["text"], $0) }, { .compare("text", .equal, .text($0)) }, { .isIn("text", [.text($0)]) },
      { .not(.and([.contains("text", $0), .constant(true)])) },
    ]
    for filter in filters {
      #expect(filter(composed) != filter(decomposed))
      #expect(filter(composed) == filter(composed))
      #expect(filter(composed).hashValue == filter(composed).hashValue)
    }
  }
}
