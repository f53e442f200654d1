#if LMDB
import FoundationEssentials
import SaverCore

/// Finds the ways to answer a selection.
///
/// A way walks the rows by id, or an index. The conditions that must all hold give the ranges: equal values for the
/// leading columns, then a range or a list for the next. What a range decides is not evaluated again, unless a key is cut
/// before the end of the values in question.
struct Planner {
  let table: Table
  let selection: Selection
  private let conjuncts: [Filter]
  private let conditions: [Condition]

  /// What a conjunct says of one column.
  private struct Condition {
    enum Kind {
      case equal(StoredValue)
      case isIn([StoredValue])
      case less(Comparison, StoredValue)
      case notNull
      case prefix(String)
    }
    let column: Int
    let kind: Kind
    /// The conjunct that says it.
    let conjunct: Int
  }

  /// How much the conditions narrow a way: compared by the first number, then by the second.
  struct Strength: Comparable {
    var equal = 0
    var range = 0
    static func < (one: Strength, other: Strength) -> Bool {
      (one.equal, one.range) < (other.equal, other.range)
    }
  }

  struct Candidate {
    var plan: ScanPlan
    var strength: Strength
    /// Whether at most one row for each value is found.
    var isByID: Bool
  }

  init(_ selection: Selection, _ table: Table) {
    self.selection = selection
    self.table = table
    conjuncts = selection.filter.conjuncts
    conditions = conjuncts.enumerated().compactMap { Self.condition($1, $0, table.type) }
  }

  private static func condition(_ filter: Filter, _ conjunct: Int, _ type: RecordType) -> Condition? {
    func condition(_ field: String, _ kind: Condition.Kind) -> Condition? {
      type.column(named: field).map { Condition(column: $0, kind: kind, conjunct: conjunct) }
    }
    switch filter {
    case .compare(let field, .equal, let value): return condition(field, .equal(value))
    case .compare(let field, .notEqual, .null): return condition(field, .notNull)
    case .compare(_, .notEqual, _), .compare(_, _, .null): return nil
    case .compare(let field, let comparison, let value): return condition(field, .less(comparison, value))
    case .isIn(let field, let values): return condition(field, values.count == 1 ? .equal(values[0]) : .isIn(values))
    case .hasPrefix(let field, let text): return condition(field, .prefix(text))
    case .constant, .not, .and, .or, .compareFields, .count, .contains, .hasSuffix, .hasElement, .search: return nil
    }
  }

  // MARK: Choosing

  /// All ways: by id first, then by each index.
  func candidates(usingIndexes: Bool = true) -> [Candidate] {
    if conjuncts.contains(.constant(false)) {
      return [
        Candidate(
          plan: ScanPlan(index: nil, ranges: [], decided: conjuncts, residual: [], isOrdered: true),
          strength: Strength(), isByID: true)
      ]
    }
    return [candidate(nil)] + (usingIndexes ? table.indexes : []).map { candidate($0) }
  }

  private func equalValue(_ column: Int) -> Condition? {
    conditions.first { condition in
      if case .equal = condition.kind { condition.column == column } else { false }
    }
  }

  private func candidate(_ index: Table.Index?) -> Candidate {
    let columns = index?.columns ?? [0]
    var keys = Keys(table.type, isPrimary: index == nil)
    var strength = Strength()
    var decided: Set<Int> = []
    var ranges: [KeyRange]?
    for column in columns {
      if let equal = equalValue(column), case .equal(let value) = equal.kind, keys.canBound(column, value) {
        keys.append(value, column)
        strength.equal += 1
        if keys.isExact { decided.insert(equal.conjunct) } else { break }
        continue
      }
      let next = conditions.filter { $0.column == column }
      (ranges, strength.range) = self.ranges(keys, column, next, &decided)
      break
    }
    var plan = ScanPlan(
      index: index, ranges: ranges ?? [keys.range], decided: [], residual: [], isOrdered: false)
    plan.decided = conjuncts.indices.filter { decided.contains($0) }.map { conjuncts[$0] }
    plan.residual = conjuncts.indices.filter { !decided.contains($0) }.map { conjuncts[$0] }
    order(&plan, columns)
    return Candidate(plan: plan, strength: strength, isByID: index == nil && strength > Strength())
  }

