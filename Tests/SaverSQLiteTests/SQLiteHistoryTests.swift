#if SQLite
import Foundation
import SaverCore
@testable import SaverSQLite
import Testing

/// The entries of transactions, the tokens, and what they cost.
@Suite struct SQLiteHistoryTests {
  let folder = TestFolder()

  private func open(_ history: HistoryRetention = HistoryRetention()) throws -> Store {
    try folder.open([Line.schema.type], history: history)
  }

  // MARK: Transactions

  @Test func whatAnotherProgramWroteIsClosedByOurNextWrite() throws {
    let store = try open()
    let operation = WriteOperation("share")
    try folder.shell("INSERT INTO line(text) VALUES ('a')")
    try folder.shell("INSERT INTO line(text) VALUES ('b')")
    #expect(try store.transactions() == [])
    let token = try store.token()
    #expect(token.sequence == 2 && token.check != 0)
    try store.write { _ in }
    #expect(try store.transactions() == [])
    try store.write(operation) { try $0.insert(Line(text: "c")) }
    let transactions = try store.transactions()
    try #require(transactions.count == 2)
    #expect(transactions[0].sequences == 1...2 && transactions[0].author == .foreign)
    #expect(transactions[0].nonce == 0 && transactions[0].operation == nil && transactions[0].user == nil)
    #expect(transactions[1].sequences == 3...3 && transactions[1].author == .current)
    #expect(transactions[1].operation == operation && transactions[1].user == ProcessUser.identifier)
    #expect(transactions[1].nonce != 0)
    #expect(try store.token() == HistoryToken(store: store.identity, sequence: 3, check: transactions[1].nonce))
    // A token taken before its entry was closed is as good as it was.
    #expect(try store.standing(of: token) == .usable)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func whatChangesNothingLeavesNothing() throws {
    struct Stop: Error {}
    let store = try open()
    try store.write { try $0.insert(Line(1, "one")) }
    let watcher = try store.engine.makeWatcher()
    let before = try watcher.head()
    try store.write { _ in }
    try store.write { _ = try $0.update(Line(2, "two")) }
    try store.write { try $0.delete(Line.self, id: Line.id(2)) }
    _ = try? store.write { transaction -> Void in
      try transaction.insert(Line(3, "three"))
      try transaction.delete(Line.self, id: Line.id(1))
      throw Stop()
    }
    try store.write { transaction in
      #expect(code { try transaction.insert(Line(1, "again")) } == .duplicateID)
    }
    #expect(try watcher.head() == before)
    #expect(try store.logged() == ["insert 01"])
    #expect(try store.transactions().count == 1)
  }

  // MARK: Tokens

  /// The content is exchanged under the open connections, by another process.
  @Test func aRestoredStoreIsAnotherBranch() throws {
    let store = try open()
    let watcher = try store.engine.makeWatcher()
    for number in 0..<5 { try store.write { try $0.insert(Line(text: "\(number)")) } }
    let early = try store.token()
    try folder.shell(".backup \(folder.path)/backup.sqlite")
    for number in 0..<5 { try store.write { try $0.insert(Line(text: "later \(number)")) } }
    let late = try watcher.head()
    try folder.shell(".restore \(folder.path)/backup.sqlite")
    let restored = try watcher.head()
    #expect(restored.token == early && restored.revision != late.revision && !restored.hasUnknownChanges)
    #expect(try store.standing(of: late.token) == .ahead)
    #expect(try store.read { try $0.count(Query<Line>()) } == 5)
    for number in 0..<10 { try store.write { try $0.insert(Line(text: "other \(number)")) } }
    #expect(try store.standing(of: late.token) == .otherBranch)
    #expect(try store.standing(of: early) == .usable)
    // The same by another program alone: told apart by the digest of its entries.
    try folder.shell("INSERT INTO line(text) VALUES ('x')")
    let foreign = try store.token()
    try folder.shell(".restore \(folder.path)/backup.sqlite")
    for number in 0..<11 { try folder.shell("INSERT INTO line(text) VALUES ('y \(number)')") }
    #expect(try store.token().sequence == foreign.sequence)
    #expect(try store.standing(of: foreign) == .otherBranch)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func anotherStoresContentIsAnotherStore() throws {
    let store = try open()
    try store.write { try $0.insert(Line(1, "one")) }
    let watcher = try store.engine.makeWatcher()
    let token = try watcher.head().token
    let identity = try { () throws -> UUID in
      let other = try folder.open([Line.schema.type], name: "other")
      try other.write { try $0.insert(Line(2, "two")) }
      return other.identity
    }()
    try folder.shell(".restore \(folder.path)/other.sqlite")
    #expect(try watcher.head().token.store == identity)
    #expect(try store.standing(of: token) == .otherStore)
    #expect(store.identity == identity)
    #expect(try store.lines() == ["02 two"])
    try store.write { try $0.insert(Line(3, "three")) }
    #expect(try store.lines() == ["02 two", "03 three"])
  }

