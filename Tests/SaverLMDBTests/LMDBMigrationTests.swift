#if LMDB
import Foundation
import SaverCore
@testable import SaverLMDB
import Testing

private struct Thing1: Record, Hashable {
  var id: UUID
  var text: String
  var rank: Int
  static let schema = Schema(
    "thing", version: 1, Field("id", \Self.id), Field("text", \.text, indexed: true), Field("rank", \.rank),
    make: Thing1.init(id:text:rank:))
}

private struct Thing2: Record, Hashable {
  var id: UUID
  var isDone: Bool
  var rank: Int?
  var text: String
  var note: String?
  var tags: [String]
  static let schema = Schema(
    "thing", version: 2, Field("id", \Self.id), Field("is_done", \.isDone, default: true),
    Field("rank", \.rank, indexed: true), Field("text", \.text), Field("note", \.note),
    Field("tags", \.tags, default: ["new"]),
    derived: [DerivedField("key", from: "text") { $0.lowercased() }],
    make: Thing2.init(id:isDone:rank:text:note:tags:))
}

private struct Thing3: Record {
  var id: UUID
  var text: String
  static let schema = Schema(
    "thing", version: 3, Field("id", \Self.id), Field("text", \.text), make: Thing3.init(id:text:))
}

@Suite struct LMDBMigrationTests {
  let folder = TestFolder()

  private func fill() throws -> [Thing1] {
    let things = (0..<700).map { Thing1(id: .version7(), text: "Text \($0)", rank: 699 - $0) }
    let store = try folder.open([Thing1.schema.type, Sample.schema.type])
    try store.write { transaction in
      for thing in things { try transaction.insert(thing) }
      try transaction.insert(Sample(text: "left alone"))
    }
    return things
  }

  @Test func rowsAndIndexesAreWrittenAnew() throws {
    let things = try fill()
    let store = try folder.open([Thing2.schema.type])
    let expected = things.map {
      Thing2(id: $0.id, isDone: true, rank: $0.rank, text: $0.text, note: nil, tags: ["new"])
    }
    #expect(try store.read { try $0.fetch(Query<Thing2>()) } == expected)
    let byRank = Query<Thing2>().sorted(by: \.rank)
    #expect(try store.read { try $0.fetch(byRank) } == expected.reversed())
    #expect(try store.read { try $0.explain(byRank).index } == "rank")
    #expect(try store.read { try $0.count(Query<Thing2>(filter: .compare("key", .equal, .text("text 7")))) } == 1)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
    let pages = try PageFile(path: folder.store)
    #expect(try pages.root(ofDatabase: "thing.text") == nil, "the index that was dropped")
    #expect(try pages.root(ofDatabase: "thing.key") != nil)
    // A type that this program does not know.
    #expect(try folder.open().read { try $0.fetch(Query<Sample>()).map(\.text) } == ["left alone"])
  }

  @Test func aTypeIsAdded() throws {
    _ = try folder.open()
    let store = try folder.open([Sample.schema.type, Thing1.schema.type])
    try store.write { try $0.insert(Thing1(id: .version7(), text: "a", rank: 1)) }
    #expect(try store.read { try $0.count(Query<Thing1>()) } == 1)
  }

  @Test func whatWouldLoseSomethingIsRefusedAndLeavesTheFileAlone() throws {
    _ = try fill()
    _ = try folder.open([Thing2.schema.type])
    let content = folder.content
    #expect(code { _ = try folder.open([Thing1.schema.type]) } == .schemaMismatch)
    #expect(code { _ = try folder.open([Thing3.schema.type]) } == .schemaMismatch)
    #expect(folder.content == content)
  }

  @Test func anOpenStoreOfTheOldSchemaWritesNoMore() throws {
    _ = try fill()
    let old = try folder.open([Thing1.schema.type])
    let new = try folder.open([Thing2.schema.type])
    #expect(code { try old.write { try $0.insert(Thing1(id: .version7(), text: "a", rank: 1)) } } == .schemaMismatch)
    #expect(try new.read { try $0.count(Query<Thing2>()) } == 700)
    #expect(try new.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func manyProcessesMigrateOnce() async throws {
    _ = try fill()
    let path = folder.path
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            let store = try LMDBBackend.open(
              StoreLocation(base: path + "/store"), types: [Thing2.schema.type],
              configuration: LMDBBackend.defaultConfiguration)
            try #require(try store.read { try $0.fetch(Query<Thing2>().sorted(by: \.rank)).count } == 700)
          }
        }
      }
    }
    #expect(try folder.open([Thing2.schema.type]).inspect(checkingIntegrity: true).problems == [])
  }

  @Test(.enabled(if: Python.isAvailable)) func anIndexThatVanishedIsMadeAnew() throws {
    _ = try fill()
    try Python.run(
      "e = opened(); d = e.open_db(b'thing.text')\nwith e.begin(write=True) as t: t.drop(d)", folder.store)
    let store = try folder.open([Thing1.schema.type])
    #expect(try store.read { try $0.fetch(Query<Thing1>().sorted(by: \.text)).count } == 700)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }
}
#endif
