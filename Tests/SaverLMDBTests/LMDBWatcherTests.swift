#if LMDB
import CLMDB
import Foundation
import Glibc
import SaverCore
@testable import SaverLMDB
import Testing

@Suite struct LMDBWatcherTests {
  let folder = TestFolder()

  private func head(_ watcher: any EngineWatcher) throws -> HistoryHead {
    var head: HistoryHead?
    try watcher.read { head = try $0.historyHead() }
    return try #require(head)
  }

  private func fill(_ store: Store, _ count: Int) throws {
    for number in 0..<count { try store.write { try $0.insert(Sample(text: "\(number)")) } }
  }

  @Test func aRevisionMovesWithEachCommitAndHoldsNothingMeanwhile() throws {
    let store = try folder.open()
    let watcher = try store.engine.makeWatcher()
    let environment = try #require(store.engine as? LMDBEngine).environment
    var last = try head(watcher)
    for _ in 0..<3 {
      #expect(try head(watcher) == last && watcher.lookAfterStore() == .unchanged)
      #expect(environment.readers().isEmpty)
      try fill(store, 1)
      let next = try head(watcher)
      #expect(next.revision != last.revision && next.token.sequence == last.token.sequence + 1)
      last = next
    }
  }

  // MARK: Readers

  /// Who reads again and again keeps a place, and one who reads once does not.
  @Test func aWatchedStoreKeepsOnePlaceForItsReaders() throws {
    func watch(_ store: Store) throws {
      let environment = try #require(store.engine as? LMDBEngine).environment
      _ = try store.read { try $0.count(Query<Sample>()) }
      #expect(environment.takenPlaces().count == 0)
      let watcher = try store.engine.makeWatcher()
      for number in 0..<3 {
        try watcher.read { _ in
          // A commit in between, which the next snapshot must see.
          try fill(store, 1)
          let count = try store.read { try $0.count(Query<Sample>()) }
          let open = environment.readers().count
          #expect(count == number + 1 && open == 1)
        }
        #expect(environment.readers().isEmpty && environment.takenPlaces().count == 1)
      }
    }
    do { try watch(try folder.open()) }
    // Whoever opens the file next finds the place free.
    let store = try folder.open()
    #expect(try #require(store.engine as? LMDBEngine).environment.takenPlaces().isEmpty)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 3)
  }

  @Test(.enabled(if: Python.isAvailable)) func aWatcherReadsOnWhenTheStoreOutgrowsTheMap() throws {
    let store = try folder.open(mapSize: 1 << 20)
    let watcher = try store.engine.makeWatcher()
    try fill(store, 1)
    #expect(try head(watcher).token.sequence == 1)
    try folder.outgrowMap()
    #expect(try head(watcher).token.sequence == 1)
    try fill(store, 1)
    // The foreign commit has an entry of its own.
    let last = try head(watcher).token
    #expect(try last.sequence == 3 && last == store.read { try $0.token() })
  }

  // MARK: Memory

  /// Reading takes pages of the map into the process's memory; who follows a store gives them back when they have become
  /// many, and reads on.
  @Test func manyPagesThatWereReadDoNotStay() throws {
    let store = try folder.open()
    try store.write { transaction in
      for number in 0..<20_000 {
        try transaction.insert(Sample(text: "\(number) " + String(repeating: "x", count: 1_500)))
      }
    }
    let watcher = try store.engine.makeWatcher()
    let all = try Selection(Sample.schema.type)
    let column = try #require(all.type.fields.firstIndex { $0.name == "text" })
    var texts: [[String]] = [[], []]
    for turn in texts.indices {
      try watcher.read { transaction in
        try transaction.scan(all) { row in
          texts[turn].append(try row[column])
          return true
        }
      }
      #expect(try residentKibibytes(folder.store) > 32_000)
      watcher.didPublish()
      #expect(try residentKibibytes(folder.store) < 1_000)
    }
    #expect(texts[0].count == 20_000 && texts[0] == texts[1])
  }

