#if SQLite
import Foundation
import SaverCore
import Testing

/// Updates spare the indexes whose values stay as they are; `SQLiteCostTests` counts the pages.
@Suite struct SQLiteUpdatingTests {
  let folder = TestFolder()
  private static let day = Date(timeIntervalSince1970: 1_700_000_000)

  /// Each change of a field, alone and with others, is there afterwards: in the row and in all indexes.
  @Test func whateverChangesIsStored() throws {
    let changes: [(inout Sample) -> Void] = [
      { _ in }, { $0.text = "Other" }, { $0.text = "TEXT" }, { $0.text = "" }, { $0.title = "title" },
      { $0.title = nil },
      { $0.tags = ["a", "b"] }, { $0.kind = .link }, { $0.count = 7 }, { $0.rank = 3 }, { $0.rank = nil },
      { $0.score = -.infinity }, { $0.isDone = true }, { $0.data = Data([0, 1]) }, { $0.createdAt += 1 },
      {
        $0.title = "both"
        $0.createdAt += 60
      },
      {
        $0.text = "a\0b"
        $0.rank = 0
      },
    ]
    let store = try folder.open()
    var samples = changes.indices.map { Sample(text: "text", title: "old", rank: $0 % 2, createdAt: Self.day) }
    try store.write { transaction in
      for sample in samples { try transaction.insert(sample) }
    }
    try store.write { transaction in
      for index in samples.indices {
        changes[index](&samples[index])
        let isThere = try transaction.update(samples[index])
        #expect(isThere, "change \(index)")
      }
    }
    for sample in samples {
      let stored = try store.read { try $0.record(Sample.self, id: sample.id) }
      #expect(stored == sample)
      let key = Query<Sample>(filter: .compare("key", .equal, .text(sample.text.lowercased())))
      let byKey = try store.read { try $0.fetch(key) }
      #expect(byKey.contains(sample), "\(sample.text)")
    }
    for order in [Query<Sample>().sorted(by: \.createdAt), Query<Sample>().sorted(by: \.rank)] {
      let sorted = try store.read { try $0.fetch(order) }
      #expect(Set(sorted) == Set(samples))
    }
    #expect(try folder.shell("PRAGMA integrity_check") == "ok")
    #expect(try folder.shell("SELECT count(*) FROM sample WHERE key IS NULL") == "0")
    // One that changed nothing was an update all the same.
    let updates = try folder.shell("SELECT count(*) FROM saver_history WHERE kind = 'update'")
    #expect((Int(updates) ?? 0) >= samples.count)
  }

  @Test func aRecordThatIsGoneIsNotUpdated() throws {
    let store = try folder.open()
    let sample = Sample(text: "text")
    #expect(try store.write { try $0.update(sample) } == false)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 0)
  }

  /// A derived value that another program has left out is there after an update that does not touch its source.
  @Test func aValueThatWasLeftOutIsFilledIn() throws {
    let store = try folder.open()
    var sample = Sample(text: "Text")
    try store.write { try $0.insert(sample) }
    try folder.shell("UPDATE sample SET key = NULL")
    sample.title = "title"
    #expect(try store.write { try $0.update(sample) })
    #expect(try folder.shell("SELECT key || ' ' || title FROM sample") == "text title")
  }

  /// An update that leaves everything as it was is one, whichever columns the indexes have.
  @Test func anUpdateThatChangesNothingIsLogged() throws {
    struct Word: Record {
      var id: UUID
      var text: String
      static let schema = Schema(
        "word", version: 1, Field("id", \Self.id), Field("text", \.text, indexed: true),
        derived: [DerivedField("key", from: "text", indexed: false) { $0.lowercased() }], make: Word.init(id:text:))
    }
    let store = try folder.open([Word.schema.type])
    let word = Word(id: .version7(), text: "Text")
    try store.write { try $0.insert(word) }
    #expect(try store.write { try $0.update(word) })
    #expect(try folder.shell("SELECT group_concat(kind) FROM saver_history") == "insert,update")
  }
}
#endif
