import FoundationEssentials
import SaverCore

/// Random queries over the fields of a specimen: every operator, every type, every shape.
struct RandomQuery {
  func query<R: TransparentRecord>(
    _: R.Type, positions: [R], _ random: inout RandomGenerator
  ) -> Query<R> {
    var query = Query<R>(filter: random.chance(oneIn: 5) ? .constant(true) : filter(depth: 3, &random))
    query.order = order(&random)
    if random.chance(oneIn: 3) { query.limit = random.below(8) }
    if random.chance(oneIn: 4) { query.offset = random.below(6) }
    if random.chance(oneIn: 4), !positions.isEmpty { query = query.after(random.pick(positions)) }
    return query
  }

  func order(_ random: inout RandomGenerator) -> [SortKey] {
    (0..<random.below(4)).map { _ in
      SortKey(field: random.pick(SpecimenWorld.orderedColumns), descending: random.chance(oneIn: 2))
    }
  }

  func filter(depth: Int, _ random: inout RandomGenerator) -> Filter {
    guard depth > 0, !random.chance(oneIn: 3) else { return leaf(&random) }
    let parts = (0..<random.below(4)).map { _ in filter(depth: depth - 1, &random) }
    return switch random.below(5) {
    case 0: .not(filter(depth: depth - 1, &random))
    case 1, 2: .or(parts + [leaf(&random)])
    default: .and(parts)
    }
  }

  private func leaf(_ random: inout RandomGenerator) -> Filter {
    let column = random.pick(SpecimenWorld.columns)
    let constants = SpecimenWorld.constants(of: column)
    let text = random.pick(SpecimenWorld.textColumns)
    switch random.below(16) {
    case 0...5: return .compare(column, comparison(column, &random), random.pick(constants))
    case 6, 7:
      return .isIn(column, (0..<random.below(5)).map { _ in random.pick(constants) })
    case 8:
      let plain = random.pick(SpecimenWorld.columns.filter { $0 != "id" && !$0.hasPrefix("maybe_") })
      return .compareFields(plain, comparison(plain, &random), "maybe_\(plain)")
    case 9: return .contains(text, random.pick(ValuePool.texts))
    case 10: return .hasPrefix(text, random.pick(ValuePool.texts))
    case 11: return .hasSuffix(text, random.pick(ValuePool.texts))
    case 12:
      return .hasElement(random.pick(SpecimenWorld.listColumns), random.pick(["", "a", "A", "\u{e9}", "日本語"]))
    case 13:
      let counted = random.pick(["text", "tags", "data", "maybe_text", "maybe_tags", "maybe_data"])
      return .count(counted, random.pick(Comparison.allCases), random.below(4))
    case 14: return .search(["text", "maybe_text", "tags"], random.pick(["a", "A b", "\u{e9}", "", "日", "%"]))
    default: return .constant(random.chance(oneIn: 2))
    }
  }

  private func comparison(_ column: String, _ random: inout RandomGenerator) -> Comparison {
    random.pick(ConformanceSuite.possible(column))
  }
}
