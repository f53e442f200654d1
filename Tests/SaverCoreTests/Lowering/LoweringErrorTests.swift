import Foundation
import Testing

@testable import SaverCore

/// What a filter cannot say is refused, by the name of the expression and the key path.
struct LoweringErrorTests {
  @Test func forcedUnwraps() {
    expectRefusal(#Predicate { $0.rank! > 3 }, node: "ForcedUnwrap", field: "rank", "use ?.")
    expectRefusal(#Predicate { $0.title!.contains("x") }, node: "ForcedUnwrap", field: "title", "use ?.")
  }

  @Test func arithmetic() {
    expectRefusal(#Predicate { $0.number + 1 > 3 }, node: "Arithmetic", field: "number", "constant's side")
    expectRefusal(#Predicate { $0.number % 2 == 0 }, node: "IntRemainder", field: "number", "constant's side")
    expectRefusal(#Predicate { $0.number / 2 == 0 }, node: "IntDivision", field: "number", "constant's side")
    expectRefusal(#Predicate { -$0.number == 0 }, node: "UnaryMinus", field: "number", "constant's side")
    expectRefusal(#Predicate { $0.weight / 2.0 > 1.0 }, node: "FloatDivision", field: "weight", "constant's side")
    expectRefusal(#Predicate { $0.tags.count + 1 > 1 }, node: "Arithmetic", field: "tags", "constant's side")
  }

  @Test func closuresOverLists() {
    expectRefusal(
      #Predicate { $0.tags.contains { $0 == "a" } }, node: "SequenceContainsWhere", field: "tags", "no closures")
    expectRefusal(
      #Predicate { $0.tags.allSatisfy { $0 == "a" } }, node: "SequenceAllSatisfy", field: "tags", "no closures")
    expectRefusal(#Predicate { $0.tags.filter { $0 == "a" }.isEmpty }, node: "Filter", field: "tags", "no closures")
    let words = ["a"]
    expectRefusal(
      #Predicate { sample in words.contains { $0 == sample.text } }, node: "SequenceContainsWhere", field: "text",
      "no closures")
  }

  @Test func partsAndCasts() {
    expectRefusal(#Predicate { $0.tags[0] == "a" }, node: "CollectionIndexSubscript", field: "tags", "whole values")
    expectRefusal(
      #Predicate { ($0.number as Any as? Int) == 1 }, node: "ConditionalCast", field: "number", "cast")
    expectRefusal(#Predicate { ($0.number as Any as! Int) == 1 }, node: "ForceCast", field: "number", "cast")
    expectRefusal(#Predicate { ($0.number as Any) is Int }, node: "TypeCheck", field: "number", "cast")
    expectRefusal(#Predicate { $0.tags.contains($0.text) }, node: "SequenceContains", field: "tags", "constant text")
    expectRefusal(
      #Predicate { $0.text.contains($0.kind.rawValue) }, node: "CollectionContainsCollection", field: "text",
      "constant text")
    expectRefusal(
      #Predicate { "abc".contains($0.text) }, node: "CollectionContainsCollection", field: "text", "constant text")
    expectRefusal(
      #Predicate { $0.tags.starts(with: ["a"]) }, node: "SequenceStartsWith", field: "tags", "only a text")
    expectRefusal(#Predicate { $0.tags.count == $0.number }, node: "Equal", field: "tags", "a count can be compared")
  }

  @Test func properties() {
    expectRefusal(#Predicate { $0.shout == "A" }, node: "KeyPath", field: nil, "no field of the schema")
    expectRefusal(#Predicate { $0.text.utf8.count == 1 }, node: "KeyPath", field: "text", "does not know the property")
    expectRefusal(#Predicate { $0.weight.isNaN }, node: "KeyPath", field: "weight", "does not know the property")
    expectRefusal(#Predicate { $0.id.uuidString == "" }, node: "KeyPath", field: "id", "does not know the property")
    expectRefusal(#Predicate { $0.kind.isTask }, node: "KeyPath", field: "kind", "not proved to be the raw value")
    expectRefusal(
      #Predicate { $0.mood.rawValue == "calm" }, node: "KeyPath", field: "mood", "make Mood CaseIterable")
    expectRefusal(
      #Predicate { $0.createdAt.timeIntervalSince1970 > 0 }, node: "KeyPath", field: "created_at", "property")
  }

  @Test func theRecordItself() {
    let samples = Sample.all
    expectRefusal(#Predicate { $0 == samples[0] }, node: "Variable", field: nil, "name one of its fields")
  }

  @Test func rangesWithFieldsAsBounds() {
    expectRefusal(
      #Predicate { ($0.number...9).contains(3) }, node: "ClosedRange", field: "number", "two comparisons")
    expectRefusal(#Predicate { ($0.number..<9).contains(3) }, node: "Range", field: "number", "two comparisons")
  }

  @Test func constantsThatFail() {
    let none: Int? = nil
    let (empty, zero, most, least) = ([Int](), 0, Int.max, Int.min)
    expectRefusal(#Predicate { $0.number == none! }, node: "ForcedUnwrap", field: nil, "evaluating it fails")
    expectRefusal(#Predicate { $0.isDone || 3 == none! }, node: "ForcedUnwrap", field: nil, "evaluating it fails")
    expectRefusal(
      #Predicate { $0.number == empty[0] }, node: "CollectionIndexSubscript", field: nil, "evaluating it fails")
    expectRefusal(#Predicate { $0.number == 1 / zero }, node: "IntDivision", field: nil, "divides by zero")
    expectRefusal(#Predicate { $0.number == 1 % zero }, node: "IntRemainder", field: nil, "divides by zero")
    expectRefusal(#Predicate { $0.number == most + 1 }, node: "Arithmetic", field: nil, "overflows")
    expectRefusal(#Predicate { $0.number == -least }, node: "UnaryMinus", field: nil, "overflows")
    expectRefusal(#Predicate { $0.number == empty[most + 1] }, node: "Arithmetic", field: nil, "overflows")
    expectRefusal(
      #Predicate { (most...zero).contains($0.number) }, node: "ClosedRange", field: nil, "above its upper bound")
    expectRefusal(
      #Predicate { (most..<zero).contains($0.number) }, node: "Range", field: nil, "above its upper bound")
  }

  @Test func descriptionNamesEverything() throws {
    let error = #expect(throws: LoweringError.self) { try Query<Sample>(#Predicate { $0.rank! > 3 }) }
    #expect(
      error?.description == "A predicate cannot be made a filter, because of ForcedUnwrap of \\Sample.rank "
        + "(field 'rank'): it fails where the field is nil; use ?. or ??.")
  }

  @Test func queryOfPredicate() throws {
    let query = try Query<Sample>(#Predicate { $0.number > 3 }).limit(2)
    #expect(query.description == "sample where number > 3 limit 2")
  }

  /// The tree rules: texts are bytes, where Swift would take these two for equal.
  @Test func textsAreBytes() throws {
    let composed = "\u{e9}"
    let filter = try Filter(lowering: #Predicate<Sample> { ($0.title ?? "e\u{301}") == composed })
    #expect(filter.description == "title == \"\u{e9}\"")
    let part = try Filter(lowering: #Predicate<Sample> { ($0.title ?? "e\u{301}").contains("e") })
    #expect(part.description == "(title == nil or title contains \"e\")")
  }
}
