import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  /// One check for each field of a specimen: every comparison with every value of its pool, indexed and not.
  static let comparisonChecks: [ConformanceCheck] =
    SpecimenWorld.columns.map { column in
      ConformanceCheck("query.compare.\(column)", "Every comparison of '\(column)' with a constant means what it says.")
      {
        trial in
        try trial.expectAnswers(comparisons(of: column))
      }
    } + [
      ConformanceCheck("query.compare.fields", "Two fields of a type compare as their values do, nils included.") {
        trial in
        try trial.expectAnswers(
          SpecimenWorld.columns.filter { !$0.hasPrefix("maybe_") && $0 != "id" }.flatMap { column in
            possible(column).flatMap { comparison in
              [
                .compareFields(column, comparison, "maybe_\(column)"),
                .compareFields("maybe_\(column)", comparison, column),
                .compareFields("maybe_\(column)", comparison, "maybe_\(column)"),
              ]
            }
          })
      },
      ConformanceCheck("query.compare.typed", "Conditions written as closures mean the same.") { trial in
        let notes = NoteWorld.notes(40)
        let store = try trial.open(with: notes)
        let date = notes[0].createdAt
        for query: Query<Note> in [
          Query { $0.kind == .link && !$0.isDone },
          Query { $0.isDone || $0.rank >= 2 },
          Query { $0.title == nil },
          Query { $0.title != "one" && $0.createdAt >= date },
          Query { $0.rank.isIn(1..<3) },
          Query { $0.rank.isIn(1...3) && $0.createdAt.isIn(...date) },
          Query { $0.kind.isIn([.image, .note]) },
          Query { $0.remindAt > Date(timeIntervalSince1970: 2) },
          Query { $0.tags.contains("blue") || $0.title.isEmpty },
          Query { $0.tags.isEmpty && $0.text.count > 14 },
          Query { $0.search("WORK 1", in: $0.text, $0.title, $0.tags) },
        ] {
          try trial.expectAnswer(query, on: store, holding: notes)
        }
      },
    ]

  /// The comparisons that a column has.
  static func possible(_ column: String) -> [Comparison] {
    SpecimenWorld.listColumns.contains(column) ? [.equal, .notEqual] : Comparison.allCases
  }

  static func comparisons(of column: String) -> [Filter] {
    SpecimenWorld.constants(of: column).flatMap { constant in
      possible(column).map { .compare(column, $0, constant) }
    }
  }
}
