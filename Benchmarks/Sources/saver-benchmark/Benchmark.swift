import CFloor
import Foundation
import SaverCore
import SaverKit
import SaverLMDB
import SaverSQLite

/// Bulk insert and fetches of saved items, beside C loops that do the same on stores of the same layout.
///
/// Floor and ours take turns in one process; times are CPU time of the thread, the best of several rounds.
@main
enum Benchmark {
  static func main() throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("saver-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let work = Work(count: count, folder: folder.path)
    print("\(count) items; thread CPU time, best of the rounds; ratio = floor / ours, more is better")
    try work.run(SQLiteBackend.self, floors: [("C", { floor_sqlite_fetch($0, $1, $2, $3) })]) {
      floor_sqlite_insert($0, $1, $2)
    }
    try work.run(
      LMDBBackend.self,
      floors: [
        ("C, mdb_get", { floor_lmdb_fetch($0, $1, 0, $2, $3) }), ("C, cursor", { floor_lmdb_fetch($0, $1, 1, $2, $3) }),
      ]
    ) { floor_lmdb_insert($0, $1, $2) }
  }
}
