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
  /// Waits on the main thread while a task runs the command.
  ///
  /// An asynchronous `main` would end the main thread at the first suspension, and ending a thread unwinds it: a static
  /// executable then sorts the unwinding tables of all its code first, 5 to 10 ms. No command here needs the main actor;
  /// one that does serves it with `dispatchMain()`.
  static func main() {
    Task.detached {
      exit(await CommandLineTool(registry: BackendRegistry(backends)).run().rawValue)
    }
    while true { pause() }
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
