import FoundationEssentials
import SaverCore

extension TransactionReading where Self: ~Copyable {
  /// The ids that references name, one for each.
  ///
  /// A beginning is looked up in the order of the ids; an end needs one scan of all ids, however many there are.
  func resolve(_ references: [ItemReference]) throws -> [UUID] {
    var found: [ItemReference: [UUID]] = [:]
    for reference in Set(references) { found[reference] = try ids(beginningWith: reference) }
    let partial = found.keys.filter { $0.digits.utf8.count < 32 }
    if !partial.isEmpty {
      for id in try ids(Query<SavedItem>()) {
        for reference in partial where reference.isEnd(of: id) && found[reference]?.contains(id) == false {
          found[reference]?.append(id)
        }
      }
    }
    return try references.map { reference in
      let ids = found[reference] ?? []
      guard let id = ids.first else { throw ItemReferenceError.notFound(reference) }
      if ids.count > 1 { throw ItemReferenceError.ambiguous(reference, Array(ids.prefix(5))) }
      return id
    }
  }

  private func ids(beginningWith reference: ItemReference) throws -> [UUID] {
    let range = reference.range
    return try ids(
      Query<SavedItem> { $0.id >= range.lowerBound && $0.id <= range.upperBound }.limit(5))
  }
}
