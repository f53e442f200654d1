/// A value of the configuration, and where it came from.
struct Setting<Value: Sendable>: Sendable {
  var value: Value
  var source: SettingSource
}

/// Where a setting came from; a flag beats the environment, that beats the file, and that beats the default.
enum SettingSource: Hashable, Sendable, CustomStringConvertible {
  case flag(String)
  case environment(String)
  case file(String)
  case `default`

  var description: String {
    switch self {
    case .flag(let name): name
    case .environment(let name): "$" + name
    case .file(let path): path
    case .default: "default"
    }
  }
}

extension Setting {
  /// The value that holds where nothing else is said.
  static func byDefault(_ value: Value) -> Setting {
    Setting(value: value, source: .default)
  }
}

/// What is wrong with the configuration: one message that names the file or variable and the key.
struct ConfigurationError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
