#if SQLite
import CSQLite
import Foundation
import SaverCore
import Testing

@testable import SaverSQLite

/// When the log is copied, and that nobody commits meanwhile: SQLite before 3.51.3 can lose such a commit.
@Suite struct CheckpointPolicyTests {
  let folder = TestFolder()

  private func size(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  @Test(arguments: [CheckpointPolicy.framesMin + 50, CheckpointPolicy.framesRestart + 50])
  func neverBesideAForeignTransaction(frames: Int) throws {
    let store = try folder.open()
    var foreign: OpaquePointer?
    try #require(sqlite3_open(folder.store, &foreign) == SQLITE_OK)
    defer { sqlite3_close(foreign) }
    func run(_ sql: String) throws { try #require(sqlite3_exec(foreign, sql, nil, nil, nil) == SQLITE_OK, "\(sql)") }
    try run("PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (x)")
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(frames))"
    try run("\(numbers) INSERT INTO filler SELECT zeroblob(3500) FROM n")
    let file = StoreFile(path: folder.store).resolved
    let connection = try Connection(file.path, tables: 0)
    let pool = ConnectionPool(
      file, try #require(try file.identity()), tables: 0, first: try Connection(file.path, tables: 0))
    // A connection that has read nothing does not know that there is a log.
    _ = try connection.integer("SELECT count(*) FROM filler")
    connection.walFrames = try size(folder.store + "-wal") / 4_120
    try #require(connection.walFrames > frames)
    let before = try size(folder.store)

    try run("BEGIN IMMEDIATE; INSERT INTO filler VALUES (1)")
    var policy = CheckpointPolicy()
    policy.checkpoint(connection, pool)
    #expect(try size(folder.store) == before, "a checkpoint ran beside a foreign transaction")
    try run("COMMIT")

    policy = CheckpointPolicy()
    policy.checkpoint(connection, pool)
    #expect(try size(folder.store) > frames * 4_096)
    // All of it was copied: the next commit begins the log anew.
    try store.write { try $0.insert(Sample(text: "x")) }
    var (inLog, copied): (Int32, Int32) = (0, 0)
    sqlite3_wal_checkpoint_v2(foreign, "main", SQLITE_CHECKPOINT_PASSIVE, &inLog, &copied)
    #expect(inLog < 50)
  }
}
#endif
