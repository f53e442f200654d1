import FoundationEssentials
import SaverCore
import Testing

struct SchemaMigrationTests {
  @Test func textRoundTrip() throws {
    let stored = StoredSchema(Note.schema.type)
    #expect(
      stored.text
        == """
        record note 2
        field id uuid
        field text string
        field rank int optional
        field tags strings
        index rank
        index text rank
        derived key from text

        """.replacing("index text rank\n", with: "index text rank\nindex key\n"))
    #expect(StoredSchema(parsing: stored.text) == stored)
    #expect(try SchemaMigration(from: stored, to: Note.schema.type) == nil)
  }

  @Test(arguments: [
    "", "record", "record note x\n", "record note 1\nfield id\n", "record note 1\nfield id thing\n", "x y z\n",
    "record no'te 1\nfield id uuid\n", "record note 1\nfield i\"d uuid\n", "record a;b 1\n",
  ])
  func refusesOtherTexts(_ text: String) {
    #expect(StoredSchema(parsing: text) == nil)
  }

  @Test func addsDefaultedAndOptionalFields() throws {
    let stored = try #require(StoredSchema(parsing: "record note 1\nfield text string\nfield id uuid\n"))
    let migration = try #require(try SchemaMigration(from: stored, to: Note.schema.type))
    #expect(migration.columns == [.stored(1), .stored(0), .default(.value(.null)), .default(.value(.texts([])))])
  }

  @Test(arguments: [
    ("record note 3\nfield id uuid\nfield text string\n", "newer"),
    ("record note 1\nfield id uuid\nfield text string\nfield extra int\n", "'extra'"),
    ("record note 1\nfield id uuid\nfield text int\n", "'text' is of type int"),
    ("record note 1\nfield id uuid\nfield text string optional\n", "'text' is optional"),
    ("record note 1\nfield id uuid\n", "'text' is not in the store"),
  ])
  func refuses(_ text: String, _ reason: String) throws {
    let stored = try #require(StoredSchema(parsing: text))
    let error = try #require(throws: StorageError.self) { try SchemaMigration(from: stored, to: Note.schema.type) }
    #expect(error.code == .schemaMismatch)
    #expect(error.message.contains(reason))
  }

  struct Note: Record {
    let id: UUID
    var text: String
    var rank: Int?
    var tags: [String]

    static let schema = Schema(
      "note", version: 2,
      Field("id", \Self.id), Field("text", \.text), Field("rank", \.rank, indexed: true),
      Field("tags", \.tags, default: []),
      indexes: [Index(\Self.text, \Self.rank)],
      derived: [DerivedField("key", from: "text") { $0 }],
      make: Note.init(id:text:rank:tags:))
  }
}
