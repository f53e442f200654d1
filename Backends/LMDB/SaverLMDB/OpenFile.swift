#if LMDB
import FoundationEssentials
import SaverCore

/// The file of a store, as an engine has it open. Where another takes its place, the engine gets another of these; what
/// runs on the old one keeps it until it is done.
final class OpenFile: Sendable {
  let identity: UUID
  let environment: Environment
  let tables: Tables
  /// Counts the files that the engine has had open.
  let turn: UInt64
  /// What observers in other processes watch.
  let notifyPath: String

  /// - Parameter environment: a use of it in the registry, which the file takes over.
  init(identity: UUID, environment: Environment, tables: Tables, turn: UInt64) {
    self.identity = identity
    self.environment = environment
    self.tables = tables
    self.turn = turn
    notifyPath = NotifyFile.path(for: StoreFile(path: environment.path))
  }

  deinit {
    EnvironmentRegistry.release(environment)
  }
}
#endif
