#if SQLite
import Foundation
import Glibc
import SaverCore
import SaverSQLite
import Testing

/// Another file takes the place of a store that is open.
@Suite struct SQLiteReplacingTests {
  let folder = TestFolder()

  /// A store of these lines at `name`, closed.
  private func make(_ name: String, _ lines: Int, prefix: String) throws -> UUID {
    let store = try folder.open([Line.schema.type], name: name)
    try store.write { transaction in
      for number in 0..<lines { try transaction.insert(Line(text: "\(prefix) \(number)")) }
    }
    return store.identity
  }

  private func open() throws -> Store { try folder.open([Line.schema.type]) }

  private func replace() throws {
    try #require(rename(folder.path + "/other.sqlite", folder.store) == 0)
  }

  private func count(_ store: Store) throws -> Int { try store.read { try $0.count(Query<Line>()) } }

  @Test(arguments: [10, 3_000]) func aReplacementIsOpened(lines: Int) throws {
    let first = try make("store", 500, prefix: "old")
    let second = try make("other", lines, prefix: "new")
    let store = try open()
    let watcher = try store.engine.makeWatcher()
    let before = try watcher.head()
    #expect(try count(store) == 500 && store.identity == first)
    #expect(try watcher.lookAfterStore() == .unchanged)
    try replace()
    #expect(try watcher.lookAfterStore() == .replaced)
    #expect(try watcher.lookAfterStore() == .unchanged)
    let after = try watcher.head()
    #expect(after.token.store == second && after.revision != before.revision && store.identity == second)
    #expect(try store.standing(of: before.token) == .otherStore)
    #expect(try count(store) == lines)
    try store.write { try $0.insert(Line(text: "more")) }
    #expect(try folder.shell("SELECT count(*) FROM line") == "\(lines + 1)")
    try folder.shell("INSERT INTO line(text) VALUES ('x')")
    #expect(try count(store) == lines + 2)
    #expect(try count(try open()) == lines + 2)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func aTransactionOnTheOldFileGoesOn() throws {
    _ = try make("store", 500, prefix: "old")
    _ = try make("other", 10, prefix: "new")
    do {
      let store = try open()
      let watcher = try store.engine.makeWatcher()
      try store.read { transaction in
        #expect(try transaction.count(Query<Line>()) == 500)
        try replace()
        #expect(try watcher.lookAfterStore() == .replaced)
        #expect(try count(store) == 10)
        try store.write { try $0.insert(Line(text: "more")) }
        #expect(try transaction.fetch(Query<Line>()).allSatisfy { $0.text.hasPrefix("old") })
      }
      // The old connection is closed by now; that may not cost the new ones anything.
      for _ in 0..<5 { try store.write { try $0.insert(Line(text: "more")) } }
      try folder.shell("INSERT INTO line(text) VALUES ('x')")
      for _ in 0..<5 { try store.write { try $0.insert(Line(text: "more")) } }
      #expect(try count(store) == 22)
    }
    #expect(try count(try open()) == 22)
    #expect(try open().inspect(checkingIntegrity: true).problems == [])
  }

  @Test func aWriteOpensTheReplacementItself() throws {
    _ = try make("store", 500, prefix: "old")
    let second = try make("other", 10, prefix: "new")
    let store = try open()
    let watcher = try store.engine.makeWatcher()
    _ = try watcher.head()
    try replace()
    try store.write { try $0.insert(Line(text: "more")) }
    #expect(store.identity == second)
    #expect(try count(store) == 11)
    #expect(try watcher.lookAfterStore() == .replaced)
    #expect(try watcher.head().token.store == second)
  }

  @Test func twoHandlesOfOneProcessGoToTheNewFileTogether() throws {
    _ = try make("store", 500, prefix: "old")
    _ = try make("other", 10, prefix: "new")
    let stores = [try open(), try open()]
    for store in stores { #expect(try count(store) == 500) }
    try replace()
    for store in stores { try store.write { try $0.insert(Line(text: "more")) } }
    for store in stores { #expect(try count(store) == 12) }
    for store in stores { try store.write { try $0.insert(Line(text: "more")) } }
    #expect(try folder.shell("SELECT count(*) FROM line") == "14")
    #expect(try stores[0].inspect(checkingIntegrity: true).problems == [])
  }

  /// The log of the old file is emptied, its index not: the new file is larger than that says.
  @Test func whatTheOldIndexSaysIsNotBelieved() throws {
    _ = try make("store", 10, prefix: "old")
    _ = try make("other", 3_000, prefix: "new")
    let store = try open()
    try store.write { try $0.insert(Line(text: "more")) }
    #expect(try folder.shell("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0")
    try replace()
    #expect(try store.engine.makeWatcher().lookAfterStore() == .replaced)
    #expect(try count(store) == 3_000)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func aLogOfTheOldFileIsRefusedUntilItIsAway() throws {
    _ = try make("store", 500, prefix: "old")
    _ = try make("other", 10, prefix: "new")
    let store = try open()
    try store.write { try $0.insert(Line(text: "more")) }
    let watcher = try store.engine.makeWatcher()
    #expect(try count(store) == 501)
    try replace()
    for _ in 0..<2 {
      #expect(code { _ = try watcher.lookAfterStore() } == .replacedStore)
      #expect(code { try store.write { try $0.insert(Line(text: "lost")) } } == .replacedStore)
      // What is open still holds what it held.
      #expect(try count(store) == 501)
    }
    try FileManager.default.moveItem(atPath: folder.store + "-wal", toPath: folder.path + "/old-wal")
    #expect(try watcher.lookAfterStore() == .replaced)
    #expect(try count(store) == 10)
    try store.write { try $0.insert(Line(text: "more")) }
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func aMissingStoreIsMissingUntilItIsBack() throws {
    _ = try make("store", 10, prefix: "old")
    let store = try open()
    let watcher = try store.engine.makeWatcher()
    try #require(rename(folder.store, folder.path + "/away") == 0)
    #expect(try watcher.lookAfterStore() == .missing)
    #expect(code { try store.write { _ in } } == .replacedStore)
    #expect(try count(store) == 10)
    try #require(rename(folder.path + "/away", folder.store) == 0)
    #expect(try watcher.lookAfterStore() == .unchanged)
    try #require(rename(folder.path, folder.path + "-renamed") == 0)
    #expect(try watcher.lookAfterStore() == .missing)
    #expect(code { try store.write { _ in } } != nil)
    try #require(rename(folder.path + "-renamed", folder.path) == 0)
    #expect(try watcher.lookAfterStore() == .unchanged)
    try store.write { try $0.insert(Line(text: "more")) }
  }

  @Test func whatIsNoStoreIsNotOpened() throws {
    _ = try make("store", 10, prefix: "old")
    let store = try open()
    let watcher = try store.engine.makeWatcher()
    try Data("no store".utf8).write(to: URL(fileURLWithPath: folder.path + "/other.sqlite"))
    try replace()
    #expect(code { _ = try watcher.lookAfterStore() } == .foreignFile)
    #expect(code { try store.write { _ in } } == .foreignFile)
    #expect(try count(store) == 10)
    _ = try make("other", 20, prefix: "new")
    try replace()
    #expect(try watcher.lookAfterStore() == .replaced)
    #expect(try count(store) == 20)
  }
}
#endif
