import FoundationEssentials
import SaverCore

extension Trial {
  func expect(
    _ condition: Bool, _ message: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
  ) throws {
    guard condition else { throw failure(message(), fileID, line) }
  }

  func expectEqual<Value: Equatable>(
    _ found: Value, _ wanted: Value, _ what: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
  ) throws {
    guard found == wanted else { throw failure("\(what()): found \(found), wanted \(wanted)", fileID, line) }
  }

  /// Expects the body to throw a ``StorageError`` of this code whose message has these words.
  func expectError(
    _ code: StorageError.Code, mentioning word: String = "", _ what: @autoclosure () -> String,
    fileID: String = #fileID, line: Int = #line, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as StorageError {
      guard error.code == code else {
        throw failure("\(what()): threw \(error.code.rawValue), wanted \(code.rawValue)", fileID, line)
      }
      guard word.isEmpty || error.message.contains(word) else {
        throw failure("\(what()): the message does not name '\(word)': \(error.message)", fileID, line)
      }
      return
    }
    throw failure("\(what()): threw nothing, wanted \(code.rawValue)", fileID, line)
  }

  /// Expects two lists of records to be the same in every bit, in the same order.
  func expectSame<R: TransparentRecord>(
    _ found: [R], _ wanted: [R], _ what: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
  ) throws {
    if let difference = RecordDifference.describe(found, wanted) {
      throw failure("\(what()): \(difference)", fileID, line)
    }
  }

  /// Expects a query to give what the oracle gives: the same ids in the same order, and the same count.
  func expectAnswer<R: TransparentRecord>(
    _ query: Query<R>, on store: Store, holding records: [R], fileID: String = #fileID, line: Int = #line
  ) throws {
    let (ids, count) = try store.read { (try $0.ids(query), try $0.count(query)) }
    let wanted = QueryOracle.results(of: query, in: records).map(\.id)
    if let difference = RecordDifference.describe(ids: ids, wanted) {
      throw failure("\(query): \(difference)", fileID, line)
    }
    try expectEqual(count, wanted.count, "the count of \(query)", fileID: fileID, line: line)
  }

  /// Expects the same answers of a plain and of an indexed table.
  func expectAnswers(
    _ filters: [Filter], order: [SortKey] = [], fileID: String = #fileID, line: Int = #line
  ) throws {
    let store = try open(with: SpecimenWorld.specimens)
    try store.write { transaction in
      for specimen in SpecimenWorld.specimens { try transaction.insert(IndexedSpecimen(specimen)) }
    }
    let indexed = SpecimenWorld.specimens.map(IndexedSpecimen.init)
    for filter in filters {
      var query = Query<Specimen>(filter: filter)
      query.order = order
      try expectAnswer(query, on: store, holding: SpecimenWorld.specimens, fileID: fileID, line: line)
      var other = Query<IndexedSpecimen>(filter: filter)
      other.order = order
      try expectAnswer(other, on: store, holding: indexed, fileID: fileID, line: line)
    }
  }
}
