import Foundation
import Testing

@testable import SaverCore

/// `contains` of captured lists and ranges, and enumerations.
struct LoweringListsTests {
  @Test func capturedLists() throws {
    let words = ["alpha", "b"]
    let ids: Set = [Sample.id(3), Sample.id(1)]
    let (numbers, none) = ([1, 3, 7], [Int]())
    try expectLowering(#Predicate { words.contains($0.text) }, #"text in ["alpha", "b"]"#)
    try expectLowering(#Predicate { ["a", "b"].contains($0.text) }, #"text in ["a", "b"]"#)
    try expectLowering(#Predicate { none.contains($0.number) }, "false")
    try expectLowering(#Predicate { !none.contains($0.number) }, "true")
    try expectLowering(
      #Predicate { ids.contains($0.id) }, "id in [\(Sample.id(1).hexadecimal), \(Sample.id(3).hexadecimal)]")
    try expectLowering(#Predicate { numbers[1..<3].contains($0.number) }, "number in [3, 7]")
    try expectLowering(#Predicate { numbers.contains($0.rank ?? 3) }, "(rank == nil or rank in [1, 3, 7])")
  }

  @Test func capturedListsOfOptionals() throws {
    let titles: [String?] = [nil, "x"]
    let set: Set<Int?> = [7, nil, 4]
    try expectLowering(#Predicate { titles.contains($0.title) }, #"title in [nil, "x"]"#)
    try expectLowering(#Predicate { set.contains($0.rank) }, "rank in [nil, 4, 7]")
  }

  @Test func ranges() throws {
    let (low, high) = (1, 7)
    let (closed, halfOpen) = (low...high, low..<high)
    let (from, through, upTo) = (3..., ...3, ..<3)
    try expectLowering(#Predicate { (low...high).contains($0.number) }, "(number >= 1 and number <= 7)")
    try expectLowering(#Predicate { (1..<7).contains($0.number) }, "(number >= 1 and number < 7)")
    try expectLowering(#Predicate { closed.contains($0.number) }, "(number >= 1 and number <= 7)")
    try expectLowering(#Predicate { halfOpen.contains($0.number) }, "(number >= 1 and number < 7)")
    try expectLowering(#Predicate { from.contains($0.number) }, "number >= 3")
    try expectLowering(#Predicate { through.contains($0.number) }, "number <= 3")
    try expectLowering(#Predicate { upTo.contains($0.number) }, "number < 3")
    try expectLowering(#Predicate { !closed.contains($0.number) }, "not((number >= 1 and number <= 7))")
  }

  @Test func rangesOfOtherTypes() throws {
    let dates = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 100)
    let levels = Level.low...Level.middle
    try expectLowering(
      #Predicate { dates.contains($0.createdAt) }, "(created_at >= date(0.0) and created_at < date(100.0))")
    try expectLowering(#Predicate { ("a"..."b").contains($0.text) }, #"(text >= "a" and text <= "b")"#)
    try expectLowering(#Predicate { levels.contains($0.level) }, "(level >= 1 and level <= 5)")
  }

  @Test func enumerations() throws {
    let (task, wild, kinds) = (Kind.task, Mood.wild, [Kind.note, .link])
    let phase: Phase? = .third
    try expectLowering(#Predicate { $0.kind == task }, #"kind == "task""#)
    try expectLowering(#Predicate { $0.kind != task }, #"kind != "task""#)
    try expectLowering(#Predicate { kinds.contains($0.kind) }, #"kind in ["note", "link"]"#)
    try expectLowering(#Predicate { $0.kind.rawValue == "note" }, #"kind == "note""#)
    try expectLowering(#Predicate { $0.level.rawValue > 1 }, "level > 1")
    try expectLowering(#Predicate { $0.mood == wild }, #"mood == "wild""#)
    try expectLowering(#Predicate { $0.phase == phase }, #"phase == "a""#)
    try expectLowering(#Predicate { $0.phase?.rawValue == "b" }, #"phase == "b""#)
  }

  @Test func orderOfEnumerations() throws {
    let (middle, second) = (Level.middle, Phase.second)
    try expectLowering(#Predicate { $0.level >= middle }, "level >= 5")
    expectRefusal(
      #Predicate {
        if let phase = $0.phase { phase < second } else { false }
      }, node: "Comparison", field: nil, "the order of Phase is not proved")
    expectRefusal(
      #Predicate { (second...second).contains($0.phase ?? second) }, node: "RangeExpressionContains", field: "phase",
      "the order of Phase is not proved")
  }
}
