import FoundationEssentials
import SaverCore

/// The results of queries, computed the slow and plain way.
enum QueryOracle {
  static func results<R: TransparentRecord>(of query: Query<R>, in records: [R]) -> [R] {
    var found = records.filter { FilterOracle.matches(query.filter, $0) }
    found.sort { precedes(place(of: $0, query.order), place(of: $1, query.order), query.order) }
    if let position = query.position {
      found.removeAll { !precedes(position, place(of: $0, query.order), query.order) }
    }
    return Array(found.dropFirst(query.offset).prefix(query.limit ?? .max))
  }

  private static func place<R: TransparentRecord>(of record: R, _ order: [SortKey]) -> Position {
    Position(values: order.map { record.value(of: $0.field) }, id: record.id)
  }

  private static func precedes(_ place: Position, _ other: Position, _ order: [SortKey]) -> Bool {
    // A field that was there before decides nothing, nor does what stands behind the id.
    var deciding: SortKey?
    var seen: Set<String> = []
    for (key, (value, other)) in zip(order, zip(place.values, other.values)) where !seen.contains("id") {
      guard seen.insert(key.field).inserted else { continue }
      deciding = key
      let (first, second) = key.descending ? (other, value) : (value, other)
      if FilterOracle.precedes(first, second) { return true }
      if FilterOracle.precedes(second, first) { return false }
    }
    return deciding?.descending ?? false
      ? FilterOracle.precedes(other.id, place.id) : FilterOracle.precedes(place.id, other.id)
  }
}
