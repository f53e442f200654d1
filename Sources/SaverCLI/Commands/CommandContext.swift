import FoundationEssentials
import SaverCore
import SaverKit
import SaverText

/// What a command works with: the configuration, the store behind a repository, and the streams.
struct CommandContext {
  let tool: Tool
  let environment: Environment
  let configuration: Configuration
  let output: OutputWriter
  let diagnostics: OutputWriter
  let style: TerminalStyle

  /// The repository, on the store that the configuration names; the store is made if there is none.
  func repository() throws -> SavedItemRepository {
    repository(on: try configuration.openStore(.ifMissing))
  }

  /// The repository for a command that makes no store; `nil` if there is none.
  func existingRepository() throws -> SavedItemRepository? {
    try existingStore().map(repository(on:))
  }

  func existingStore() throws -> Store? {
    do {
      return try configuration.openStore(.never)
    } catch let error as StorageError where error.code == .noSuchStore {
      return nil
    }
  }

  /// A command is alone on the thread that it runs on, and may block it.
  func repository(on store: Store) -> SavedItemRepository {
    SavedItemRepository(store, environment: environment.items, blocking: .callers)
  }

  /// One line on standard error, behind everything that stands on standard output already.
  func diagnose(_ message: String) throws {
    try output.flush()
    try diagnostics.writeLine("\(tool.name): \(message.withVisibleControls)")
    try diagnostics.flush()
  }

  /// Says that an operation on so many items cannot be undone, if it is larger than the history.
  ///
  /// - Parameter operation: as in "deleting".
  func diagnoseUndo(_ operation: String, _ count: Int) throws {
    let retention = configuration.historyRetention
    if retention.canUndo(changes: count) { return }
    try diagnose(
      "\(operation) \(count) items is more than the history keeps (history.keepChanges is \(retention.changesMax)): "
        + "it cannot be undone")
  }

  /// Whether a person can be asked: standard input and output are terminals.
  var canAsk: Bool { output.isTerminal && StandardInput.isTerminal }
}

extension String {
  /// A message that may quote a path or an argument, harmless on a terminal: its own line ends stay.
  var withVisibleControls: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { VisibleText.escaped(String($0)) }
      .joined(separator: "\n")
  }
}
