import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let logicChecks: [ConformanceCheck] = [
    ConformanceCheck("query.logic.constant", "Constants, and empty lists of conditions, hold for all or for none.") {
      trial in
      try trial.expectAnswers([
        .constant(true), .constant(false), .not(.constant(true)), .and([]), .or([]), .not(.and([])), .not(.or([])),
        .and([.constant(true), .compare("int", .greater, .int(0))]),
        .or([.constant(false), .compare("int", .greater, .int(0))]),
        .and([.constant(false), .compare("int", .greater, .int(0))]),
        .or([.constant(true), .compare("int", .greater, .int(0))]),
      ])
    },
    ConformanceCheck("query.logic.nested", "and, or and not nest as they do in Swift.") { trial in
      var random = RandomGenerator(seed: 4_711)
      let generator = RandomQuery()
      try trial.expectAnswers((0..<60).map { _ in generator.filter(depth: 4, &random) })
    },
    ConformanceCheck("query.logic.range", "Conditions on one field narrow each other, contradictions included.") {
      trial in
      try trial.expectAnswers([
        .and([.compare("int", .greaterOrEqual, .int(-1)), .compare("int", .less, .int(256))]),
        .and([.compare("int", .greater, .int(-1)), .compare("int", .lessOrEqual, .int(256))]),
        .and([.compare("int", .greater, .int(5)), .compare("int", .less, .int(5))]),
        .and([.compare("int", .greaterOrEqual, .int(1)), .compare("int", .lessOrEqual, .int(1))]),
        .and([.compare("int", .equal, .int(1)), .compare("int", .equal, .int(2))]),
        .and([.compare("int", .equal, .int(1)), .compare("int", .notEqual, .int(1))]),
        .and([.compare("maybe_int", .less, .int(5)), .compare("maybe_int", .notEqual, .null)]),
        .and([.compare("maybe_int", .equal, .null), .compare("maybe_int", .less, .int(5))]),
        .and([.hasPrefix("text", "a"), .compare("text", .greater, .text("aB"))]),
        .and([.compare("text", .greaterOrEqual, .text("a")), .compare("text", .less, .text("b"))]),
        .and([
          .compare("int", .greater, .int(0)), .compare("int", .greater, .int(1)), .compare("int", .less, .int(300)),
        ]),
        .or([.compare("int", .less, .int(0)), .compare("int", .less, .int(2))]),
      ])
    },
    ConformanceCheck("query.logic.compound", "An index over several fields narrows by its first ones, and no further.")
    {
      trial in
      let texts: [Filter] = [.compare("text", .greater, .text("a")), .hasPrefix("text", "a"), .contains("text", "a")]
      let ints: [Filter] = [
        .compare("maybe_int", .equal, .null), .compare("maybe_int", .equal, .int(1)),
        .compare("maybe_int", .less, .int(1)),
      ]
      try trial.expectAnswers(ints.flatMap { int in texts.map { .and([int, $0]) } })
      try trial.expectAnswers([
        .and([
          .compare("bool", .equal, .bool(true)), .compare("maybe_date", .equal, .null),
          .compare("int", .greater, .int(0)),
        ]),
        .and([
          .compare("bool", .equal, .bool(false)),
          .compare("maybe_date", .greater, .date(ValuePool.dates[2])), .compare("int", .less, .int(2)),
        ]),
        .and([.compare("bool", .equal, .bool(true)), .compare("int", .equal, .int(1))]),
      ])
    },
  ]
}