  /// A turn does not wait for pages that the one before has given away.
  @Test(arguments: [100, 6_000]) func pagesOfASmallStoreStay(count: Int) throws {
    let store = try folder.open()
    try store.write { transaction in
      for number in 0..<count {
        try transaction.insert(Sample(text: "\(number) " + String(repeating: "x", count: 800)))
      }
    }
    let watcher = try store.engine.makeWatcher()
    let all = try Selection(Sample.schema.type)
    for _ in 0..<3 {
      try watcher.read { try $0.scan(all) { _ in true } }
      let before = try residentKibibytes(folder.store)
      watcher.didPublish()
      #expect(try residentKibibytes(folder.store) == before && before > count / 2)
    }
  }

  /// How much of a file is in the memory of this process.
  private func residentKibibytes(_ path: String) throws -> Int {
    let inode = try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
    var kibibytes = 0
    var isTheFile = false
    // It comes in parts, of which reading it as a file of a size would see the first only.
    let content = try #require(try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps")).readToEnd())
    for line in String(decoding: content, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.first?.contains("-") == true {
        // Addresses, rights, offset, device, inode, path.
        isTheFile = Int(words[4]) == inode
      } else if isTheFile, words.first == "Rss:" {
        kibibytes += Int(words[1]) ?? 0
      }
    }
    return kibibytes
  }

  // MARK: Replacement

  @Test func aReplacedStoreIsOpenedForTheWholeEngine() throws {
    let other = TestFolder()
    do { try fill(try other.open(), 7) }
    let store = try folder.open()
    try fill(store, 2)
    let watcher = try store.engine.makeWatcher()
    let (before, identity) = (try head(watcher), store.identity)
    try store.read { running in
      #expect(rename(other.store, folder.store) == 0)
      let place = try watcher.lookAfterStore()
      // What runs goes on with what it has.
      let (count, token) = (try running.count(Query<Sample>()), try running.token())
      #expect(place == .replaced && count == 2 && token == before.token)
    }
    #expect(try watcher.lookAfterStore() == .unchanged)
    let after = try head(watcher)
    #expect(store.identity != identity && after.token.store == store.identity)
    #expect(after.token.sequence == 7 && after.revision != before.revision)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 7)
    try store.write { try $0.insert(Sample(text: "in the new one")) }
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
    // The old file is closed once nothing runs on it.
    #expect(EnvironmentRegistry.isOnlyUse(of: try #require(store.engine as? LMDBEngine).environment))
    #expect(try folder.open().read { try $0.count(Query<Sample>()) } == 8)
  }

  @Test func theWatcherHearsOfAReplacementThatAWriteNoticedFirst() throws {
    let other = TestFolder()
    do { try fill(try other.open(), 7) }
    let store = try folder.open()
    let watcher = try store.engine.makeWatcher()
    #expect(rename(other.store, folder.store) == 0)
    try store.write { try $0.insert(Sample(text: "x")) }
    #expect(try head(watcher).token.sequence == 8)
    #expect(try watcher.lookAfterStore() == .replaced)
    #expect(try watcher.lookAfterStore() == .unchanged)
  }