  /// The ranges that the conditions on one column leave, behind equal values.
  private func ranges(
    _ keys: Keys, _ column: Int, _ conditions: [Condition], _ decided: inout Set<Int>
  ) -> (ranges: [KeyRange]?, strength: Int) {
    for condition in conditions {
      guard case .isIn(let values) = condition.kind, values.allSatisfy({ keys.canBound(column, $0) }) else { continue }
      let bounds = values.map { keys.appending($0, column) }
      if bounds.allSatisfy(\.isExact) { decided.insert(condition.conjunct) }
      return (KeyRange.merged(bounds.map(\.range)), 3)
    }
    var range = keys.range
    var sides = 0
    for condition in conditions {
      switch condition.kind {
      case .equal, .isIn: continue
      case .notNull:
        guard let bound = keys.afterNull() else { continue }
        range.raise(to: bound)
        decided.insert(condition.conjunct)
      case .less(let comparison, let value):
        guard keys.canBound(column, value) else { continue }
        let bound = keys.appending(value, column)
        if let bound = keys.afterNull() { range.raise(to: bound) }
        switch comparison {
        case .less: range.cap(to: bound.isExact ? bound.bytes : bound.range.upper ?? bound.bytes)
        case .lessOrEqual: range.cap(to: bound.range.upper ?? bound.bytes)
        case .greater: range.raise(to: bound.isExact ? bound.range.upper ?? bound.bytes : bound.range.lower)
        case .greaterOrEqual: range.raise(to: bound.range.lower)
        case .equal, .notEqual: continue
        }
        if bound.isExact { decided.insert(condition.conjunct) }
      case .prefix(let text):
        guard let bound = keys.prefix(text, column) else { continue }
        range.raise(to: bound.range.lower)
        if let upper = bound.range.upper { range.cap(to: upper) }
        if bound.isExact { decided.insert(condition.conjunct) }
      }
      sides += 1
    }
    return sides == 0 ? (nil, 0) : ([range].filter { !$0.isEmpty }, min(sides, 2))
  }

  // MARK: Order

  /// Whether walking the keys gives the order; and if so, from the place to go on from.
  private func order(_ plan: inout ScanPlan, _ columns: [Int]) {
    let isFixed = { (column: Int) in equalValue(column) != nil }
    let wanted = selection.order.filter { !isFixed($0.column) }
    var given = columns.filter { !isFixed($0) }
    if !isFixed(0), !given.contains(0) { given.append(0) }
    if let id = given.firstIndex(of: 0) { given = Array(given[...id]) }
    guard wanted.isEmpty || wanted.map(\.column) == given,
      wanted.allSatisfy({ $0.descending == wanted[0].descending })
    else { return }
    plan.isDescending = wanted.first?.descending ?? false
    guard let after = selection.after else {
      plan.isOrdered = true
      return
    }
    guard let bound = position(after, columns, isPrimary: plan.index == nil) else { return }
    plan.isOrdered = true
    plan.isPositionedExactly = bound.isExact
    plan.ranges = plan.ranges.compactMap { range in
      var range = range
      if plan.isDescending { range.cap(to: bound.cap) } else { range.raise(to: bound.raise) }
      return range.isEmpty ? nil : range
    }
  }

  /// The bounds of the keys behind a place; `nil` if its values are not those of the keys.
  private func position(
    _ after: [StoredValue], _ columns: [Int], isPrimary: Bool
  ) -> (raise: [UInt8], cap: [UInt8], isExact: Bool)? {
    guard case .uuid(let id)? = after.last, selection.order.last?.column == 0, equalValue(0) == nil else { return nil }
    // A place with another value than the condition has: all results lie before it or behind it, and no key says which.
    for (sort, place) in zip(selection.order, after) {
      if let equal = equalValue(sort.column), case .equal(let value) = equal.kind, place != value { return nil }
    }
    var tuple = TupleBuffer()
    for column in columns where !isPrimary {
      let place = selection.order.firstIndex { $0.column == column }.map { after[$0] }
      if let equal = equalValue(column), case .equal(let value) = equal.kind {
        tuple.append(value, as: table.type.type(ofColumn: column))
      } else if let place {
        tuple.append(place, as: table.type.type(ofColumn: column))
      } else {
        return nil
      }
    }
    var bytes = Array(tuple.bytes)
    if bytes.count > IndexKey.tupleMax {
      bytes = Array(bytes.prefix(IndexKey.tupleMax))
      return (bytes + [IndexKey.cut], bytes + [IndexKey.cut + 1], false)
    }
    if !isPrimary { bytes.append(IndexKey.whole) }
    bytes += withUnsafeBytes(of: id.uuid) { Array($0) }
    return (bytes + [0], bytes, true)
  }
}
#endif
