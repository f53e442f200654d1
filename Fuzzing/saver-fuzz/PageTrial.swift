import Glibc

@testable import SaverCore
@testable import SaverLMDB

/// LMDB files, read without LMDB, as whoever opens a store does first.
enum PageTrial {
  private static let path = "/dev/shm/saver-fuzz-\(getpid()).lmdb"

  static func run(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0, write(descriptor, bytes.baseAddress, bytes.count) == bytes.count else { return -1 }
    close(descriptor)
    defer { unlink(path) }
    do {
      let pages = try PageFile(path: path)
      try pages.requireAllPages()
      if let root = try pages.root(ofDatabase: StoreMeta.database) {
        _ = try pages.value(of: StoreMeta.formatKey, root: root)
        _ = try pages.value(of: StoreMeta.schemaKey("item"), root: root)
      }
      try pages.walk()
    } catch is PageFile.Damage {
    } catch is StorageError {
    } catch {
      Fuzzer.require(false, "\(error)")
    }
    return 0
  }
}