  @Test func aStoreThatIsGoneIsMissingUntilItIsBack() throws {
    let store = try folder.open()
    try fill(store, 2)
    let watcher = try store.engine.makeWatcher()
    #expect(rename(folder.store, folder.path + "/aside") == 0)
    #expect(try watcher.lookAfterStore() == .missing)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 2)
    #expect(code { try store.write { try $0.insert(Sample(text: "lost")) } } == .replacedStore)
    // What is no store is no replacement.
    try Data("something else".utf8).write(to: URL(fileURLWithPath: folder.store))
    #expect(code { _ = try watcher.lookAfterStore() } == .foreignFile)
    #expect(code { try store.write { try $0.insert(Sample(text: "lost")) } } == .foreignFile)
    #expect(rename(folder.path + "/aside", folder.store) == 0)
    #expect(try watcher.lookAfterStore() == .unchanged)
    try fill(store, 1)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 3)
  }

  @Test func manyThreadsAdoptOneReplacement() async throws {
    let other = TestFolder()
    do { try fill(try other.open(), 7) }
    let store = try folder.open()
    try fill(store, 2)
    #expect(rename(other.store, folder.store) == 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10 { #expect(code { try store.write { try $0.insert(Sample(text: "a")) } } == nil) }
        }
      }
    }
    #expect(try store.read { try $0.count(Query<Sample>()) } == 87)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  // MARK: Killed writers

  private static let compiler = "/usr/bin/cc"

  /// A library that kills the process as soon as a meta page is written: before readers are told.
  private func shim() throws -> String {
    let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <signal.h>
      #include <sys/types.h>
      #include <unistd.h>
      static ssize_t wrote(const char *name, int file, const void *bytes, size_t count, off_t place) {
        ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
        ssize_t result = real(file, bytes, count, place);
        if (place < 8192 && count < 4096) kill(getpid(), SIGKILL);
        return result;
      }
      ssize_t pwrite(int f, const void *b, size_t c, off_t p) { return wrote("pwrite", f, b, c, p); }
      ssize_t pwrite64(int f, const void *b, size_t c, off_t p) { return wrote("pwrite64", f, b, c, p); }
      """
    let (file, library) = (folder.path + "/shim.c", folder.path + "/shim.so")
    try Data(source.utf8).write(to: URL(fileURLWithPath: file))
    _ = try Python.run(Self.compiler, ["-shared", "-fPIC", "-o", library, file, "-ldl"])
    return library
  }

  @Test(.enabled(if: Python.isAvailable && access(compiler, X_OK) == 0))
  func aCommitThatAKilledWriterLeftHiddenIsShown() throws {
    let store = try folder.open()
    try fill(store, 3)
    let watcher = try store.engine.makeWatcher()
    #expect(try watcher.lookAfterStore() == .unchanged)
    let shim = try shim()
    let before = try head(watcher)
    #expect(throws: Python.Failure.self) {
      try Python.run(
        "/usr/bin/env",
        [
          "LD_PRELOAD=" + shim, try #require(Python.path), "-c",
          """
          import lmdb, sys
          e = lmdb.open(sys.argv[1], subdir=False, max_dbs=64); d = e.open_db(b'sample', create=False)
          id = b'\\xff' * 16
          with e.begin(write=True) as t:
              row = bytes(next(iter(t.cursor(d)))[1]); t.put(id, row[:3] + id + row[19:], db=d)
          """, folder.store,
        ])
    }
    // The trap: the commit is on the disk, and no reader begins at it.
    let environment = try #require(store.engine as? LMDBEngine).environment
    #expect(environment.information.me_last_txnid == Int(before.revision) + 1)
    #expect(try head(watcher) == before)
    // Found once: it could be a commit that is under way. Found twice: it is made good.
    #expect(try watcher.lookAfterStore() == .unchanged)
    #expect(try head(watcher) == before)
    #expect(try watcher.lookAfterStore() == .unchanged)
    let after = try head(watcher)
    #expect(after.hasUnknownChanges && after.revision == before.revision + 1 && after.token == before.token)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 4)
    try fill(store, 1)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  // MARK: Processes

  /// Every commit of every process is in the history of all, once and in order.
  @Test func commitsOfManyProcessesAreOneHistory() async throws {
    let store = try folder.open()
    let path = folder.path
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
            let store = try LMDBBackend.open(
              StoreLocation(base: path + "/store"), types: [Sample.schema.type],
              configuration: LMDBBackend.defaultConfiguration)
            for turn in 0..<25 { try store.write { try $0.insert(Sample(text: "\(number) \(turn)", rank: turn)) } }
          }
        }
      }
    }
    let transactions = try store.transactions()
    #expect(transactions.map(\.sequences) == (1...100).map { Int64($0)...Int64($0) })
    #expect(Set(transactions.map(\.author)).count == 4 && !transactions.contains { $0.author == .foreign })
    #expect(Set(transactions.map(\.nonce)).count == 100)
    #expect(try store.head().hasUnknownChanges == false)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }
}
#endif
