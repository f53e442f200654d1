#if SQLite
import Foundation
import Glibc
@testable import SaverCore
import SaverSQLite
import Testing

/// What an observer notices of writes that go past the history, and what it does not take for one.
@Suite struct SQLiteWatcherTests {
  let folder = TestFolder()

  private func open() throws -> (Store, any EngineWatcher) {
    let store = try folder.open([Line.schema.type])
    try store.write { try $0.insert(Line(1, "one")) }
    return (store, try store.engine.makeWatcher())
  }

  // MARK: Reading on

  /// Whatever happens between two looks, who follows finds what somebody who comes new finds.
  @Test func whoFollowsKnowsWhatIsThere() throws {
    let (store, watcher) = try open()
    let otherFolder = TestFolder()
    let other = try otherFolder.open([Line.schema.type])
    for number in 0..<9 { try other.write { try $0.insert(Line(text: "other \(number)")) } }
    let copy = folder.path + "/other.sqlite"
    try other.backUp(to: copy)
    let steps: [(name: String, step: () throws -> Void)] = [
      ("nothing", {}),
      ("a commit", { try store.write { try $0.insert(Line(text: "two")) } }),
      ("40 commits", { for number in 0..<40 { try store.write { try $0.insert(Line(text: "\(number)")) } } }),
      ("another program's row", { _ = try folder.shell("INSERT INTO line(text) VALUES ('x')") }),
      ("another program's row again", { _ = try folder.shell("INSERT INTO line(text) VALUES ('y')") }),
      ("a commit behind it", { try store.write { try $0.insert(Line(text: "three")) } }),
      ("a schema", { _ = try folder.shell("CREATE TABLE mine(x)") }),
      ("the first changes lost", { _ = try folder.shell("DELETE FROM saver_history WHERE sequence < 9") }),
      ("a commit behind that", { try store.write { try $0.insert(Line(text: "four")) } }),
      (
        "the last change lost",
        { _ = try folder.shell("DELETE FROM saver_history WHERE sequence = (SELECT max(sequence) FROM saver_history)") }
      ),
      ("a commit that mends it", { try store.write { try $0.insert(Line(text: "five")) } }),
      ("all changes lost", { _ = try folder.shell("DELETE FROM saver_history") }),
      ("another commit that mends", { try store.write { try $0.insert(Line(text: "six")) } }),
      ("all history lost", { _ = try folder.shell("DELETE FROM saver_history; DELETE FROM saver_transaction") }),
      ("a first commit", { try store.write { try $0.insert(Line(text: "seven")) } }),
      // The last change is there afterwards, and yet its token is of another branch.
      (
        "a restore of what is there",
        {
          try store.backUp(to: folder.path + "/own.sqlite")
          try store.restore(from: folder.path + "/own.sqlite", overwriting: true)
        }
      ),
      ("another store's contents", { _ = try folder.shell(".restore '\(copy)'") }),
      ("a commit to these", { try store.write { try $0.insert(Line(text: "eight")) } }),
      ("our own restore", { try store.restore(from: copy, overwriting: true) }),
      ("a commit behind that restore", { try store.write { try $0.insert(Line(text: "nine")) } }),
    ]
    var last = try watcher.head()
    for (name, step) in steps {
      try step()
      // As an observer does: the head and how the last token stands, in one snapshot.
      func look(_ watcher: any EngineWatcher) throws -> (head: HistoryHead, standing: HistoryToken.Standing) {
        var found: (head: HistoryHead, standing: HistoryToken.Standing)?
        try watcher.read { transaction in
          let head = try transaction.historyHead()
          found = (head, try transaction.standing(of: last.token, head: head))
        }
        return try #require(found)
      }
      let (following, new) = (try look(watcher), try look(store.engine.makeWatcher()))
      #expect(following.head.token == new.head.token, "\(name)")
      #expect(following.head.hasUnknownChanges == new.head.hasUnknownChanges, "\(name)")
      #expect(following.standing == new.standing, "\(name)")
      last = following.head
    }
  }

  /// The standing is found in the very snapshot in which the head was read on, too.
  @Test func aFollowedTokenIsUsable() throws {
    let (store, watcher) = try open()
    let before = try watcher.head()
    try store.write { try $0.insert(Line(2, "two")) }
    try watcher.read { transaction in
      let head = try transaction.historyHead()
      #expect(try transaction.standing(of: before.token, head: head) == .usable)
      var forged = before.token
      forged.check ^= 1
      #expect(try transaction.standing(of: forged, head: head) == .otherBranch)
    }
  }

  // MARK: Past the history

  @Test func aWriteWithoutTriggersMovesTheRevisionAlone() throws {
    let (_, watcher) = try open()
    let before = try watcher.head()
    try folder.shell(".dbconfig enable_trigger off", "INSERT INTO line(text) VALUES ('x')")
    let after = try watcher.head()
    #expect(after.token == before.token && after.revision != before.revision)
  }

