import Glibc
import JSONFile
import SaverCLI
import SaverCore

/// The command line of saver on a backend that saver does not know.
@main
enum JSONSaver {
  static func main() async {
    exit(await CommandLineTool(registry: BackendRegistry([JSONFileBackend.self])).run().rawValue)
  }
}
