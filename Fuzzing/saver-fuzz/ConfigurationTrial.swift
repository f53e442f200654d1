import Glibc
import SaverLMDB
import SaverMemory
import SaverSQLite

@testable import SaverCLI
@testable import SaverCore

/// Configuration files: one that is read, or an error that names it.
enum ConfigurationTrial {
  private static let path = "/dev/shm/saver-fuzz-\(getpid()).json5"
  private static let registry = BackendRegistry([SQLiteBackend.self, LMDBBackend.self, MemoryBackend.self])

  static func run(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0, write(descriptor, bytes.baseAddress, bytes.count) == bytes.count else { return -1 }
    close(descriptor)
    defer { unlink(path) }
    do {
      _ = try ConfigurationFile.read(path, registry: registry)
    } catch let error as ConfigurationError {
      Fuzzer.require(error.description.hasPrefix(path), "the error does not name the file")
    } catch {
      Fuzzer.require(false, "\(error)")
    }
    return 0
  }
}
