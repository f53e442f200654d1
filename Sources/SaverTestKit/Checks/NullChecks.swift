import SaverCore

extension ConformanceSuite {
  static let nullChecks: [ConformanceCheck] = [
    ConformanceCheck("query.null.equal", "'== nil' is true of a nil and of nothing else, '!= nil' of the rest.") {
      trial in
      try trial.expectAnswers(
        SpecimenWorld.columns.flatMap { [.compare($0, .equal, .null), .compare($0, .notEqual, .null)] })
    },
    ConformanceCheck("query.null.notEqual", "'!= x' keeps the records that have nil.") { trial in
      let store = try trial.open(with: SpecimenWorld.specimens)
      let nils = SpecimenWorld.specimens.filter { $0.maybeInt == nil }
      let found = try store.read { try $0.fetch(Query<Specimen> { $0.maybeInt != 1 }) }
      try trial.expect(
        Set(nils.map(\.id)).isSubset(of: found.map(\.id)), "'maybe_int != 1' left out records that have nil")
    },
    ConformanceCheck(
      "query.null.order", "'<', '<=', '>' and '>=' are false where a side is nil, and 'not' of them is true."
    ) {
      trial in
      try trial.expectAnswers(
        SpecimenWorld.optionalColumns.filter { $0 != "maybe_tags" }.flatMap { column in
          let constant = SpecimenWorld.constants(of: column)[0]
          return [.less, .lessOrEqual, .greater, .greaterOrEqual].flatMap { comparison -> [Filter] in
            [
              .compare(column, comparison, .null), .not(.compare(column, comparison, .null)),
              .not(.compare(column, comparison, constant)),
            ]
          }
        })
    },
    ConformanceCheck("query.null.not", "'not' of a condition on a nil is true: logic is two-valued.") { trial in
      try trial.expectAnswers([
        .not(.compare("maybe_int", .equal, .int(1))), .not(.compare("maybe_int", .notEqual, .int(1))),
        .not(.not(.compare("maybe_int", .less, .int(1)))),
        .not(.isIn("maybe_int", [.int(1), .int(2)])), .not(.isIn("maybe_int", [.int(1), .null])),
        .not(.contains("maybe_text", "a")), .not(.hasPrefix("maybe_text", "a")), .not(.hasSuffix("maybe_text", "a")),
        .not(.hasElement("maybe_tags", "a")), .not(.search(["maybe_text"], "a")),
        .not(.compareFields("maybe_int", .less, "int")), .not(.compareFields("maybe_int", .equal, "int")),
        .not(.count("maybe_text", .less, 2)), .not(.count("maybe_tags", .equal, 2)),
      ])
    },
    ConformanceCheck("query.null.text", "Conditions on the text, the elements or the number of nil are false.") {
      trial in
      try trial.expectAnswers([
        .contains("maybe_text", ""), .hasPrefix("maybe_text", ""), .hasSuffix("maybe_text", ""),
        .hasElement("maybe_tags", ""), .count("maybe_text", .equal, 0), .count("maybe_text", .notEqual, 0),
        .count("maybe_tags", .less, 5), .count("maybe_tags", .notEqual, 5), .count("maybe_data", .greaterOrEqual, 0),
        .compare("maybe_text", .equal, .text("")), .search(["maybe_text", "maybe_tags"], ""),
      ])
    },
  ]
}
