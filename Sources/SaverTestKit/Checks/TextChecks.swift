import SaverCore

extension ConformanceSuite {
  static let textChecks: [ConformanceCheck] =
    [
      (
        "contains", "'contains' finds the same bytes anywhere: case and form count, nothing is a wildcard.",
        Filter.contains
      ),
      ("hasPrefix", "'hasPrefix' finds the same bytes at the start.", Filter.hasPrefix),
      ("hasSuffix", "'hasSuffix' finds the same bytes at the end.", Filter.hasSuffix),
    ].map { name, summary, condition in
      ConformanceCheck("query.text.\(name)", summary) { trial in
        let needles = ValuePool.texts + ["B", "traß", "e", "\u{301}", "👨", "\u{200d}", "語", "m", "zz"]
        try trial.expectAnswers(
          ["text", "maybe_text", "kind"].flatMap { column in needles.map { condition(column, $0) } })
      }
    } + [
      ConformanceCheck("query.text.empty", "Every text contains, begins and ends with the empty text.") { trial in
        let store = try trial.open(with: SpecimenWorld.specimens)
        for filter: Filter in [.contains("text", ""), .hasPrefix("text", ""), .hasSuffix("text", "")] {
          let count = try store.read { try $0.count(Query<Specimen>(filter: filter)) }
          try trial.expectEqual(count, SpecimenWorld.specimens.count, "\(filter)")
        }
      },
      ConformanceCheck("query.text.forms", "Composed and decomposed texts differ; search alone takes them as one.") {
        trial in
        let notes = [
          NoteWorld.note("caf\u{e9}", title: "caf\u{e9}"), NoteWorld.note("cafe\u{301}", title: "cafe\u{301}"),
        ]
        let store = try trial.open(with: notes)
        for (filter, wanted) in [
          (.compare("text", .equal, .text("caf\u{e9}")), [notes[0]]),
          (.compare("title", .equal, .text("cafe\u{301}")), [notes[1]]),
          (.contains("text", "cafe"), [notes[1]]), (.hasSuffix("title", "\u{e9}"), [notes[0]]),
          (.isIn("title", [.text("caf\u{e9}")]), [notes[0]]), (.search(["text"], "caf\u{e9}"), notes),
          (.search(["title"], "cafe\u{301}"), notes),
        ] as [(Filter, [Note])] {
          let found = try store.read { try $0.fetch(Query<Note>(filter: filter)) }
          try trial.expectSame(found, QueryOracle.results(of: Query(), in: wanted), "\(filter)")
        }
      },
    ]

  static let prefixChecks: [ConformanceCheck] = [
    ConformanceCheck(
      "query.prefix.bounds", "A prefix whose last byte is the greatest of its kind finds what follows it."
    ) {
      trial in
      let ends = [
        "\u{7f}", "\u{80}", "\u{bf}", "\u{c0}", "\u{ff}", "\u{7ff}", "\u{800}", "\u{fff}", "\u{d7ff}", "\u{e000}",
        "\u{ffff}",
        "\u{10000}", "\u{3ffff}", "\u{10ffff}", "\u{0}",
      ]
      let prefixes = ends + ends.map { "a" + $0 } + ends.map { $0 + $0 }
      let titles = prefixes.flatMap { [$0, $0 + "\u{0}", $0 + "z", $0 + "\u{10ffff}"] } + ["", "a", "b"]
      let notes = titles.map { NoteWorld.note($0, title: $0) }
      let store = try trial.open(with: notes)
      for prefix in prefixes + [""] {
        try trial.expectAnswer(Query<Note> { $0.title.hasPrefix(prefix) }, on: store, holding: notes)
        try trial.expectAnswer(
          Query<Note> { $0.title.hasPrefix(prefix) }.sorted(by: \.title, descending: true), on: store, holding: notes)
        try trial.expectAnswer(Query<Note> { $0.text.hasPrefix(prefix) }, on: store, holding: notes)
      }
    },
    ConformanceCheck(
      "query.prefix.ordered", "A prefix and an order by the same index, either way, with limit and offset."
    ) {
      trial in
      let notes = NoteWorld.notes(60)
      let store = try trial.open(with: notes)
      for descending in [false, true] {
        let query = Query<Note> { $0.title.hasPrefix("t") }.sorted(by: \.title, descending: descending)
        try trial.expectAnswer(query, on: store, holding: notes)
        try trial.expectAnswer(query.limit(5).offset(3), on: store, holding: notes)
      }
    },
  ]
}