  /// Another program gives the table a new form: create, copy, drop, rename.
  @Test func aTableThatWasMadeAnewIsWatchedAgainByOurNextWriter() throws {
    let store = try folder.open()
    try store.write { try $0.insert(Sample(id: Line.id(1), text: "One")) }
    let watcher = try store.engine.makeWatcher()
    let before = try watcher.head()
    let definition = try folder.shell("SELECT sql FROM sqlite_schema WHERE name = 'sample'")
    try folder.shell(
      definition.replacingOccurrences(of: "\"sample\"", with: "\"copy\"")
        + "; INSERT INTO copy SELECT * FROM sample; DROP TABLE sample; ALTER TABLE copy RENAME TO sample;"
        + "UPDATE sample SET text = 'Two'")
    let rebuilt = try watcher.head()
    #expect(rebuilt.token == before.token && rebuilt.revision != before.revision && rebuilt.hasUnknownChanges)
    #expect(try !store.inspect(checkingIntegrity: true).problems.isEmpty)
    try store.write { try $0.insert(Sample(id: Line.id(2), text: "x")) }
    let mended = try watcher.head()
    #expect(!mended.hasUnknownChanges)
    #expect(try store.logged() == ["insert 01", "unknown 00", "insert 02"])
    #expect(try store.transactions().map(\.author) == [.current, .foreign, .current])
    #expect(try store.standing(of: before.token) == .usable)
    try folder.shell("DELETE FROM sample WHERE id = \(Line.sql(1))")
    #expect(try store.logged(after: 3) == ["delete 01 Two"])
    // The value that was derived from the text before, which nothing has cleared.
    #expect(try folder.shell("SELECT count(*) FROM sample WHERE key IS NOT lower(text)") == "0")
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func aWriteThatOnlyMendsIsACommit() throws {
    let (store, watcher) = try open()
    let before = try store.token()
    try folder.shell("DROP TRIGGER line_history_delete")
    #expect(try watcher.head().hasUnknownChanges)
    try store.write { _ in }
    #expect(try store.logged() == ["insert 01", "unknown 00"])
    #expect(try watcher.head().token.sequence == before.sequence + 1)
    try store.write { _ in }
    #expect(try store.logged().count == 2)
  }

  @Test func whatFailsMendsNothing() throws {
    struct Stop: Error {}
    let (store, watcher) = try open()
    try folder.shell("DROP TRIGGER line_history_delete")
    _ = try? store.write { _ -> Void in throw Stop() }
    #expect(try watcher.head().hasUnknownChanges)
    try store.write { try $0.delete(Line.self, id: Line.id(1)) }
    #expect(try store.logged() == ["insert 01", "unknown 00", "delete 01 one"])
    #expect(try !watcher.head().hasUnknownChanges)
  }

  @Test(arguments: ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "CREATE TABLE mine(x)", "REINDEX"])
  func whatChangesNoRowLeavesTheToken(statement: String) throws {
    let (store, watcher) = try open()
    let before = try watcher.head()
    let oldest = try store.read { try $0.engine.historyOldest() }
    try folder.shell(statement)
    let after = try watcher.head()
    #expect(try store.read { try $0.engine.historyOldest() } == oldest)
    #expect(after.token == before.token && !after.hasUnknownChanges)
    #expect(try store.lines() == ["01 one"])
    try store.write { try $0.insert(Line(2, "two")) }
    #expect(try store.logged() == ["insert 01", "insert 02"])
  }

  /// The revisions of one watcher never repeat, whatever happens in between.
  @Test func equalRevisionsMeanEqualRows() throws {
    let (store, watcher) = try open()
    var seen: [UInt64: [String]] = [:]
    for round in 0..<30 {
      switch round % 5 {
      case 0: try folder.shell(".dbconfig enable_trigger off", "UPDATE line SET text = 'round \(round)'")
      case 1: try store.write { try $0.save(Line(1, "\(round)")) }
      case 2: try folder.shell("PRAGMA wal_checkpoint(TRUNCATE)")
      case 3: _ = try store.lines()
      default: try folder.shell("VACUUM")
      }
      let revision = try watcher.head().revision
      let lines = try store.lines()
      if let before = seen[revision] { #expect(before == lines) }
      seen[revision] = lines
    }
    #expect(seen.count > 12)
  }

  @Test func aRevisionStandsStillWithinASnapshot() throws {
    let (store, watcher) = try open()
    try watcher.read { transaction in
      let before = try transaction.historyHead()
      try store.write { try $0.insert(Line(2, "two")) }
      try folder.shell("INSERT INTO line(text) VALUES ('x')")
      #expect(try transaction.historyHead() == before)
    }
  }

  /// A watcher that has a snapshot open when idle would keep the log from ever being emptied.
  @Test func anIdleWatcherPinsNothing() throws {
    let (store, watcher) = try open()
    _ = try watcher.head()
    try store.write { try $0.insert(Line(2, "two")) }
    #expect(try folder.shell("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0")
  }

  // MARK: The notify file

  @Test func aCommitTouchesTheNotifyFileOnce() throws {
    struct Stop: Error {}
    let (store, _) = try open()
    let events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    #expect(events >= 0)
    defer { close(events) }
    #expect(inotify_add_watch(events, folder.store + "-notify", UInt32(IN_CLOSE_WRITE)) >= 0)
    /// How often the file was touched since the last look.
    func touches() -> Int {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      return max(0, read(events, &buffer, buffer.count)) / MemoryLayout<inotify_event>.size
    }
    for number in 0..<5 {
      try store.write { transaction in
        for _ in 0..<3 { try transaction.insert(Line(text: "\(number)")) }
      }
      #expect(touches() == 1)
    }
    try store.write { _ in }
    try store.write { try $0.delete(Line.self, id: UUID()) }
    _ = try? store.write { transaction -> Void in
      try transaction.insert(Line(text: "x"))
      throw Stop()
    }
    _ = try store.lines()
    #expect(touches() == 0)
    // Whoever removes the file gets another one.
    try FileManager.default.removeItem(atPath: folder.store + "-notify")
    try store.write { try $0.insert(Line(text: "x")) }
    #expect(folder.names.contains("store.sqlite-notify"))
  }
}
#endif
