#if LMDB
import Foundation
import Glibc
import SaverCore
import SaverLMDB
import Testing

/// What backups, restores, compacting and forgetting are on LMDB alone.
@Suite struct LMDBMaintenanceTests {
  let folder = TestFolder()

  private func filled(_ count: Int = 5, busyTimeoutMilliseconds: Int = 10_000) throws -> Store {
    let store = try folder.open(busyTimeoutMilliseconds: busyTimeoutMilliseconds)
    for number in 0..<count { try store.write { try $0.insert(Sample(text: "sample \(number)")) } }
    return store
  }

  private func count(_ store: Store) throws -> Int { try store.read { try $0.count(Query<Sample>()) } }

  private func contains(_ text: String) -> [String] {
    folder.names.sorted().filter { name in
      let data = (try? Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))) ?? Data()
      return data.firstRange(of: Data(text.utf8)) != nil
    }
  }

  /// A store that somebody has open can be written while it is read: it is backed up first.
  @Test func aStoreInUseIsNotRestored() throws {
    let store = try filled()
    let other = try LMDBBackend.open(
      StoreLocation(base: folder.path + "/other"), types: [Sample.schema.type],
      configuration: LMDBBackend.defaultConfiguration)
    #expect(code { try store.restore(from: folder.path + "/other", overwriting: true) } == .busy)
    #expect(code { try store.backUp(to: folder.path + "/other", overwriting: true) } == .cannotCreate)
    #expect(try count(store) == 5 && count(other) == 0)
  }

  /// What another program has written behind the history is unknown to the copy, too.
  @Test(.enabled(if: Python.isAvailable)) func aForeignChangeIsUnknownToTheCopy() throws {
    let store = try filled()
    func copy(_ name: String) throws -> HistoryHead {
      try store.backUp(to: folder.path + "/" + name)
      let copy = try LMDBBackend.open(
        StoreLocation(base: folder.path + "/" + name), types: [Sample.schema.type],
        configuration: LMDBBackend.defaultConfiguration)
      let head = try copy.read { try $0.engine.historyHead() }
      try copy.write { try $0.insert(Sample(text: "more")) }
      #expect(try copy.inspect(checkingIntegrity: true).problems == [])
      return head
    }
    #expect(try !copy("first").hasUnknownChanges)
    try Python.run(
      "e = opened(); d = e.open_db(b'sample')\nwith e.begin(write=True) as t: c = t.cursor(db=d); c.first(); c.delete()\n",
      folder.store)
    #expect(try copy("second").hasUnknownChanges)
    try store.write { try $0.insert(Sample(text: "ours")) }
    #expect(try !copy("third").hasUnknownChanges)
  }

  /// A store without any history has no changes that it does not tell of, and nor has its copy.
  @Test func theCopyOfAnEmptyStore() throws {
    let store = try folder.open()
    try store.backUp(to: folder.path + "/copy")
    let copy = try LMDBBackend.open(
      StoreLocation(base: folder.path + "/copy"), types: [Sample.schema.type],
      configuration: LMDBBackend.defaultConfiguration)
    #expect(try !copy.read { try $0.engine.historyHead() }.hasUnknownChanges)
    try copy.restore(from: try store.backUp(to: folder.path + "/again").path)
    #expect(try count(copy) == 0)
  }

  /// A program that uses LMDB alone would go on in the old file: while it has the store open, nothing is done, and it is
  /// named.
  @Test(.enabled(if: Python.isAvailable)) func aForeignProgramIsInTheWay() throws {
    let store = try filled()
    let sample = Sample(text: "a canary that sings")
    try store.write { try $0.insert(sample) }
    let python = Process()
    python.executableURL = URL(fileURLWithPath: Python.path!)
    python.arguments = [
      "-c",
      "import lmdb, sys\ne = lmdb.open(sys.argv[1], subdir=False, max_dbs=64)\nprint('open', flush=True)\nsys.stdin.read()\n",
      folder.store,
    ]
    let (input, output) = (Pipe(), Pipe())
    python.standardInput = input
    python.standardOutput = output
    try python.run()
    defer { python.terminate() }
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("open"))
    let identity = try FileIdentity(path: folder.store)
    do {
      try store.compact()
      Issue.record("the store was compacted under another program")
    } catch let error as StorageError {
      #expect(error.code == .busy && error.message.contains("\(python.processIdentifier)"), "\(error)")
    }
    let report = try store.forget(Sample.self, ids: [sample.id])
    #expect(report.forgotten == [sample.id] && report.remainder?.contains("\(python.processIdentifier)") == true)
    #expect(try count(store) == 5)
    #expect(try FileIdentity(path: folder.store) == identity)
    #expect(folder.names.filter { $0.hasPrefix(".") } == [])
    try input.fileHandleForWriting.close()
    python.waitUntilExit()
    try store.compact()
    #expect(contains("a canary that sings") == [])
    #expect(try FileIdentity(path: folder.store) != identity)
    #expect(try count(store) == 5)
  }

  /// Stores of one process that have the old file open go on with the new one, whatever they do next.
  @Test func everyHandleFollows() throws {
    let store = try filled(3)
    let handles = try (0..<3).map { _ in try folder.open() }
    let watcher = try handles[2].engine.makeWatcher()
    var before: HistoryHead?
    try watcher.read { before = try $0.historyHead() }
    try store.compact()
    try handles[0].write { try $0.insert(Sample(text: "by one who writes")) }
    #expect(try count(handles[1]) == 4, "one who reads")
    #expect(try watcher.lookAfterStore() == .replaced)
    #expect(try watcher.lookAfterStore() == .unchanged)
    var after: HistoryHead?
    try watcher.read { after = try $0.historyHead() }
    #expect(after?.token.sequence == 4 && before?.token.sequence == 3 && after?.hasUnknownChanges == false)
    #expect(try count(store) == 4)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  /// A snapshot that is being read when the file is replaced is read to its end.
  @Test func aReaderReadsOn() throws {
    let store = try filled(3)
    let other = try folder.open()
    try other.read { transaction in
      try store.compact()
      try store.write { try $0.insert(Sample(text: "later")) }
      #expect(try transaction.count(Query<Sample>()) == 3)
      #expect(try transaction.fetch(Query<Sample>()).count == 3)
    }
    #expect(try count(other) == 4)
  }

  /// A file that another program made, a newer format, a damaged page.
  @Test func whatIsNoBackupIsRefused() throws {
    let store = try filled()
    let path = try store.backUp(to: folder.path + "/file").path
    let good = try Data(contentsOf: URL(fileURLWithPath: path))
    let token = try store.read { try $0.token() }
    // No page but the two that say where the others are.
    var bytes = good
    for page in stride(from: 8_192, to: bytes.count, by: 4_096) {
      bytes.replaceSubrange(page..<page + 64, with: Data(repeating: 0xff, count: 64))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(code { try store.restore(from: path, overwriting: true) } == .corrupt)
    bytes = good
    bytes.replaceSubrange(16..<20, with: Data([1, 2, 3, 4]))
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(code { try store.restore(from: path, overwriting: true) } == .foreignFile)
    #expect(try store.read { try $0.token() } == token && count(store) == 5)
    #expect(folder.names.filter { $0.hasPrefix(".") } == [])
    try good.write(to: URL(fileURLWithPath: path))
    try store.restore(from: path, overwriting: true)
    #expect(try count(store) == 5)
  }
}
#endif
