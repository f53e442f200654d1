#if LMDB
import CLMDB
import Foundation
import Glibc
import SaverCore
@testable import SaverLMDB
import Testing

@Suite struct LMDBOpeningTests {
  let folder = TestFolder()

  private func fill(_ count: Int) throws {
    let store = try folder.open()
    try store.write { transaction in
      for number in 0..<count { try transaction.insert(Sample(text: "text \(number)", rank: number)) }
    }
  }

  // MARK: What is no store

  @Test(arguments: [
    Data(), Data("a text\n".utf8), Data((0..<20_000).map { _ in UInt8.random(in: 0...255) }),
    Data("SQLite format 3\0".utf8) + Data(count: 8_192), Data(count: 16_384), Data([0xde, 0xc0, 0xef, 0xbe]),
  ])
  func aForeignFileIsRefusedAndLeftAlone(content: Data) throws {
    try content.write(to: URL(fileURLWithPath: folder.store))
    #expect(code { _ = try folder.open() } == .foreignFile)
    #expect(folder.content == content && folder.names == ["store.lmdb"])
  }

  @Test func aFolderIsRefused() throws {
    try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: false)
    #expect(code { _ = try folder.open() } == .foreignFile)
    #expect(folder.names == ["store.lmdb"])
  }

  @Test func aPipeIsRefused() throws {
    #expect(mkfifo(folder.store, 0o600) == 0)
    #expect(code { _ = try folder.open() } == .foreignFile)
  }

  @Test(.enabled(if: Python.isAvailable)) func anotherProgramsEnvironmentIsRefusedAndLeftAlone() throws {
    try Python.run("e = opened()\nwith e.begin(write=True) as t: t.put(b'a', b'b' * 10000)", folder.store)
    try FileManager.default.removeItem(atPath: folder.store + "-lock")
    let content = folder.content
    #expect(code { _ = try folder.open() } == .foreignFile)
    #expect(folder.content == content && folder.names == ["store.lmdb"])
  }

  @Test(.enabled(if: Python.isAvailable), arguments: ["0", "7"]) func anotherFormatIsRefused(version: String) throws {
    try fill(1)
    try Python.run(
      """
      e = opened(); d = e.open_db(b'saver')
      with e.begin(write=True) as t: t.put(b'format', sys.argv[2].encode(), db=d)
      """, folder.store, version)
    let content = folder.content
    #expect(code { _ = try folder.open() } == .unsupportedFormat)
    #expect(folder.content == content)
  }

  @Test func neverMeansNothingIsMade() {
    #expect(code { _ = try folder.open(creation: .never) } == .noSuchStore)
    #expect(folder.names == [])
  }

  // MARK: Damage

  @Test func aTruncatedStoreIsRefusedAndLeftAlone() throws {
    try fill(3_000)
    let whole = try #require(folder.content)
    for size in [whole.count / 2, whole.count / 4, 4_096 * 3, 4_096 * 2, 5_000, 4_096, whole.count * 9 / 10] {
      let content = whole.prefix(size)
      try content.write(to: URL(fileURLWithPath: folder.store))
      #expect(code { _ = try folder.open() } == .corrupt, "\(size) of \(whole.count)")
      #expect(folder.content == content)
    }
    try whole.write(to: URL(fileURLWithPath: folder.store))
    #expect(try folder.open().read { try $0.count(Query<Sample>()) } == 3_000)
  }

  /// Pages at the end that a transaction took and gave back are never written: such a file is whole.
  @Test(.enabled(if: Python.isAvailable)) func aFileThatIsShorterThanItsPagesCanBeWhole() throws {
    try Python.run(
      """
      import os, random
      random.seed(29); keys = []; short = 0
      e = opened(map_size=1<<30, sync=False); d = e.open_db(b'saver')
      with e.begin(write=True) as t: t.put(b'format', b'0', db=d)
      for turn in range(400):
          with e.begin(write=True) as t:
              for i in range(random.choice([1, 3, 50, 300])):
                  if random.random() < 0.5 or not keys:
                      keys.append(random.randbytes(16)); t.put(keys[-1], random.randbytes(random.choice([20, 900, 5000])))
                  else: t.delete(keys.pop(random.randrange(len(keys))))
          if os.stat(sys.argv[1]).st_size < (e.info()['last_pgno'] + 1) * 4096:
              short += 1; os.system('cp "%s" "%s.%d"' % (sys.argv[1], sys.argv[1], turn))
      print(short)
      """, folder.store)
    let copies = folder.names.filter { $0.hasPrefix("store.lmdb.") }
    #expect(!copies.isEmpty)
    for copy in copies {
      let pages = try PageFile(path: "\(folder.path)/\(copy)")
      #expect(pages.meta.lastPage >= UInt64(pages.size / pages.pageSize))
      try pages.requireAllPages()
      try pages.walk()
    }
  }

  @Test func aFlippedBitInAPageIsFoundByTheInspection() throws {
    try fill(3_000)
    let store = try folder.open()
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
    let pages = try PageFile(path: folder.store)
    let root = try #require(try pages.root(ofDatabase: "sample"))
    let handle = try #require(FileHandle(forUpdatingAtPath: folder.store))
    // The number that the page repeats.
    try handle.seek(toOffset: root * UInt64(pages.pageSize) + 2)
    try handle.write(contentsOf: Data([0x10]))
    try handle.close()
    #expect(try store.inspect(checkingIntegrity: true).problems.count == 1)
  }

  // MARK: Sharing

  @Test func twoOpeningsShareOneEnvironment() throws {
    let one = try folder.open()
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/alias.lmdb", withDestinationPath: folder.store)
    let other = try LMDBBackend.open(
      StoreLocation(base: folder.path + "/alias"), types: [Sample.schema.type],
      configuration: LMDBBackend.defaultConfiguration)
    #expect(one.identity == other.identity)
    let (first, second) = try (#require(one.engine as? LMDBEngine), #require(other.engine as? LMDBEngine))
    #expect(first.environment === second.environment)
    try one.write { try $0.insert(Sample(text: "a")) }
    try other.write { try $0.insert(Sample(text: "b")) }
    #expect(try one.read { try $0.count(Query<Sample>()) } == 2)
  }

  @Test func theEnvironmentIsClosedWithItsLastStore() throws {
    for _ in 0..<50 {
      let store = try folder.open()
      try store.write { try $0.insert(Sample(text: "a")) }
    }
    let identity = try #require(try FileIdentity(path: folder.store))
    #expect(EnvironmentRegistry.existing(identity) == nil)
    #expect(try folder.open().read { try $0.count(Query<Sample>()) } == 50)
  }

  @Test func manyProcessesMakeOneStore() async throws {
    let path = folder.path
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
            let store = try LMDBBackend.open(
              StoreLocation(base: path + "/store"), types: [Sample.schema.type],
              configuration: LMDBBackend.defaultConfiguration)
            for turn in 0..<5 { try store.write { try $0.insert(Sample(text: "\(number) \(turn)")) } }
          }
        }
      }
    }
    let store = try folder.open(creation: .never)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 80)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
    #expect(folder.names == ["store.lmdb", "store.lmdb-lock", "store.lmdb-notify", "store.lmdb-writer"])
  }

  @Test func filesAreTheOwnersAlone() throws {
    _ = try folder.open()
    for name in folder.names {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
      #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(name)")
    }
  }

  /// A program that was started would be taken for one that has the store open, for as long as it runs.
  @Test func programsThatAreStartedDoNotInheritTheFiles() throws {
    let store = try folder.open()
    try store.write { try $0.insert(Sample(text: "a")) }
    var found = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      guard let descriptor = Int32(name),
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
        path.hasPrefix(folder.store)
      else { continue }
      found += 1
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(path)")
    }
    #expect(found >= 2)
    withExtendedLifetime(store) {}
  }

  // MARK: Replacing

  /// A store put in the place of another that a process has open: the new one is there to its last commit.
  @Test(arguments: [1, 2, 3, 4]) func aReplacedStoreIsOpenedToItsLastCommit(commits: Int) throws {
    let other = TestFolder()
    do {
      let store = try other.open()
      for number in 0..<100 { try store.write { try $0.insert(Sample(text: "\(number)")) } }
    }
    let old = try folder.open()
    for _ in 0..<commits { try old.write { try $0.insert(Sample(text: "old")) } }
    #expect(rename(other.store, folder.store) == 0)
    let new = try folder.open()
    #expect(try new.read { try $0.count(Query<Sample>()) } == 100)
    try new.write { try $0.insert(Sample(text: "new")) }
    #expect(try new.read { try $0.count(Query<Sample>()) } == 101)
    // The old one goes on in it, whatever it does next; a snapshot that is being read is read to its end.
    if commits % 2 == 0 { #expect(try old.read { try $0.count(Query<Sample>()) } == 101) }
    try old.write { try $0.insert(Sample(text: "in the new store")) }
    #expect(old.identity == new.identity)
    #expect(try old.read { try $0.count(Query<Sample>()) } == 102)
    #expect(try new.inspect(checkingIntegrity: true).problems == [])
  }

  /// A file that has other names keeps them when another takes this one.
  @Test func aReplacedStoreWithAnotherNameIsNoticedByReaders() throws {
    let other = TestFolder()
    try other.open().write { try $0.insert(Sample(text: "new")) }
    let old = try folder.open()
    #expect(link(folder.store, folder.path + "/name.lmdb") == 0)
    #expect(try old.read { try $0.count(Query<Sample>()) } == 0)
    #expect(rename(other.store, folder.store) == 0)
    #expect(try old.read { try $0.count(Query<Sample>()) } == 1)
  }

  // MARK: Permission

  @Test func whatMayNotBeUsedIsNamed() async {
    await #expect(processExitsWith: .success) {
      // The modes of files do not bind root.
      if getuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let folder = TestFolder()
      try folder.open().write { try $0.insert(Sample(text: "a")) }
      func refusal() -> StorageError? {
        do { _ = try folder.open() } catch { return error as? StorageError }
        return nil
      }
      chmod(folder.store, 0o400)
      var error = try #require(refusal())
      try #require(error.code == .permission && error.path == folder.store)
      chmod(folder.store, 0o600)
      chmod(folder.store + "-lock", 0o400)
      error = try #require(refusal())
      try #require(error.code == .permission && error.path?.hasSuffix("store.lmdb-lock") == true)
      unlink(folder.store + "-lock")
      chmod(folder.path, 0o555)
      error = try #require(refusal())
      try #require(error.code == .permission && error.path == folder.path)
      unlink(folder.store)
      try #require(folder.names == ["store.lmdb", "store.lmdb-notify", "store.lmdb-writer"])
      chmod(folder.path, 0o755)
      try #require(try folder.open().read { try $0.count(Query<Sample>()) } == 1)
    }
  }

  // MARK: Configuration

  @Test func theMapSizeIsCheckedAgainstItsRange() throws {
    let decode = { (text: String) in
      try JSONDecoder().decode(LMDBBackend.Configuration.self, from: Data(text.utf8)).mapSizeMaxGiB
    }
    #expect(try decode("{}") == 64)
    #expect(try decode(#"{"mapSizeMaxGiB": 3}"#) == 3)
    for size in [0, -1, 16_385] {
      #expect(throws: DecodingError.self) { try decode(#"{"mapSizeMaxGiB": \#(size)}"#) }
      let configuration = LMDBBackend.Configuration(mapSizeMaxGiB: size)
      let location = StoreLocation(base: folder.path + "/store")
      #expect(
        code { _ = try LMDBBackend.open(location, types: [], configuration: configuration) } == .invalidConfiguration)
    }
    #expect(folder.names == [])
  }

  /// A table of readers that has no blocks gets them; what stands in it and its size, which others count with, stay.
  @Test func anotherProgramsReaderTableIsFilled() throws {
    let path = folder.path + "/other"
    let content = Array("what a reader has written".utf8)
    let descriptor = open(path + "-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0 && ftruncate(descriptor, 200_000) == 0)
    try #require(pwrite(descriptor, content, content.count, 150_000) == content.count)
    var status = stat()
    fstat(descriptor, &status)
    try #require(Int(status.st_blocks) * 512 < 100_000, "the file system has no holes")
    try ReaderTable.fill(for: path)
    fstat(descriptor, &status)
    #expect(status.st_size == 200_000 && Int(status.st_blocks) * 512 >= 200_000)
    var found = [UInt8](repeating: 0, count: content.count)
    #expect(pread(descriptor, &found, found.count, 150_000) == found.count && found == content)
    close(descriptor)
    // One that is not there is not made, and one that is no file is left alone.
    try ReaderTable.fill(for: folder.path + "/missing")
    #expect(!folder.names.contains("missing-lock"))
    try #require(symlink(path + "-lock", folder.path + "/link-lock") == 0)
    try ReaderTable.fill(for: folder.path + "/link")
  }
}
#endif