  @Test func aHistoryThatWasDeletedIsNotTakenForAnEmptyOne() throws {
    let store = try open()
    for number in 0..<5 { try store.write { try $0.insert(Line(text: "\(number)")) } }
    let (early, late) = (HistoryToken.beginning(of: store.identity), try store.token())
    try folder.shell("DELETE FROM saver_history")
    #expect(try store.head().hasUnknownChanges)
    #expect(try store.standing(of: early) == .tooOld)
    try folder.shell("INSERT INTO line(text) VALUES ('x')")
    try store.write { try $0.insert(Line(9, "nine")) }
    #expect(try store.standing(of: late) == .tooOld)
    #expect(try store.head().token.sequence > late.sequence)
    #expect(try store.logged() == ["unknown 00", "insert 09"])
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  // MARK: Retention

  @Test func foreignEntriesAreTrimmedWithTheOthers() throws {
    let store = try open(HistoryRetention(changesMax: 50))
    for round in 0..<4 {
      try folder.shell(
        "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO line(text) SELECT i FROM n")
      for number in 0..<70 { try store.write { try $0.insert(Line(text: "\(round) \(number)")) } }
    }
    let kept = try store.logged().count
    #expect(kept < 300)
    #expect(try store.read { try $0.count(Query<Line>()) } == 680)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func bytesOfForeignUpdatesCount() throws {
    let store = try open(HistoryRetention(bytesMax: 100_000))
    try store.write { try $0.insert(Line(1, String(repeating: "x", count: 10_000))) }
    for number in 0..<200 {
      try folder.shell("UPDATE line SET text = '\(number)' || substr(text, 4)")
      try store.write { try $0.save(Line(2, "\(number)")) }
    }
    let bytes = try #require(try store.inspect(checkingIntegrity: true).historyBytes)
    #expect((90_000..<800_000).contains(bytes))
  }

  // MARK: Settings

  @Test func aStoreMayBeToldToKeepNoRows() throws {
    let keeping = try folder.open([Line.schema.type, Sample.schema.type])
    try keeping.write { try $0.insert(Line(1, "secret")) }
    try folder.shell("UPDATE line SET text = 'secret too'")
    #expect(try keeping.logged() == ["insert 01", "update 01 secret"])
    let schema = try folder.shell("PRAGMA schema_version")
    let forgetful = try open(HistoryRetention(keepsRows: false))
    #expect(try forgetful.logged() == ["insert 01", "update 01"])
    try folder.shell("UPDATE line SET text = 'x'; INSERT INTO sample(text) VALUES ('a'); DELETE FROM sample")
    try forgetful.write { try $0.delete(Line.self, id: Line.id(1)) }
    #expect(try forgetful.logged(after: 2).map { $0.prefix(6) } == ["update", "insert", "delete", "delete"])
    #expect(try folder.shell("SELECT count(*) FROM saver_history WHERE shape IS NOT NULL") == "0")
    // A program that was open before goes by the store's setting; nothing is missing to it.
    try keeping.write { try $0.insert(Line(2, "two")) }
    #expect(try keeping.logged(after: 6) == ["insert 02"])
    let settled = try folder.shell("PRAGMA schema_version")
    #expect(settled != schema)
    _ = try open(HistoryRetention(keepsRows: false))
    #expect(try folder.shell("PRAGMA schema_version") == settled)
    let again = try open()
    try folder.shell("UPDATE line SET text = 'y'")
    #expect(try again.logged(after: 7) == ["update 02 two"])
    #expect(try again.inspect(checkingIntegrity: true).problems == [])
  }

  // MARK: Cost

  /// In the log of a store that writes one record at a time: table, id, history, transaction, and now and then more.
  @Test func aCommitWritesFewPages() throws {
    let store = try open()
    for number in 0..<50 { try store.write { try $0.insert(Line(text: "\(number)")) } }
    func size() throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: folder.store + "-wal")[.size] as? Int)
    }
    let before = try size()
    for number in 0..<100 { try store.write { try $0.insert(Line(text: "more \(number)")) } }
    let frames = Double(try size() - before) / 4_120 / 100
    #expect(frames <= 6, "\(frames) frames for each commit")
    #expect(frames >= 4)
  }

  @Test func aWriteAndACheckPrepareNothing() throws {
    let store = try open()
    let engine = try #require(store.engine as? SQLiteEngine)
    let writer = try engine.store.writer(engine.opening.configuration, until: Deadline(milliseconds: 1_000))
    for number in 0..<70 { try store.write { try $0.save(Line(1, "\(number)")) } }
    let before = writer.preparedCount
    for number in 0..<50 { try store.write { try $0.save(Line(1, "more \(number)")) } }
    #expect(writer.preparedCount == before)
    // The first time everything is read, and then from there.
    for _ in 0..<2 {
      try store.write { try $0.save(Line(1, "once more")) }
      _ = try store.head()
    }
    let reader = try engine.store.pool.take(until: Deadline(milliseconds: 1_000))
    let prepared = reader.preparedCount
    engine.store.pool.give(reader)
    for number in 0..<5 {
      try store.write { try $0.save(Line(1, "again \(number)")) }
      _ = try store.head()
    }
    #expect(reader.preparedCount == prepared)
  }
}
#endif
