#if LMDB
import CLMDB
import Foundation
import Glibc
import SaverCore
@testable import SaverLMDB
import Testing

@Suite struct LMDBWritingTests {
  let folder = TestFolder()

  private func environment(_ store: Store) throws -> Environment {
    try #require(store.engine as? LMDBEngine).environment
  }

  // MARK: The map

  @Test func aFullMapNamesItsSettingAndLosesNothing() throws {
    let store = try folder.open(mapSize: 1 << 20)
    try store.write { try $0.insert(Sample(text: "first")) }
    do {
      try store.write { transaction in
        for _ in 0..<1_000 { try transaction.insert(Sample(text: String(repeating: "x", count: 10_000))) }
      }
      Issue.record("two megabytes fit into one")
    } catch let error as StorageError {
      #expect(error.code == .full && error.message.contains("lmdb.mapSizeMaxGiB"))
    }
    // A transaction that swallows the failure has not been made either.
    #expect(
      code {
        try store.write { transaction in
          for _ in 0..<1_000 { try? transaction.insert(Sample(text: String(repeating: "x", count: 10_000))) }
        }
      } == .full)
    try store.write { try $0.insert(Sample(text: "second")) }
    #expect(Set(try store.read { try $0.fetch(Query<Sample>()).map(\.text) }) == ["first", "second"])
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test(.enabled(if: Python.isAvailable)) func aStoreThatOutgrewTheMapIsMappedAnew() throws {
    let store = try folder.open(mapSize: 1 << 20)
    try store.write { try $0.insert(Sample(text: "a")) }
    try folder.outgrowMap()
    #expect(try store.read { try $0.count(Query<Sample>()) } == 1)
    try store.write { try $0.insert(Sample(text: "b")) }
    #expect(try store.read { try $0.count(Query<Sample>()) } == 2)
  }

  @Test(.enabled(if: Python.isAvailable)) func theMapStaysWhileATransactionIsOpen() throws {
    let store = try folder.open(mapSize: 1 << 20, busyTimeoutMilliseconds: 50)
    try store.write { try $0.insert(Sample(text: "a")) }
    let counts = try store.read { outer in
      try folder.outgrowMap()
      // Would have to wait for the transaction that it is in.
      let refusal = code { _ = try store.read { try $0.count(Query<Sample>()) } }
      return (try outer.count(Query<Sample>()), refusal)
    }
    #expect(counts.0 == 1 && counts.1 == .busy)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 1)
  }

