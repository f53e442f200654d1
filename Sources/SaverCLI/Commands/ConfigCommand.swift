import SaverCore
import SaverKit
import SaverText

enum ConfigCommand: ToolCommand {
  static let name = "config"

  static let format = Option("format", short: "f", .choice(ConfigFormat.self, "FORMAT"), help: "How it is printed.")

  enum ConfigFormat: String, CaseIterable {
    case table, json
  }

  static let command = Command(
    name, abstract: "Shows the effective configuration, and where each value came from.", parameters: [format])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let rows = context.configuration.rows
    if arguments[format] == .json {
      var json = JSONWriter()
      json.object { json in
        json.member("file", context.configuration.fileExists ? context.configuration.file : nil)
        for row in rows {
          json.member(row.key) { json in
            json.object { json in
              json.member("value", row.value)
              json.member("source", row.source)
            }
          }
        }
      }
      json.endLine()
      try context.output.write(json.takeBytes())
      return .success
    }
    let file = context.configuration.file.map { context.configuration.fileExists ? $0 : "\($0) (not there)" }
    try context.output.writeLine("configuration file: " + VisibleText.escaped(file ?? "none"))
    var table = Table([Table.Column(role: .id), Table.Column(), Table.Column(role: .date)])
    for row in rows { table.append([row.key, row.value, row.source]) }
    for line in table.lines(limit: nil, style: context.style) { try context.output.writeLine(line) }
    return .success
  }
}

extension Configuration {
  /// One setting as text.
  struct Row {
    let key: String
    let value: String
    let source: String
  }

  /// All settings, in the order of the file's reference.
  var rows: [Row] {
    func row<Value>(_ key: String, _ setting: Setting<Value>) -> Row {
      Row(key: key, value: "\(setting.value)", source: setting.source.description)
    }
    var rows = [row("backend", backend)]
    rows.append(store.map { row("store", $0) } ?? Row(key: "store", value: "", source: "nothing says where"))
    rows.append(row("busyTimeoutMilliseconds", busyTimeoutMilliseconds))
    for backend in registry.backends { rows += engineRows(backend) }
    rows += [
      row("history.keepChanges", historyKeepChanges), row("history.keepMiB", historyKeepMiB),
      row("history.keepRows", historyKeepRows), row("list.limit", listLimit),
      Row(key: "list.format", value: listFormat.value.rawValue, source: listFormat.source.description),
      Row(key: "share.duplicates", value: shareDuplicates.value.rawValue, source: shareDuplicates.source.description),
    ]
    return rows
  }

  private func engineRows<Backend: StorageBackend>(_ backend: Backend.Type) -> [Row] {
    Mirror(reflecting: engine(backend)).children.compactMap { child in
      guard let key = child.label, Backend.configurationKeys[key] != nil else { return nil }
      let source: SettingSource = hasSection(for: Backend.name) ? .file(file ?? "") : .default
      return Row(key: "\(Backend.name).\(key)", value: "\(child.value)", source: source.description)
    }
  }
}
