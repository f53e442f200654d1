import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let valueChecks: [ConformanceCheck] = [
    ConformanceCheck("value.everyType", "A record of distinct values of every type comes back as it was.") { trial in
      let specimens = SpecimenWorld.specimens
      let store = try trial.open(with: specimens)
      try store.write { transaction in
        for specimen in specimens { try transaction.insert(IndexedSpecimen(specimen)) }
      }
      let (plain, indexed) = try store.read {
        (try $0.fetch(Query<Specimen>()), try $0.fetch(Query<IndexedSpecimen>()))
      }
      let wanted = QueryOracle.results(of: Query(), in: specimens)
      try trial.expectSame(plain, wanted, "without indexes")
      try trial.expectSame(indexed, wanted.map(IndexedSpecimen.init), "with indexes")
    },
    ConformanceCheck("value.ints", "Integers are exact from the least to the greatest.") { trial in
      try roundTrip(trial, ValuePool.ints) { $0.rank = $1 }
    },
    ConformanceCheck("value.negativeZero", "-0.0 becomes 0.0, so that equal numbers are the same.") { trial in
      var specimen = SpecimenWorld.specimens[0]
      specimen.double = -0.0
      specimen.maybeDouble = -0.0
      let store = try trial.open(with: [specimen])
      let found = try store.read { try $0.fetch(Query<Specimen>(filter: .compare("double", .equal, .double(0)))) }
      specimen.double = 0
      specimen.maybeDouble = 0
      try trial.expectSame(found, [specimen], "a negative zero")
    },
    ConformanceCheck("value.texts", "A text comes back byte for byte, whatever is in it.") { trial in
      let texts =
        ValuePool.texts + [
          "\u{0}\u{0}", "café", "cafe\u{301}", "e + \u{301}", "\u{2b07}\u{fe0f}", "\u{200b}", "مرحبا", "\u{202e}abc",
          "\t",
          "\r\n", "\u{1b}]52;c;eA==\u{7}", "\u{9b}2J", "\u{feff}a", "\u{fffe}", "https://example.org/?q=%C3%A9#x",
          "padmé 👩‍👩‍👧‍👦",
        ]
      try roundTrip(trial, texts) { $0.text = $1 }
      try roundTrip(trial, texts) { $0.title = $1 }
    },
    ConformanceCheck("value.longText", "A text of a million bytes comes back, indexed or not.") { trial in
      let long = String(repeating: "0123456789abcde\u{e9}", count: 1 << 16)
      try roundTrip(trial, [long, long + "x", String(repeating: "h", count: 100_000)]) { note, text in
        note.text = text
        note.title = text
      }
    },
    ConformanceCheck("value.emptyIsNotNil", "An empty text, blob or list is no nil.") { trial in
      var specimen = SpecimenWorld.specimens[0]
      (specimen.maybeText, specimen.maybeData, specimen.maybeTags) = ("", Data(), [])
      let store = try trial.open(with: [specimen])
      try store.write { try $0.insert(IndexedSpecimen(specimen)) }
      let (plain, indexed) = try store.read {
        (try $0.fetch(Query<Specimen>()), try $0.fetch(Query<IndexedSpecimen>()))
      }
      try trial.expectSame(plain, [specimen], "empty values")
      try trial.expectSame(indexed, [IndexedSpecimen(specimen)], "empty values, indexed")
    },
    ConformanceCheck("value.blobs", "Bytes come back as they were, from none to a million.") { trial in
      var specimens = Array(SpecimenWorld.specimens.prefix(4))
      specimens[0].data = Data()
      specimens[1].data = Data((0...255).map { UInt8($0) })
      specimens[2].data = Data(repeating: 0, count: 1_000_003)
      specimens[3].maybeData = Data(repeating: 0xa5, count: 70_000)
      let store = try trial.open(with: specimens)
      try trial.expectSame(
        try store.read { try $0.fetch(Query<Specimen>()) }, QueryOracle.results(of: Query(), in: specimens), "bytes")
    },
    ConformanceCheck("value.dates", "Dates of the years 1 to 9999 keep their milliseconds.") { trial in
      // Built in both ways that programs have, and compared by the millisecond: what a Date promises.
      let milliseconds: [Double] = [
        -62_135_596_800_000, -62_135_596_799_999, -1, 0, 1, 978_307_200_001, 1_700_000_000_123, 253_402_300_799_999,
      ]
      for built in [
        { Date(timeIntervalSince1970: $0 / 1000) },
        { Date(timeIntervalSinceReferenceDate: ($0 - 978_307_200_000) / 1000) },
      ] as [(Double) -> Date] {
        var notes = milliseconds.map { _ in NoteWorld.note() }
        for (index, value) in milliseconds.enumerated() {
          notes[index] = Note(id: .version7(), text: "", createdAt: built(value), remindAt: built(value))
        }
        let store = try trial.open("dates", [Note.recordType])
        try store.write { transaction in
          try transaction.delete(Query<Note>())
          for note in notes { try transaction.insert(note) }
        }
        let found = try store.read { try $0.fetch(Query<Note>().sorted(by: \.createdAt)) }
        try trial.expectEqual(
          found.map { ($0.createdAt.timeIntervalSince1970 * 1000).rounded() }, milliseconds, "milliseconds")
        try trial.expect(found.allSatisfy { $0.createdAt == $0.remindAt }, "two equal dates differ after reading")
      }
    },
    ConformanceCheck("value.infiniteDates", "The distant past and future are dates like others.") { trial in
      var specimens = Array(SpecimenWorld.specimens.prefix(3))
      specimens[0].date = Date(timeIntervalSince1970: -.infinity)
      specimens[1].date = Date(timeIntervalSince1970: .infinity)
      let store = try trial.open(with: specimens)
      var query = Query<Specimen>()
      query.order = [SortKey(field: "date")]
      try trial.expectAnswer(query, on: store, holding: specimens)
    },
    ConformanceCheck("value.lists", "A list of texts keeps its elements, their order and their number.") { trial in
      let long = [(0..<300).map { "tag number \($0)" }, [String(repeating: "t", count: 5_000)]]
      try roundTrip(trial, ValuePool.lists + long) { $0.tags = $1 }
    },
    ConformanceCheck("value.repeatedLists", "Lists that resemble each other are not confused.") { trial in
      let lists = (0..<120).map { ["abcdefgh", "x\($0 % 60)y", "ijklmnop"] }
      try roundTrip(trial, lists) { $0.tags = $1 }
    },
    ConformanceCheck("value.nan", "NaN is refused as invalidRecord, naming the field, and nothing is stored.") {
      trial in
      let store = try trial.open()
      for (field, change) in [
        ("double", { $0.double = .nan }),
        ("maybe_double", { $0.maybeDouble = -.nan }),
        ("date", { $0.date = Date(timeIntervalSince1970: .nan) }),
        ("maybe_date", { $0.maybeDate = Date(timeIntervalSince1970: .signalingNaN) }),
      ] as [(String, (inout Specimen) -> Void)] {
        var specimen = SpecimenWorld.specimens[0]
        change(&specimen)
        let record = specimen
        try trial.expectError(.invalidRecord, mentioning: field, "inserting NaN") {
          try store.write { try $0.insert(record) }
        }
        try trial.expectError(.invalidRecord, mentioning: field, "saving NaN, indexed") {
          try store.write { try $0.save(IndexedSpecimen(record)) }
        }
      }
      let counts = try store.read { (try $0.count(Query<Specimen>()), try $0.count(Query<IndexedSpecimen>())) }
      try trial.expect(counts == (0, 0), "something was stored: \(counts)")
    },
    ConformanceCheck("value.nanUpdate", "An update to NaN is refused, and the record stays as it was.") { trial in
      let specimen = SpecimenWorld.specimens[0]
      let store = try trial.open(with: [specimen])
      var changed = specimen
      changed.double = .nan
      changed.text = "changed"
      let record = changed
      try trial.expectError(.invalidRecord, "updating to NaN") { try store.write { _ = try $0.update(record) } }
      try trial.expectSame(try store.read { try $0.fetch(Query<Specimen>()) }, [specimen], "after a refused update")
    },
  ]

  /// Stores a note for each value, and expects to read the same.
  private static func roundTrip<Value>(_ trial: Trial, _ values: [Value], _ set: (inout Note, Value) -> Void) throws {
    let notes = values.map { value in
      var note = NoteWorld.note()
      set(&note, value)
      return note
    }
    let store = try trial.open()
    try store.write { transaction in
      try transaction.delete(Query<Note>())
      for note in notes { try transaction.insert(note) }
    }
    let wanted = QueryOracle.results(of: Query(), in: notes)
    try trial.expectSame(try store.read { try $0.fetch(Query<Note>()) }, wanted, "read in a list")
    for note in wanted {
      let found = try store.read { try $0.record(Note.self, id: note.id) }
      try trial.expectSame(found.map { [$0] } ?? [], [note], "read by its id")
    }
  }
}
