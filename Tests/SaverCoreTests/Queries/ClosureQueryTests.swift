import Foundation
import Testing

@testable import SaverCore

/// The closure over fields: which filter it makes.
struct ClosureQueryTests {
  /// Expects that a condition makes a filter with this description that fits the schema.
  private func expect(
    _ description: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: (Fields<Sample>) -> Filter
  ) throws {
    let query = Query<Sample>(where: condition)
    #expect(query.filter.description == description, sourceLocation: sourceLocation)
    _ = try matches(query.filter)
  }

  @Test func comparisons() throws {
    try expect(#"text == "a""#) { $0.text == "a" }
    try expect(#"text != "a""#) { $0.text != "a" }
    try expect("number < 1") { $0.number < 1 }
    try expect("number <= 1") { $0.number <= 1 }
    try expect("number > 1") { $0.number > 1 }
    try expect("number >= 1") { $0.number >= 1 }
    try expect("created_at > date(5.0)") { $0.createdAt > Date(timeIntervalSince1970: 5) }
    try expect("title == nil") { $0.title == nil }
    try expect("title != nil") { $0.title != nil }
    try expect(#"title == "x""#) { $0.title == "x" }
    try expect("rank < 3") { $0.rank < 3 }
    try expect(#"tags == ["a"]"#) { $0.tags == ["a"] }
  }

  @Test func comparisonsOfTwoFields() throws {
    try expect("number == number") { $0.number == $0.number }
    try expect("number != number") { $0.number != $0.number }
    try expect("number < number") { $0.number < $0.number }
    try expect("number <= number") { $0.number <= $0.number }
    try expect("number > number") { $0.number > $0.number }
    try expect("number >= number") { $0.number >= $0.number }
  }

  @Test func enumerations() throws {
    try expect(#"kind == "note""#) { $0.kind == .note }
    try expect(#"kind != "task""#) { $0.kind != .task }
    try expect("level >= 5") { $0.level >= .middle }
    try expect(#"kind in ["note", "link"]"#) { $0.kind.isIn([.note, .link]) }
    try expect("phase == nil") { $0.phase == nil }
    try expect(#"phase == "c""#) { $0.phase == .first }
    try expect("(level >= 1 and level <= 5)") { $0.level.isIn(.low ... .middle) }
  }

  @Test func booleans() throws {
    try expect("is_done == false") { !$0.isDone }
    try expect("(is_done == true and number > 1)") { $0.isDone && $0.number > 1 }
    try expect("(number > 1 and is_done == true)") { $0.number > 1 && $0.isDone }
    try expect("(is_done == true and is_done == true)") { $0.isDone && $0.isDone }
    try expect("(is_done == true or number > 1)") { $0.isDone || $0.number > 1 }
    try expect("(number > 1 or is_done == true)") { $0.number > 1 || $0.isDone }
    try expect("(is_done == true or is_done == true)") { $0.isDone || $0.isDone }
    try expect("is_starred == true") { $0.isStarred == true }
    #expect(Query<Sample> { $0.isDone } == Query<Sample> { $0.isDone == true })
  }

  @Test func precedence() throws {
    try expect("((is_done == true and number > 1) or number < 0)") { $0.isDone && $0.number > 1 || $0.number < 0 }
    try expect("(number < 0 or (number > 1 and is_done == false))") { $0.number < 0 || $0.number > 1 && !$0.isDone }
    try expect("(is_done == true and (number > 1 or number < 0))") { $0.isDone && ($0.number > 1 || $0.number < 0) }
    try expect("(number == 1 and number == 2 and number == 3)") { $0.number == 1 && $0.number == 2 && $0.number == 3 }
    try expect("(number == 1 or number == 2 or number == 3)") { $0.number == 1 || $0.number == 2 || $0.number == 3 }
    try expect("not((number == 1 and number == 2))") { !($0.number == 1 && $0.number == 2) }
    try expect("number == 1") { !(!($0.number == 1)) }
  }

  @Test func ranges() throws {
    try expect("(number >= 1 and number < 3)") { $0.number.isIn(1..<3) }
    try expect("(number >= 1 and number <= 3)") { $0.number.isIn(1...3) }
    try expect("number >= 1") { $0.number.isIn(1...) }
    try expect("number < 3") { $0.number.isIn(..<3) }
    try expect("number <= 3") { $0.number.isIn(...3) }
    try expect("number in [1, 2]") { $0.number.isIn([1, 2]) }
    try expect("rank in [nil, 2]") { $0.rank.isIn([nil, 2]) }
  }

  @Test func texts() throws {
    try expect(#"text contains "x""#) { $0.text.contains("x") }
    try expect(#"title hasPrefix "x""#) { $0.title.hasPrefix("x") }
    try expect(#"title hasSuffix "x""#) { $0.title.hasSuffix("x") }
    try expect(#"title == """#) { $0.title.isEmpty }
    try expect(#"tags hasElement "a""#) { $0.tags.contains("a") }
    try expect("count(tags) == 0") { $0.tags.isEmpty }
  }

  @Test func counts() throws {
    try expect("count(text) > 3") { $0.text.count > 3 }
    try expect("count(title) == 3") { $0.title.count == 3 }
    try expect("count(tags) != 3") { $0.tags.count != 3 }
    try expect("count(blob) <= 3") { $0.blob.count <= 3 }
    try expect("count(labels) < 3") { $0.labels.count < 3 }
    try expect("count(labels) >= 3") { $0.labels.count >= 3 }
  }

  @Test func search() throws {
    try expect(#"search(text, title, tags; "two words")"#) { $0.search("two words", in: $0.text, $0.title, $0.tags) }
    try expect(#"(is_done == false and search(text; "x"))"#) { !$0.isDone && $0.search("x", in: $0.text) }
  }

  /// Both front ends say the same thing the same way.
  @Test func agreesWithPredicate() throws {
    let predicate = #Predicate<Sample> { $0.number > 3 && !$0.isDone && $0.text.contains("x") }
    let closure = Query<Sample> { $0.number > 3 && !$0.isDone && $0.text.contains("x") }
    #expect(try Query(predicate) == closure)
  }

  @Test func queriesAreValues() {
    let last = Sample.all[1]
    let query = Query<Sample> { $0.isDone == true }.sorted(by: \.number, descending: true).sorted(by: \.text)
    #expect(query == Query<Sample> { $0.isDone == true }.sorted(by: \.number, descending: true).sorted(by: \.text))
    #expect(Set([query, query.limit(3), query.limit(3)]).count == 2)
    let page = query.limit(3).offset(2).after(last)
    #expect(
      page.description == "sample where is_done == true by number descending, text after \(last.id.hexadecimal) "
        + "offset 2 limit 3")
    #expect(page.position == Position(values: [.int(3), .text("alpha")], id: last.id))
    #expect(query.position == nil)
  }

  @Test func brokenContractsStop() async {
    await #expect(processExitsWith: .failure) { _ = Query<Sample>().limit(-1) }
    await #expect(processExitsWith: .failure) { _ = Query<Sample>().offset(-1) }
    await #expect(processExitsWith: .failure) { _ = Query<Sample> { $0.shout == "A" } }
    await #expect(processExitsWith: .failure) { _ = Query<Sample>().sorted(by: \.shout) }
  }
}
