import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  /// A `#Predicate`, lowered, against its own evaluation: on texts of ASCII, where Swift's rules and the tree's agree.
  static let predicateChecks: [ConformanceCheck] = [
    ConformanceCheck("predicate.comparisons", "A lowered predicate of comparisons finds what it holds for.") { trial in
      let (date, kind, word, none) = (Date(timeIntervalSince1970: 1_700_000_005), Note.Kind.link, "two", String?.none)
      try expectParity(
        trial,
        [
          #Predicate { $0.rank == 2 }, #Predicate { $0.rank != 2 }, #Predicate { $0.rank < 2 },
          #Predicate { 2 <= $0.rank },
          #Predicate { $0.createdAt > date }, #Predicate { $0.createdAt <= date }, #Predicate { $0.kind == kind },
          #Predicate { $0.title == word }, #Predicate { $0.title != word }, #Predicate { $0.title == none },
          #Predicate { $0.title == nil }, #Predicate { $0.title != nil }, #Predicate { $0.text > "W" },
          #Predicate { $0.remindAt != nil },
        ])
    },
    ConformanceCheck("predicate.logic", "A lowered predicate of and, or, not and choices finds what it holds for.") {
      trial in
      try expectParity(
        trial,
        [
          #Predicate { $0.isDone }, #Predicate { !$0.isDone }, #Predicate { $0.isDone && $0.rank > 1 },
          #Predicate { $0.isDone || $0.title == nil }, #Predicate { !($0.isDone && $0.rank > 1) },
          #Predicate { !($0.title == "one") }, #Predicate { $0.isDone ? $0.rank > 1 : $0.title == nil },
        ])
    },
    ConformanceCheck("predicate.texts", "A lowered predicate on texts and lists finds what it holds for.") { trial in
      let (word, words) = ("ork", ["one", "three"])
      try expectParity(
        trial,
        [
          #Predicate { $0.text.contains(word) }, #Predicate { $0.text.starts(with: "Home") },
          #Predicate { $0.text.isEmpty },
          #Predicate { $0.title?.contains("o") == true }, #Predicate { $0.title?.contains("o") != true },
          #Predicate { $0.title?.isEmpty == false }, #Predicate { ($0.title ?? "").contains("e") },
          #Predicate { $0.tags.contains("blue") }, #Predicate { $0.tags.isEmpty }, #Predicate { $0.tags.count > 1 },
          #Predicate { $0.text.count > 14 }, #Predicate { words.contains($0.text) },
          #Predicate { (1...2).contains($0.rank) },
          #Predicate { (1..<2).contains($0.rank) },
        ])
    },
    ConformanceCheck("predicate.refused", "A predicate that cannot be lowered is refused, and not approximated.") {
      trial in
      let refused: [Predicate<Note>] = [
        #Predicate { $0.rank + 1 > 2 }, #Predicate { $0.title! == "one" },
        #Predicate { $0.tags.contains { $0 == "a" } },
      ]
      for predicate in refused {
        do {
          _ = try Query<Note>(predicate)
          throw trial.failure("a predicate was lowered that cannot be: \(predicate)", #fileID, #line)
        } catch is LoweringError {}
      }
    },
  ]

  private static func expectParity(_ trial: Trial, _ predicates: [Predicate<Note>]) throws {
    let notes = NoteWorld.notes(40)
    let store = try trial.open(with: notes)
    for predicate in predicates {
      let query = try Query<Note>(predicate)
      let found = try store.read { try $0.fetch(query) }
      let wanted = try notes.filter { try predicate.evaluate($0) }
      try trial.expectSame(found, QueryOracle.results(of: Query(), in: wanted), "\(query)")
    }
  }
}
