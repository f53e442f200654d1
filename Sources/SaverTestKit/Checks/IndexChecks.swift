import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let indexChecks: [ConformanceCheck] = [
    ConformanceCheck(
      "index.update", "An updated record is found under its new values in every index, and not under the old."
    ) {
      trial in
      let specimens = SpecimenWorld.specimens
      var records = specimens.map(IndexedSpecimen.init)
      let store = try trial.open(with: records)
      for (index, other) in zip(records.indices, specimens.reversed()) where index % 3 != 0 {
        records[index] = IndexedSpecimen(SpecimenWorld.with(other, id: records[index].id))
      }
      let changed = records
      try store.write { transaction in
        for record in changed { try transaction.update(record) }
      }
      try expectEveryIndex(trial, store, records)
    },
    ConformanceCheck("index.updateOne", "An update of one field leaves the other indexes right.") { trial in
      var records = SpecimenWorld.specimens.map(IndexedSpecimen.init)
      let store = try trial.open(with: records)
      for index in records.indices where index % 2 == 0 {
        records[index].specimen.maybeInt = records[index].specimen.maybeInt == nil ? 42 : nil
      }
      let changed = records
      try store.write { transaction in
        for record in changed { try transaction.update(record) }
      }
      try expectEveryIndex(trial, store, records)
    },
    ConformanceCheck("index.delete", "A deleted record is in no index any more.") { trial in
      var records = SpecimenWorld.specimens.map(IndexedSpecimen.init)
      let store = try trial.open(with: records)
      let gone = records.prefix(20)
      records.removeFirst(20)
      try store.write { transaction in
        for record in gone { try transaction.delete(IndexedSpecimen.self, id: record.id) }
      }
      try expectEveryIndex(trial, store, records)
    },
    ConformanceCheck("index.again", "Changed and changed back, deleted and inserted again, within one transaction.") {
      trial in
      let records = SpecimenWorld.specimens.map(IndexedSpecimen.init)
      let store = try trial.open(with: records)
      try store.write { transaction in
        for (record, other) in zip(records.prefix(20), records.suffix(20)) {
          try transaction.update(IndexedSpecimen(SpecimenWorld.with(other.specimen, id: record.id)))
          if record.specimen.bool {
            try transaction.update(record)
          } else {
            try transaction.delete(IndexedSpecimen.self, id: record.id)
            try transaction.insert(record)
          }
        }
      }
      try expectEveryIndex(trial, store, records)
    },
    ConformanceCheck("index.integrity", "After many changes, an inspection of the whole store finds nothing wrong.") {
      trial in
      var random = RandomGenerator(seed: 11)
      let store = try trial.open(with: SpecimenWorld.specimens.map(IndexedSpecimen.init))
      try store.write { transaction in
        for specimen in SpecimenWorld.specimens.prefix(30) {
          try transaction.update(IndexedSpecimen(SpecimenWorld.specimen(id: specimen.id, &random)))
        }
        try transaction.delete(Query<IndexedSpecimen>(filter: .compare("bool", .equal, .bool(true))))
      }
      try trial.expectEqual(try store.inspect(checkingIntegrity: true).problems, [], "problems")
    },
  ]

  /// Looks a table up by every index: in its order, and for some values of it.
  private static func expectEveryIndex(_ trial: Trial, _ store: Store, _ records: [IndexedSpecimen]) throws {
    for column in SpecimenWorld.orderedColumns {
      var query = Query<IndexedSpecimen>()
      query.order = [SortKey(field: column)]
      try trial.expectAnswer(query, on: store, holding: records)
      for constant in SpecimenWorld.constants(of: column) {
        try trial.expectAnswer(
          Query<IndexedSpecimen>(filter: .compare(column, .equal, constant)), on: store, holding: records)
      }
    }
    var query = Query<IndexedSpecimen>(filter: .compare("maybe_int", .equal, .int(42)))
    query.order = [SortKey(field: "text", descending: true)]
    try trial.expectAnswer(query, on: store, holding: records)
  }
}
