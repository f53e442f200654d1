import Glibc
import SaverCLI
import SaverCore
import SaverMemory

#if SQLite
import SaverSQLite
#endif
#if LMDB
import SaverLMDB
#endif

/// Composes the backends, and runs the command line.
@main
enum Saver {
  static func main() {
    MainThread.run {
      exit(await CommandLineTool(registry: BackendRegistry(backends)).run().rawValue)
    }
  }

  private static var backends: [any StorageBackend.Type] {
    var backends: [any StorageBackend.Type] = []
    #if SQLite
    backends.append(SQLiteBackend.self)
    #endif
    #if LMDB
    backends.append(LMDBBackend.self)
    #endif
    backends.append(MemoryBackend.self)
    return backends
  }
}
