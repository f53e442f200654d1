import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let searchChecks: [ConformanceCheck] = [
    ConformanceCheck("query.search.case", "Search is blind to case, by full folding.") { trial in
      try expectFound(
        trial, in: ["École", "ÉCOLE", "école", "Straße", "STRASSE", "strasse", "other"],
        [
          ("école", ["École", "ÉCOLE", "école"]), ("ÉCOLE", ["École", "ÉCOLE", "école"]),
          ("strasse", ["Straße", "STRASSE", "strasse"]), ("STRAẞE", ["Straße", "STRASSE", "strasse"]),
        ])
    },
    ConformanceCheck("query.search.accents", "Search is blind to accents, composed or not, and to compatibility forms.")
    {
      trial in
      try expectFound(
        trial, in: ["caf\u{e9}", "cafe\u{301}", "cafe", "ﬁnd", "ｗｉｄｅ", "no"],
        [
          ("cafe", ["caf\u{e9}", "cafe\u{301}", "cafe"]), ("caf\u{e9}", ["caf\u{e9}", "cafe\u{301}", "cafe"]),
          ("cafe\u{301}", ["caf\u{e9}", "cafe\u{301}", "cafe"]), ("find", ["ﬁnd"]), ("wide", ["ｗｉｄｅ"]),
        ])
    },
    ConformanceCheck("query.search.words", "Every word is found as a part, in any order, and in different fields.") {
      trial in
      let notes = [
        NoteWorld.note("the quick brown fox", title: "Animals", tags: ["red", "forest"]),
        NoteWorld.note("quick notes", title: nil, tags: []),
        NoteWorld.note("brown bread", title: "Quick recipes", tags: ["food"]),
      ]
      let store = try trial.open(with: notes)
      for words in [
        "quick brown", "brown  quick", " \t quick\n", "ick own", "quick red", "forest animals fox", "animals food",
        "re",
        "redforest", "quick quick", "nothing", "the quick brown",
      ] {
        try trial.expectAnswer(
          Query<Note> { $0.search(words, in: $0.text, $0.title, $0.tags) }, on: store, holding: notes)
        try trial.expectAnswer(Query<Note> { $0.search(words, in: $0.text) }, on: store, holding: notes)
      }
    },
    ConformanceCheck("query.search.empty", "A search without a word finds everything.") { trial in
      let notes = NoteWorld.notes(5)
      let store = try trial.open(with: notes)
      for words in ["", " ", "\n\t "] {
        try trial.expectAnswer(Query<Note> { $0.search(words, in: $0.text, $0.title) }, on: store, holding: notes)
        try trial.expectAnswer(!Query<Note> { $0.search(words, in: $0.title) }, on: store, holding: notes)
      }
    },
    ConformanceCheck("query.search.literal", "No character is a wildcard, a quote or an operator of a search.") {
      trial in
      let texts = [
        "\"", "*", "(", ")", ":", "-", "^", "'", "@", "/", "\\", "%", "_", "AND", "NOT", "NEAR", "OR", "a*b", "ab",
        "plain",
        "100%", "a_b", "c:\\x",
      ]
      let notes = texts.map { NoteWorld.note($0) }
      let store = try trial.open(with: notes)
      for words in texts + ["\"ab\"", "a AND b", "-plain", "text:ab", "a*", "%a", "(ab)"] {
        try trial.expectAnswer(Query<Note> { $0.search(words, in: $0.text) }, on: store, holding: notes)
      }
    },
    ConformanceCheck("query.search.noField", "A search in no field finds a word nowhere.") { trial in
      let notes = NoteWorld.notes(3)
      let store = try trial.open(with: notes)
      try trial.expectAnswer(Query<Note>(filter: .search([], "a")), on: store, holding: notes)
      try trial.expectAnswer(Query<Note>(filter: .search([], "")), on: store, holding: notes)
    },
    ConformanceCheck("query.search.world", "Search of one letter, in texts of every kind.") { trial in
      try trial.expectAnswers(
        ["a", "B", "\u{e9}", "%", "_", "\\", "\"", "日", "👨‍👩‍👧", "s s", "\u{301}"].flatMap { words in
          [.search(["text"], words), .search(["maybe_text", "tags"], words), .search(["maybe_tags"], words)]
        })
    },
  ]

  private static func expectFound(_ trial: Trial, in texts: [String], _ cases: [(String, [String])]) throws {
    let notes = texts.map { NoteWorld.note($0, title: $0, tags: ["tag", $0]) }
    let store = try trial.open(with: notes)
    for (words, wanted) in cases {
      for field in ["text", "title", "tags"] {
        let found = try store.read { try $0.fetch(Query<Note>(filter: .search([field], words))) }
        let texts = Set(found.map { Array($0.text.utf8) })
        try trial.expectEqual(texts, Set(wanted.map { Array($0.utf8) }), "'\(words)' in \(field)")
      }
    }
  }
}

extension Query {
  /// The query for all other records.
  fileprivate static prefix func ! (query: Query) -> Query { Query(filter: !query.filter) }
}
