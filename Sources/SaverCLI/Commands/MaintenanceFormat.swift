import SaverCore
import SaverText

/// How commands that care for the store print what they did.
enum MaintenanceFormat: String, CaseIterable {
  case plain, json
}

extension CommandContext {
  /// Prints one object on a line.
  func printJSON(_ members: (inout JSONWriter) -> Void) throws {
    var json = JSONWriter()
    json.object(members)
    json.endLine()
    try output.write(json.takeBytes())
  }

  /// The error of a command that needs a store that is there.
  func noStore() -> StorageError {
    let base = configuration.store?.value
    return StorageError(.noSuchStore, "There is no \(configuration.backend.value) store yet.", path: base)
  }
}

extension String {
  /// As a person may see it: a name can hold anything.
  var visible: String { VisibleText.escaped(self) }
}