  @Test(.disabled(if: getenv("SAVER_SANITIZER") != nil, "A sanitizer needs the address space for itself."))
  func theMapIsHalvedWhereAddressSpaceIsShort() async {
    await #expect(processExitsWith: .success) {
      let folder = TestFolder()
      var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
      try #require(setrlimit(__rlimit_resource_t(9), &limit) == 0)  // RLIMIT_AS
      let store = try folder.open()
      try store.write { try $0.insert(Sample(text: "a")) }
      let size = try #require(store.engine as? LMDBEngine).environment.information.me_mapsize
      try #require(size < 8 << 30 && size >= 1 << 30)
    }
  }

  // MARK: Readers

  @Test(.enabled(if: Python.isAvailable)) func slotsOfKilledReadersAreFreed() throws {
    let store = try folder.open()
    try store.write { try $0.insert(Sample(text: "a")) }
    let environment = try environment(store)
    let takeSlots =
      "import os\ne = opened(readonly=True, max_readers=1024)\nt = [e.begin() for i in range(%d)]\nos.kill(os.getpid(), 9)"
    #expect(throws: Python.Failure.self) {
      try Python.run(takeSlots.replacingOccurrences(of: "%d", with: "1"), folder.store)
    }
    #expect(environment.readers().count == 1)
    // One commit leaves it behind, the next finds it so.
    for text in ["b", "c"] { try store.write { try $0.insert(Sample(text: text)) } }
    #expect(environment.readers().isEmpty)
    // All of them: the next reader finds no slot.
    #expect(throws: Python.Failure.self) {
      try Python.run(takeSlots.replacingOccurrences(of: "%d", with: "1024"), folder.store)
    }
    #expect(environment.readers().count == 1_024)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 3)
    #expect(environment.readers().isEmpty)
  }

  @Test func anIdleStoreHoldsNoReaderSlot() throws {
    let store = try folder.open()
    _ = try store.read { try $0.count(Query<Sample>()) }
    #expect(try environment(store).readers().isEmpty)
    let open = try store.read { _ in try environment(store).readers().count }
    #expect(open == 1)
  }

  // MARK: Writing

  @Test func aNestedWriteIsAMistake() async {
    await #expect(processExitsWith: .failure) {
      let store = try TestFolder().open()
      try store.write { _ in try store.write { _ in } }
    }
  }

  @Test func aKilledWriterLeavesNothing() async throws {
    try folder.open().write { try $0.insert(Sample(text: "kept")) }
    let store = try folder.open()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try LMDBBackend.open(
        StoreLocation(base: path + "/store"), types: [Sample.schema.type],
        configuration: LMDBBackend.defaultConfiguration)
      try store.write { transaction in
        for _ in 0..<2_000 { try transaction.insert(Sample(text: String(repeating: "x", count: 1_000))) }
        kill(getpid(), SIGKILL)
      }
    }
    try store.write { try $0.insert(Sample(text: "after")) }
    #expect(try store.read { try $0.count(Query<Sample>()) } == 2)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func readersAndWritersOfManyThreads() async throws {
    let store = try folder.open()
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for turn in 0..<50 {
            #expect(code { try store.write { try $0.insert(Sample(text: "a", rank: writer * 50 + turn)) } } == nil)
            let isWhole = try? store.read { transaction in
              let sorted = try transaction.fetch(Query<Sample>().sorted(by: \.rank))
              return try transaction.count(Query<Sample>()) == sorted.count
            }
            #expect(isWhole == true)
          }
        }
      }
    }
    #expect(try store.read { try $0.count(Query<Sample>()) } == 200)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  // MARK: Other programs

  @Test(.enabled(if: Python.isAvailable)) func entriesWithoutRowsAndRowsWithoutEntriesAreBorne() throws {
    let store = try folder.open()
    let samples = (0..<3).map { Sample(text: "text", rank: $0) }
    try store.write { transaction in for sample in samples { try transaction.insert(sample) } }
    // One row vanishes, one is copied under another id.
    try Python.run(
      """
      e = opened(); d = e.open_db(b'sample')
      with e.begin(write=True) as t:
          keys = [k for k, v in t.cursor(d)]
          t.put(bytes(15) + b'\\x01', t.get(keys[0], db=d), db=d)
          t.delete(keys[1], db=d)
      """, folder.store)
    // Over the rows: the copy is among them, and what was deleted is not.
    #expect(try store.read { try $0.fetch(Query<Sample>().sorted(by: \.rank)).map(\.rank) } == [0, 0, 2])
    let all = try store.read { try $0.fetch(Query<Sample>()) }
    #expect(all.count == 3)
    let problems = try store.inspect(checkingIntegrity: true).problems
    #expect(problems.contains { $0.contains(samples[1].id.hexadecimal) && $0.contains("does not exist") })
    #expect(problems.contains { $0.contains("missing in the index rank") })
    // Writing makes it good.
    try store.write { transaction in
      try transaction.save(samples[1])
      var copy = all[0]
      copy.rank = 9
      try transaction.save(copy)
      _ = try transaction.delete(Sample.self, id: copy.id)
    }
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test(
    .enabled(if: Python.isAvailable),
    arguments: [
      "b''", "b'\\xc0'", "b'\\x81\\x01\\x02'", "t.get(k, db=d)[:30]", "b'\\x93' + t.get(k, db=d)[1:]",
      "t.get(k, db=d).replace(b'hello', b'he\\xfflo')", "b'\\xdd\\xff\\xff\\xff\\xff'",
      "t.get(k, db=d)[:19] + b'\\x80' * 40",
      "t.get(k, db=d)[:19] + b'\\xdb\\xff\\xff\\xff\\xff'",
    ])
  func aDamagedRowIsAnErrorThatNamesIt(value: String) throws {
    let store = try folder.open()
    let sample = Sample(text: "hello")
    try store.write { try $0.insert(sample) }
    try Python.run(
      """
      e = opened(); d = e.open_db(b'sample')
      with e.begin(write=True) as t:
          k = next(iter(t.cursor(d)))[0]; t.put(k, \(value), db=d)
      """, folder.store)
    #expect(code { _ = try store.read { try $0.fetch(Query<Sample>()) } } == .damagedRow)
    #expect(code { _ = try store.read { try $0.fetch(Query<Sample>().sorted(by: \.createdAt)) } } == .damagedRow)
    #expect(try store.read { try $0.ids(Query<Sample>()) } == [sample.id])
    #expect(try !store.inspect(checkingIntegrity: true).problems.isEmpty)
    #expect(try store.read { try $0.count(Query<Sample>(filter: .search(["text", "tags"], "hello"))) } <= 1)
    #expect(try store.write { try $0.delete(Sample.self, id: sample.id) })
    #expect(try store.read { try $0.count(Query<Sample>()) } == 0)
  }
}
#endif
