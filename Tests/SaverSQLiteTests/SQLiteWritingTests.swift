#if SQLite
import CSQLite
import Foundation
import Glibc
import SaverCore
import SaverSQLite
import Testing

@Suite struct SQLiteWritingTests {
  let folder = TestFolder()

  @Test func aTakenIDIsToldAndTheTransactionGoesOn() throws {
    let store = try folder.open()
    let sample = Sample(text: "x")
    try store.write { transaction in
      try transaction.insert(sample)
      #expect(code { try transaction.insert(sample) } == .duplicateID)
      try transaction.insert(Sample(text: "y"))
    }
    #expect(try store.read { try $0.count(Query<Sample>()) } == 2)
  }

  @Test func aNumberThatIsNoneIsRefusedByName() throws {
    let store = try folder.open()
    let error = #expect(throws: StorageError.self) {
      try store.write { try $0.insert(Sample(text: "x", score: .nan)) }
    }
    #expect(error?.code == .invalidRecord && error?.message.contains("'score'") == true)
  }

  @Test func whatThrowsChangesNothing() throws {
    struct Stop: Error {}
    let store = try folder.open()
    #expect(throws: Stop.self) {
      try store.write { transaction in
        try transaction.insert(Sample(text: "x"))
        throw Stop()
      }
    }
    #expect(try store.read { try $0.count(Query<Sample>()) } == 0)
  }

  @Test func aReaderSeesWhatWasThereWhenItBegan() throws {
    let store = try folder.open()
    try store.read { transaction in
      try store.write { try $0.insert(Sample(text: "later")) }
      let count = try transaction.count(Query<Sample>())
      #expect(count == 0)
    }
  }

  @Test func theLogDoesNotGrowWithoutEnd() throws {
    let store = try folder.open()
    for round in 0..<40 {
      try store.write { transaction in
        for number in 0..<200 { try transaction.insert(Sample(text: "text \(round) \(number)")) }
      }
    }
    let size = try #require(FileManager.default.attributesOfItem(atPath: folder.store + "-wal")[.size] as? Int)
    #expect(size < 3_000 * 4_120)
    // What was checkpointed is in the file.
    let file = try #require(FileManager.default.attributesOfItem(atPath: folder.store)[.size] as? Int)
    #expect(file > 100_000)
  }

  @Test func theLastCloseLeavesOneFile() throws {
    do {
      let store = try folder.open()
      try store.write { try $0.insert(Sample(text: "x")) }
      #expect(folder.names.contains("store.sqlite-wal"))
    }
    #expect(folder.names == ["store.sqlite", "store.sqlite-writer", "store.sqlite-notify"])
  }

  @Test func aForeignWriterIsWaitedForUntilTheDeadline() throws {
    let store = try folder.open(busyTimeoutMilliseconds: 100)
    var foreign: OpaquePointer?
    try #require(sqlite3_open(folder.store, &foreign) == SQLITE_OK)
    defer { sqlite3_close(foreign) }
    try #require(sqlite3_exec(foreign, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    let start = ContinuousClock.now
    #expect(code { try store.write { _ in } } == .busy)
    #expect(ContinuousClock.now - start >= .milliseconds(100))
    try #require(sqlite3_exec(foreign, "COMMIT", nil, nil, nil) == SQLITE_OK)
    try store.write { try $0.insert(Sample(text: "x")) }
  }

  @Test func manyThreadsOfManyStoresWriteAndRead() async throws {
    let first = try folder.open()
    let path = folder.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<6 {
        group.addTask {
          let store =
            thread % 2 == 0
            ? first
            : try SQLiteBackend.open(
              StoreLocation(base: path + "/store"), types: [Sample.schema.type],
              configuration: SQLiteBackend.defaultConfiguration)
          for number in 0..<50 {
            try store.write { try $0.insert(Sample(text: "\(thread) \(number)")) }
            let count = try store.read { try $0.count(Query<Sample>(filter: .hasPrefix("text", "\(thread) "))) }
            #expect(count == number + 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try first.read { try $0.count(Query<Sample>()) } == 300)
    #expect(try first.inspect(checkingIntegrity: true).problems == [])
  }

  /// Sixteen processes open a store that does not exist, at once.
  @Test func processesThatMakeAStoreAtOnceAllSucceed() async throws {
    let path = folder.path
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
            let store = try SQLiteBackend.open(
              StoreLocation(base: path + "/store"), types: [Sample.schema.type],
              configuration: SQLiteBackend.defaultConfiguration)
            for turn in 0..<5 { try store.write { try $0.insert(Sample(text: "\(number) \(turn)")) } }
          }
        }
      }
    }
    let store = try folder.open(creation: .never)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 80)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func aWriteWithinAWriteIsAMistake() async {
    await #expect(processExitsWith: .failure) {
      let store = try TestFolder().open()
      try store.write { _ in try store.write { _ in } }
    }
  }
}
#endif
