import Foundation
import SaverCore
import SaverKit
import Testing

/// A copy of a store that an earlier version of the project wrote, `Scripts/make-fixtures`.
final class FixtureStore: Sendable {
  let backend: String
  let folder: String

  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

  /// The format versions that there are stores of.
  static let formats: [Int] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? []
    return names.compactMap { $0.hasPrefix("format-") ? Int($0.dropFirst("format-".count)) : nil }.sorted()
  }()

  init(_ backend: String, format: Int) throws {
    self.backend = backend
    folder = FileManager.default.temporaryDirectory.appending(path: "saver-fixture-\(UUID().uuidString)").path
    try FileManager.default.copyItem(
      at: Self.fixtures.appending(path: "format-\(format)"), to: URL(fileURLWithPath: folder))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var file: String { "\(folder)/items.\(backend)" }
  var content: Data? { FileManager.default.contents(atPath: file) }

  func open(_ types: [RecordType] = [SavedItem.schema.type]) throws -> Store {
    try Self.open(backend, "\(folder)/items", types)
  }

  static func open(_ backend: String, _ base: String, _ types: [RecordType]) throws -> Store {
    try open(try BackendRegistry(SharedStore.backends).backend(named: backend), base, types)
  }

  private static func open<Backend: StorageBackend>(
    _: Backend.Type, _ base: String, _ types: [RecordType]
  ) throws -> Store {
    try Backend.open(
      StoreLocation(base: base, creation: .never), types: types, configuration: Backend.defaultConfiguration)
  }

  /// The items as they were listed when the store was written.
  func items() throws -> [SavedItem] {
    struct Item: Decodable {
      var id: UUID
      var text: String
      var title: String?
      var tags: [String]
      var createdAt: String
      var updatedAt: String
    }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/items.json"))
    return try JSONDecoder().decode([Item].self, from: data).map { item in
      SavedItem(
        id: item.id, text: item.text, title: item.title, tags: item.tags,
        createdAt: try style.parse(item.createdAt).wholeMilliseconds,
        updatedAt: try style.parse(item.updatedAt).wholeMilliseconds)
    }
  }

  /// The ends of the history after the fifth change, and at the end.
  func tokens() throws -> [HistoryToken] {
    try String(contentsOfFile: "\(folder)/\(backend).tokens", encoding: .utf8).split(separator: "\n")
      .map { try #require(HistoryToken(String($0))) }
  }
}

/// What the next version of the program might call an item: fields more, one optional and one with a default, and an index.
struct LaterItem: Record, Hashable {
  let id: UUID
  var text: String
  var rating: Int
  var title: String?
  var tags: [String]
  var note: String?
  var createdAt: Date
  var updatedAt: Date

  static let schema = Schema(
    "item", version: 2,
    Field("id", \Self.id),
    Field("text", \.text),
    Field("rating", \.rating, default: 3, indexed: true),
    Field("title", \.title),
    Field("tags", \.tags, default: []),
    Field("note", \.note),
    Field("created_at", \.createdAt, defaultsToNow: true, indexed: true),
    Field("updated_at", \.updatedAt, defaultsToNow: true),
    derived: [DerivedField("duplicate_key", from: "text") { WebLink.duplicateKey(of: $0) ?? "" }],
    make: Self.init(id:text:rating:title:tags:note:createdAt:updatedAt:))

  init(
    id: UUID, text: String, rating: Int, title: String?, tags: [String], note: String?, createdAt: Date, updatedAt: Date
  ) {
    self.id = id
    self.text = text
    self.rating = rating
    self.title = title
    self.tags = tags
    self.note = note
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  init(_ item: SavedItem) {
    self.init(
      id: item.id, text: item.text, rating: 3, title: item.title, tags: item.tags, note: nil,
      createdAt: item.createdAt, updatedAt: item.updatedAt)
  }
}

/// One that has lost a field.
struct LesserItem: Record {
  let id: UUID
  var text: String
  static let schema = Schema(
    "item", version: 2, Field("id", \Self.id), Field("text", \.text), make: Self.init(id:text:))
}
