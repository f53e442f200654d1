import SaverCore

extension Canary {
  /// Conditions that mean something else; the mistakes of SQL among them.
  static let filtering: [Canary] = [
    filter(
      "filter.lessOrNil", "Takes nil as less than every value.",
      caughtBy: ["query.compare.maybe_int", "query.null.order"]
    ) {
      switch $0 {
      case .compare(let field, .less, let value) where value != .null:
        .or([$0, .compare(field, .equal, .null)])
      default: $0
      }
    },
    filter("filter.notEqualDropsNil", "Leaves out nil for '!=', as SQL does.", caughtBy: ["query.null.notEqual"]) {
      switch $0 {
      case .compare(let field, .notEqual, let value) where value != .null:
        .and([$0, .compare(field, .notEqual, .null)])
      default: $0
      }
    },
    filter("filter.notDropsNil", "Leaves out nil for 'not', as SQL does.", caughtBy: ["query.null.not"]) {
      switch $0 {
      case .not(.compare(let field, _, let value)) where value != .null:
        .and([$0, .compare(field, .notEqual, .null)])
      case .not(.contains(let field, _)): .and([$0, .compare(field, .notEqual, .null)])
      default: $0
      }
    },
    filter(
      "filter.nilIsEmpty", "Takes nil for an empty text.", caughtBy: ["query.null.text", "query.compare.maybe_text"]
    ) {
      switch $0 {
      case .compare(let field, .equal, .text("")): .or([$0, .compare(field, .equal, .null)])
      default: $0
      }
    },
    filter("filter.nilsDiffer", "Takes two nil fields as different.", caughtBy: ["query.compare.fields"]) {
      switch $0 {
      case .compareFields(let field, .equal, _): .and([$0, .compare(field, .notEqual, .null)])
      default: $0
      }
    },
    filter("filter.inForgetsNil", "Forgets nil in a list.", caughtBy: ["query.in.null"]) {
      switch $0 {
      case .isIn(let field, let values): .isIn(field, values.filter { $0 != .null })
      default: $0
      }
    },
    filter("filter.inCut", "Looks at the first 500 values of a list.", caughtBy: ["query.in.many"]) {
      switch $0 {
      case .isIn(let field, let values): .isIn(field, Array(values.prefix(500)))
      default: $0
      }
    },
    filter(
      "filter.lessIsLessOrEqual", "Includes the bound in '<'.", caughtBy: ["query.compare.date", "query.compare.text"]
    ) {
      switch $0 {
      case .compare(let field, .less, let value): .compare(field, .lessOrEqual, value)
      default: $0
      }
    },
    filter(
      "filter.lessOrEqualIsLess", "Leaves out the bound in '<='.", caughtBy: ["query.compare.int", "query.logic.range"]
    ) {
      switch $0 {
      case .compare(let field, .lessOrEqual, let value): .compare(field, .less, value)
      default: $0
      }
    },
    filter("filter.containsAnyCase", "Finds texts in any case.", caughtBy: ["query.text.contains"]) {
      switch $0 {
      case .contains(let field, let text) where text.count == 1: .search([field], text)
      default: $0
      }
    },
    filter("filter.wildcard", "Takes '%' in 'contains' for a wildcard.", caughtBy: ["query.text.contains"]) {
      switch $0 {
      case .contains(let field, "%"): .compare(field, .notEqual, .null)
      default: $0
      }
    },
    filter("filter.prefixAnywhere", "Finds a prefix anywhere.", caughtBy: ["query.text.hasPrefix"]) {
      switch $0 {
      case .hasPrefix(let field, let text): .contains(field, text)
      default: $0
      }
    },
    filter(
      "filter.prefixBound", "Ends a prefix's range at its last byte plus one, at most 0x7f.",
      caughtBy: ["query.prefix.bounds"]
    ) {
      switch $0 {
      case .hasPrefix(let field, let text): .and([$0, .compare(field, .less, .text(text + "\u{7f}"))])
      default: $0
      }
    },
    filter("filter.emptyNeedle", "Finds the empty text nowhere.", caughtBy: ["query.text.empty"]) {
      switch $0 {
      case .contains(_, ""), .hasPrefix(_, ""), .hasSuffix(_, ""): .constant(false)
      default: $0
      }
    },
    filter("filter.searchOneField", "Looks for all words in the first field.", caughtBy: ["query.search.words"]) {
      switch $0 {
      case .search(let fields, let words): .search(Array(fields.prefix(1)), words)
      default: $0
      }
    },
    filter("filter.searchCase", "Searches by case.", caughtBy: ["query.search.case"]) {
      switch $0 {
      case .search(let fields, let words) where !words.isEmpty && fields != ["tags"]:
        .or(fields.filter { $0 != "tags" }.map { .contains($0, words) })
      default: $0
      }
    },
    filter("filter.orIsFirst", "Looks at the first of alternatives alone.", caughtBy: ["query.logic.nested"]) {
      switch $0 {
      case .or(let parts): .or(Array(parts.prefix(1)))
      default: $0
      }
    },
    filter("filter.emptyAnd", "Takes no condition for one that fails.", caughtBy: ["query.logic.constant"]) {
      switch $0 {
      case .and([]): .constant(false)
      default: $0
      }
    },
    filter("filter.derivedIgnored", "Finds nothing by a derived field.", caughtBy: ["derived.lookup"]) {
      switch $0 {
      case .compare("topic", .equal, _): .constant(false)
      default: $0
      }
    },
  ]

  private static func filter(
    _ id: String, _ summary: String, caughtBy: [String], _ replace: @escaping @Sendable (Filter) -> Filter
  ) -> Canary {
    Canary(id, summary, caughtBy: caughtBy, Fault(filter: { filter, _ in replace(filter) }))
  }
}
