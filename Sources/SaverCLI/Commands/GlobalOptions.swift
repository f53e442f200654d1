/// Options of every command.
enum GlobalOptions {
  static let backend = Option(
    "backend", .text("NAME"), help: "The storage engine. Beats $SAVER_BACKEND and the configuration.")
  static let store = Option(
    "store", .nonEmptyText("PATH"),
    help: "The store, without its engine's ending. Beats $SAVER_STORE and the configuration.")
  static let config = Option("config", .nonEmptyText("FILE"), help: "The configuration file. Beats $SAVER_CONFIG.")
  static let color = Option("color", .choice(ColorChoice.self, "WHEN"), help: "Whether to use colours.")

  static let all: [any Parameter] = [backend, store, config, color]

  static func flags(_ arguments: ParsedArguments) -> Configuration.Flags {
    Configuration.Flags(backend: arguments[backend], store: arguments[store], config: arguments[config])
  }
}
