#if SQLite
import Foundation
import Glibc
import SaverCore
import SaverSQLite
import Testing

@Suite struct SQLiteOpeningTests {
  let folder = TestFolder()

  /// Opens a folder that holds what `make` put there: the code, with the files as they were before.
  private func refusal(_ make: () throws -> Void) throws -> StorageError.Code? {
    try make()
    let names = folder.names
    let content = FileManager.default.contents(atPath: folder.store)
    let code = code { _ = try folder.open() }
    #expect(FileManager.default.contents(atPath: folder.store) == content)
    #expect(folder.names == names)
    return code
  }

  private func put(_ bytes: Data) -> () throws -> Void {
    { try bytes.write(to: URL(fileURLWithPath: folder.store)) }
  }

  @Test func whatIsNoStoreIsRefusedAndNotTouched() throws {
    #expect(try refusal(put(Data())) == .foreignFile)
    #expect(try refusal(put(Data("a text, and long enough for a header\n".utf8))) == .foreignFile)
    var generator = SeededGenerator(seed: 1)
    let random = Data((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    #expect(try refusal(put(random)) == .foreignFile)
  }

  @Test func aFolderInItsPlaceIsRefused() throws {
    #expect(
      try refusal { try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: false) }
        == .foreignFile)
  }

  @Test(arguments: ["DELETE", "WAL"]) func anotherProgramsDatabaseIsRefused(mode: String) throws {
    #expect(
      try refusal { try folder.shell("PRAGMA journal_mode = \(mode); CREATE TABLE t(x); INSERT INTO t VALUES (1)") }
        == .foreignFile)
  }

  @Test func aNewerFormatIsRefused() throws {
    _ = try folder.open()
    #expect(try refusal { try folder.shell("PRAGMA user_version = 99") } == .unsupportedFormat)
  }

  @Test func theFormatWithoutAHistoryIsRefused() throws {
    _ = try folder.open()
    #expect(try refusal { try folder.shell("PRAGMA user_version = 0") } == .unsupportedFormat)
  }

  @Test func aStoreCutInHalfIsDamaged() throws {
    try folder.open().write { transaction in
      for number in 0..<1_000 { try transaction.insert(Sample(text: "text \(number)")) }
    }
    let size = try #require(FileManager.default.contents(atPath: folder.store)?.count)
    #expect(try refusal { truncate(folder.store, size / 2) } == .corrupt)
  }

  @Test func aMissingStoreIsMadeOnlyIfAsked() throws {
    #expect(code { _ = try folder.open(creation: .never) } == .noSuchStore)
    #expect(folder.names == [])
    do { _ = try folder.open() }
    #expect(folder.names == ["store.sqlite", "store.sqlite-writer"])
    _ = try folder.open(creation: .never)
  }

  @Test func aNameThatLooksLikeAnAddressIsAName() throws {
    let store = try SQLiteBackend.open(
      StoreLocation(base: folder.path + "/a?mode=memory #%41"), types: [Sample.schema.type],
      configuration: SQLiteBackend.defaultConfiguration)
    try store.write { try $0.insert(Sample(text: "x")) }
    #expect(folder.names.contains("a?mode=memory #%41.sqlite"))
  }

  @Test func aReplacedStoreWithTheOldLogIsRefused() throws {
    let store = try folder.open()
    try store.write { try $0.insert(Sample(text: "old")) }
    // Something opens it, and is killed: the log stays.
    let log = try #require(FileManager.default.contents(atPath: folder.store + "-wal"))
    try #require(log.count > 0)
    try FileManager.default.copyItem(atPath: folder.store, toPath: folder.store + ".backup")
    try #require(rename(folder.store + ".backup", folder.store) == 0)
    #expect(code { _ = try folder.open() }?.rawValue == "replacedStore")
    #expect(code { try store.write { _ in } }?.rawValue == "replacedStore")
    #expect(FileManager.default.contents(atPath: folder.store + "-wal") == log)
    // With the log out of the way the new file is the store.
    try FileManager.default.removeItem(atPath: folder.store + "-wal")
    try FileManager.default.removeItem(atPath: folder.store + "-shm")
    let replaced = try folder.open()
    try replaced.write { try $0.insert(Sample(text: "new")) }
    #expect(try folder.open().read { try $0.fetch(Query<Sample>()).map(\.text) } == ["new"])
  }

  @Test func aLogWithoutAStoreIsNotPlayedIntoANewOne() throws {
    try Data(repeating: 1, count: 5_000).write(to: URL(fileURLWithPath: folder.store + "-wal"))
    #expect(code { _ = try folder.open() } == .cannotCreate)
    #expect(!folder.names.contains("store.sqlite"))
  }

  @Test func aStoreThatWasTakenOutOfItsModeIsPutBack() throws {
    _ = try folder.open()
    #expect(try folder.shell("PRAGMA journal_mode = DELETE") == "delete")
    _ = try folder.open()
    #expect(try folder.shell("PRAGMA journal_mode") == "wal")
  }

  /// Root may write everywhere: there is nothing to test then.
  @Test(.enabled(if: geteuid() != 0)) func modesAreNamed() throws {
    try folder.open().write { try $0.insert(Sample(text: "x")) }
    chmod(folder.store, 0o400)
    var error = #expect(throws: StorageError.self) { try folder.open() }
    #expect(error?.code == .permission && error?.path == folder.store)
    chmod(folder.store, 0o600)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    error = #expect(throws: StorageError.self) { try folder.open() }
    #expect(error?.code == .permission && error?.path == folder.path)
  }
}
#endif
