import SaverCore

extension ConformanceSuite {
  static let membershipChecks: [ConformanceCheck] = [
    ConformanceCheck("query.in.some", "'in' holds for the listed values, of every type.") { trial in
      try trial.expectAnswers(
        SpecimenWorld.columns.flatMap { column -> [Filter] in
          let constants = SpecimenWorld.constants(of: column).dropLast()
          return [
            .isIn(column, Array(constants.prefix(3))), .isIn(column, Array(constants)),
            .isIn(column, [constants[0], constants[0]]), .not(.isIn(column, Array(constants.suffix(2)))),
          ]
        })
    },
    ConformanceCheck("query.in.none", "Nothing is in an empty list.") { trial in
      try trial.expectAnswers(["int", "maybe_text", "tags", "id"].flatMap { [.isIn($0, []), .not(.isIn($0, []))] })
    },
    ConformanceCheck("query.in.null", "A nil is in a list that has a nil, and in no other.") { trial in
      try trial.expectAnswers(
        SpecimenWorld.optionalColumns.flatMap { column -> [Filter] in
          let constant = SpecimenWorld.constants(of: column)[0]
          return [.isIn(column, [.null]), .isIn(column, [.null, constant]), .isIn(column, [constant])]
        } + [.isIn("int", [.null]), .isIn("int", [.null, .int(1)])])
    },
    ConformanceCheck("query.in.many", "A list may have a thousand values.") { trial in
      let ints = (0..<1_000).map { StoredValue.int($0 * 3 - 600) }
      let ids = (0..<1_000).map { number -> StoredValue in
        .uuid(number % 100 == 0 ? SpecimenWorld.specimens[number / 100].id : .version7())
      }
      try trial.expectAnswers([
        .isIn("int", ints), .isIn("maybe_int", ints + [.null]), .not(.isIn("int", ints)), .isIn("id", ids),
        .isIn("text", (0..<1_000).map { .text("text \($0)") } + [.text("a")]),
      ])
    },
    ConformanceCheck("query.in.ordered", "What is found by 'in' comes in the query's order, once.") { trial in
      let filters: [Filter] = [
        .isIn("int", [.int(256), .int(-1), .int(0), .int(256)]),
        .isIn("maybe_int", [.int(2), .null, .int(Int.min)]),
      ]
      for key in ["int", "maybe_int", "text"] {
        for descending in [false, true] {
          try trial.expectAnswers(filters, order: [SortKey(field: key, descending: descending)])
        }
      }
    },
    ConformanceCheck("query.element", "A list has an element if one of its texts is the same, byte for byte.") {
      trial in
      let elements = Set(ValuePool.lists.flatMap { $0 }.map { Array($0.utf8) }).map {
        String(decoding: $0, as: UTF8.self)
      }
      try trial.expectAnswers(
        ["tags", "maybe_tags"].flatMap { column in
          (elements + ["b\"", "tag", "[", "null]"]).map { .hasElement(column, $0) }
        })
    },
    ConformanceCheck("query.count", "Characters of a text, elements of a list and bytes of a blob are counted.") {
      trial in
      try trial.expectAnswers(
        ["text", "maybe_text", "tags", "maybe_tags", "data", "maybe_data", "kind"].flatMap { column in
          [-1, 0, 1, 2, 3, 20].flatMap { number in Comparison.allCases.map { .count(column, $0, number) } }
        })
    },
  ]
}
