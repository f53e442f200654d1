#if LMDB
import Foundation
import SaverCore
import SaverLMDB
import Testing

/// Where a file system of a few megabytes is mounted: `mount -t tmpfs -o size=2m tmpfs FOLDER`.
private let smallDisk = ProcessInfo.processInfo.environment["SAVER_SMALL_DISK"]

@Suite struct LMDBFullDiskTests {
  @Test(.enabled(if: smallDisk != nil)) func aFullDiskLosesNothing() throws {
    let folder = TestFolder(under: try #require(smallDisk))
    let store = try folder.open()
    var kept = 0
    var refusal: StorageError.Code?
    while refusal == nil && kept < 10_000 {
      refusal = code {
        try store.write { transaction in
          for _ in 0..<10 { try transaction.insert(Sample(text: String(repeating: "x", count: 1_000))) }
        }
      }
      if refusal == nil { kept += 10 }
    }
    #expect(refusal == .full)
    #expect(try store.read { try $0.count(Query<Sample>()) } == kept)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
    // A transaction that swallows the failure has not been made either.
    #expect(
      code {
        try store.write { transaction in
          for _ in 0..<1_000 { try? transaction.insert(Sample(text: String(repeating: "y", count: 10_000))) }
        }
      } == .full)
    #expect(try store.read { try $0.count(Query<Sample>()) } == kept)
  }

  @Test(.enabled(if: smallDisk != nil)) func aStoreThatDoesNotFitIsNotMade() throws {
    let folder = TestFolder(under: try #require(smallDisk))
    let filler = folder.path + "/filler"
    try #require(FileManager.default.createFile(atPath: filler, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: filler))
    while (try? handle.write(contentsOf: Data(count: 4_096))) != nil {}
    #expect(code { _ = try folder.open() } == .full)
    #expect(folder.names.isSubset(of: ["filler", "store.lmdb-writer"]))
    try FileManager.default.removeItem(atPath: filler)
    try handle.close()
    try folder.open().write { try $0.insert(Sample(text: "x")) }
  }
}
#endif
