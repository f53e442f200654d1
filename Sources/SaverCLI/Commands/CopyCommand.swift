import Glibc
import SaverCore
import SaverKit

enum CopyCommand: ToolCommand {
  static let name = "copy"

  static let to = RequiredOption(
    "to", .copyDestination, help: "The engine of the copy, and where it lies if not beside the store.")
  static let force = Flag("force", help: "Replaces the items of a store that is there already.")
  static let format = Option(
    "format", short: "f", .choice(MaintenanceFormat.self, "FORMAT"), help: "How it is printed.")

  static let command = Command(
    name, abstract: "Copies the whole store to another engine, or elsewhere.",
    discussion: """
      Ids, texts, tags and dates are kept, as they are at one moment; others may go on writing meanwhile. The copy is \
      read back and compared by count and digest. A new store appears when it is complete: what is interrupted leaves \
      nothing. Its history begins with the copy.

      PATH is a name without the engine's ending, or with it. Nothing that is there already is touched without --force. \
      With it, the items of a store that is there are replaced in one step that everyone who has it open sees, and that \
      'undo' takes back; a file that is no store of that engine is never replaced.

        saver copy --to lmdb
        saver copy --to sqlite:/mnt/stick/items
      """,
    parameters: [to, force, format])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let destination = arguments[to]
    let configuration = context.configuration
    guard configuration.registry.names.contains(destination.backend) else {
      throw UsageError(
        "--to: there is no backend '\(destination.backend)'; this program has "
          + configuration.registry.names.joined(separator: ", "), command: command.name)
    }
    if try configuration.registry.backend(named: destination.backend).fileExtension == nil {
      throw UsageError(
        "--to: the \(destination.backend) backend forgets everything when this command ends", command: command.name)
    }
    // Before anything that takes time: whoever ends it wants nothing left behind.
    let signals = try ProcessSignals(handlesSuspension: false)
    guard let repository = try context.existingRepository() else {
      let base = configuration.store?.value ?? ""
      throw CommandFailure(
        "\(base): there is no \(configuration.backend.value) store to copy", .noInput, code: "noSuchStore")
    }
    let progress = ProgressLine("copying")
    let options = CopyOptions(replacesStore: arguments[force]) { copied, total in
      if signals.hasEnd { throw CommandFailure("interrupted; nothing was copied", code: "interrupted") }
      try progress.show(copied, of: total)
    }
    let copy: StoreCopy
    do {
      copy = try await configuration.copy(
        repository, to: destination.backend, path: try destination.path.map(context.environment.absolute), options)
    } catch {
      try progress.clear()
      if let error = error as? StorageError, error.cause?.code == EEXIST, !arguments[force] {
        throw CommandFailure(
          "\(error.path ?? ""): there is something already, and nothing was copied; '--force' replaces the items of a"
            + " store", .cannotCreate, code: "cannotCreate")
      }
      throw error
    }
    try progress.clear()
    try print(copy, destination.backend, arguments[format] ?? .plain, context)
    return .success
  }

  private static func print(
    _ copy: StoreCopy, _ backend: String, _ format: MaintenanceFormat, _ context: CommandContext
  ) throws {
    let content = copy.content
    guard format == .json else {
      let items = content.count == 1 ? "1 item" : "\(content.count) items"
      let verb = copy.hasReplacedStore ? "replaced the content of" : "copied to"
      var table = Table([Table.Column(role: .heading), Table.Column()])
      table.append([verb, copy.path ?? ""])
      table.append(["engine", backend])
      table.append(["verified", "\(items), SHA-256 \(content.digest)"])
      for line in table.lines(limit: nil, style: context.style) { try context.output.writeLine(line) }
      return
    }
    try context.printJSON { json in
      json.member("backend", backend)
      json.member("store", copy.path)
      json.member("identity", copy.identity.hexadecimalText)
      json.member("replaced", copy.hasReplacedStore)
      json.member("items", content.count)
      json.member("digest", content.digest)
    }
  }
}

/// Where a store is copied to.
struct CopyDestination: Hashable, Sendable {
  var backend: String
  /// `nil`: the base of the store that is copied.
  var path: String?
}

extension ArgumentType<CopyDestination> {
  /// `BACKEND` or `BACKEND:PATH`.
  static var copyDestination: Self {
    ArgumentType("BACKEND[:PATH]") { text throws(InvalidValue) in
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if parts[0].isEmpty { throw InvalidValue("it names no backend") }
      if parts.count > 1, parts[1].isEmpty { throw InvalidValue("the path is empty") }
      return CopyDestination(backend: String(parts[0]), path: parts.count > 1 ? String(parts[1]) : nil)
    }
  }
}
