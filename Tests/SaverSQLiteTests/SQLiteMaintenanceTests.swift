#if SQLite
import Foundation
import Glibc
import SaverCore
@testable import SaverSQLite
import Testing

/// What backups, restores, compacting and forgetting are on SQLite alone.
@Suite struct SQLiteMaintenanceTests {
  let folder = TestFolder()

  private func open(_ name: String = "store", busyTimeoutMilliseconds: Int = 10_000) throws -> Store {
    try folder.open([Line.schema.type], busyTimeoutMilliseconds: busyTimeoutMilliseconds, name: name)
  }

  private func filled(_ count: UInt8 = 5, name: String = "store") throws -> Store {
    let store = try open(name)
    for number in 1...count { try store.write { try $0.insert(Line(number, "line \(number)")) } }
    return store
  }

  private func contains(_ text: String) -> [String] {
    folder.names.sorted().filter { name in
      let data = (try? Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))) ?? Data()
      return data.firstRange(of: Data(text.utf8)) != nil
    }
  }

  /// The whole backup is one file, which a program can read where it may not write.
  @Test func aBackupIsOneFile() throws {
    let store = try filled()
    let path = try store.backUp(to: folder.path + "/copy").path
    #expect(folder.names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes[18] == 1 && bytes[19] == 1, "the header asks for a log")
  }

  /// A log that was written for another file would be played into the backup.
  @Test func aNameBesideALogIsRefused() throws {
    let store = try filled()
    for ending in ["-wal", "-journal"] {
      let path = folder.path + "/copy.sqlite"
      try Data("a log".utf8).write(to: URL(fileURLWithPath: path + ending))
      #expect(code { try store.backUp(to: path) } == .cannotCreate)
      #expect(code { try store.backUp(to: path, overwriting: true) } == .cannotCreate)
      #expect(!folder.names.contains("copy.sqlite"))
      unlink(path + ending)
    }
    let other = try filled(name: "other")
    #expect(code { try store.backUp(to: folder.path + "/other", overwriting: true) } == .cannotCreate)
    #expect(try other.lines().count == 5)
  }

  /// What the log of a store that is in use holds is restored, too, and the store is left alone.
  @Test func fromAStoreThatIsInUse() throws {
    let other = try filled(7, name: "other")
    let store = try open()
    try store.restore(from: folder.path + "/other")
    #expect(try store.lines().count == 7)
    #expect(store.identity != other.identity)
    try other.write { try $0.insert(Line(9, "more")) }
    #expect(try other.inspect(checkingIntegrity: true).problems == [])
    try store.restore(from: folder.path + "/other", overwriting: true)
    #expect(try store.lines().count == 8)
  }

  /// Another page size than the store's, as another program's VACUUM gives one.
  @Test func fromAFileWithOtherPages() throws {
    let store = try filled()
    try store.backUp(to: folder.path + "/copy")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    shell.arguments = ["sqlite3", folder.path + "/copy.sqlite", "PRAGMA page_size = 1024; VACUUM"]
    try shell.run()
    shell.waitUntilExit()
    try store.write { try $0.delete(Query<Line>()) }
    try store.restore(from: folder.path + "/copy")
    #expect(try store.lines().count == 5)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  /// Other programs go on writing to a restored store, and are noted in its history.
  @Test func foreignWritersGoOn() throws {
    let store = try filled()
    try store.backUp(to: folder.path + "/copy")
    try store.restore(from: folder.path + "/copy", overwriting: true)
    let token = try store.token()
    try folder.shell("INSERT INTO line(text) VALUES ('theirs')")
    #expect(try store.logged(after: token.sequence).count == 1)
    #expect(try store.lines().count == 6)
    #expect(try store.standing(of: token) == .usable)
  }

  /// A history in which another program has written the greatest sequence there is.
  @Test func overAHistoryThatEndsBeyondAll() throws {
    let store = try filled()
    try store.backUp(to: folder.path + "/copy")
    try folder.shell(
      """
      INSERT INTO saver_history (sequence, type, id, kind)
      VALUES (9223372036854775807, 'line', zeroblob(16), 'insert')
      """)
    try store.restore(from: folder.path + "/copy", overwriting: true)
    let token = try store.token()
    #expect(token.sequence < 1_000)
    try store.write { try $0.insert(Line(9, "later")) }
    #expect(try store.read { try $0.standing(of: token) } == .usable)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  /// A file that another program made, a newer format, a damaged page.
  @Test func whatIsNoBackupIsRefused() throws {
    let store = try filled()
    let token = try store.token()
    let path = folder.path + "/file.sqlite"
    func shell(_ commands: String) throws {
      unlink(path)
      try store.backUp(to: path)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["sqlite3", path, commands]
      try process.run()
      process.waitUntilExit()
    }
    try shell("PRAGMA application_id = 7")
    #expect(code { try store.restore(from: path, overwriting: true) } == .foreignFile)
    try shell("PRAGMA user_version = 99")
    #expect(code { try store.restore(from: path, overwriting: true) } == .unsupportedFormat)
    try shell("DELETE FROM saver_store")
    #expect(code { try store.restore(from: path, overwriting: true) } == .corrupt)
    unlink(path)
    try store.backUp(to: path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for page in stride(from: 4_096, to: bytes.count, by: 4_096) {
      bytes.replaceSubrange(page + 2..<page + 40, with: Data(repeating: 0xff, count: 38))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(code { try store.restore(from: path, overwriting: true) } == .corrupt)
    #expect(try store.token() == token && store.lines().count == 5)
    #expect(folder.names.filter { $0.hasPrefix(".") } == [])
  }

  /// A reader who stays keeps the old pages in the log: the line is gone, and what is left to do is said, with who.
  @Test func aReaderIsInTheWayOfForgetting() throws {
    let store = try open(busyTimeoutMilliseconds: 300)
    try store.write { try $0.insert(Line(1, "a canary that sings")) }
    let other = try open()
    try other.read { transaction in
      #expect(try transaction.count(Query<Line>()) == 1)
      let report = try store.forget(Line.self, ids: [Line.id(1)])
      #expect(report.forgotten == [Line.id(1)])
      #expect(report.remainder?.contains("this process") == true, "\(report)")
      #expect(try store.lines() == [])
      // Others write meanwhile.
      try store.write { try $0.insert(Line(2, "another")) }
      #expect(try transaction.count(Query<Line>()) == 1)
      #expect(!contains("a canary that sings").isEmpty)
      #expect(try store.compact().remainder != nil)
    }
    #expect(try store.compact().remainder == nil)
    #expect(contains("a canary that sings") == [])
    #expect(try store.lines() == ["02 another"])
  }

  /// A change of another program is told by a digest of its entry: forgetting keeps tokens at it good.
  /// What is overwritten while the file is written anew costs later commits nothing.
  @Test(arguments: ["0", "1", "2"]) func compactingLeavesTheConnectionAsItWas(setting: String) throws {
    let store = try filled()
    let engine = try #require(store.engine as? SQLiteEngine)
    let writer = try engine.store.writer(engine.opening.configuration, until: Deadline(milliseconds: 10_000))
    try writer.execute("PRAGMA secure_delete = \(setting == "2" ? "FAST" : setting)", doing: "testing")
    #expect(try writer.text("PRAGMA secure_delete") == setting)
    try store.compact()
    #expect(try writer.text("PRAGMA secure_delete") == setting)
  }

  @Test func tokensAtForeignChangesStayGood() throws {
    let store = try filled(2)
    try folder.shell("UPDATE line SET text = 'their canary' WHERE id = \(Line.sql(1))")
    let uncovered = try store.token()
    try store.write { try $0.insert(Line(3, "ours")) }
    try folder.shell(
      "UPDATE line SET text = 'their second' WHERE id = \(Line.sql(1))", "DELETE FROM line WHERE rowid = 2")
    let tokens = [uncovered, try store.token()]
    #expect(tokens.allSatisfy { (try? store.standing(of: $0)) == .usable })
    try store.forget(Line.self, ids: [Line.id(1), Line.id(2)])
    for token in tokens { #expect(try store.standing(of: token) == .usable) }
    for text in ["their canary", "their second"] { #expect(contains(text) == []) }
    var forged = tokens[0]
    forged.check ^= 1
    #expect(try store.standing(of: forged) == .otherBranch)
  }

  /// What the transactions say of the size of old rows is what there is.
  @Test func theSizesOfOldRowsAreRight() throws {
    let store = try filled(4)
    for number: UInt8 in 1...4 { try store.write { try $0.update(Line(number, "changed \(number)")) } }
    for number: UInt8 in 1...2 { try store.write { try $0.delete(Line.self, id: Line.id(number)) } }
    try store.forget(Line.self, ids: [Line.id(1), Line.id(3)])
    try store.write { try $0.update(Line(4, "again")) }
    let sums = try folder.shell(
      "SELECT sum(length(id) + coalesce(length(CAST(old_1 AS BLOB)), 0)) FROM saver_history WHERE shape IS NOT NULL",
      "SELECT sum(bytes), max(bytes_before + bytes) - min(bytes_before) FROM saver_transaction",
      "SELECT count(*) FROM saver_transaction t WHERE bytes_before <> coalesce((SELECT bytes_before + bytes FROM saver_transaction WHERE last < t.last ORDER BY last DESC LIMIT 1), bytes_before)"
    ).split(separator: "\n")
    #expect(sums.count == 3 && sums[1] == "\(sums[0])|\(sums[0])" && sums[2] == "0", "\(sums)")
  }
}
#endif
