/// The folders that the environment names. An empty variable counts as unset.
extension Environment {
  /// `$XDG_DATA_HOME`, by default `~/.local/share`. The XDG base directory specification has relative paths ignored.
  var dataFolder: String? { folder("XDG_DATA_HOME", default: ".local/share") }

  /// `$XDG_CONFIG_HOME`, by default `~/.config`.
  var configurationFolder: String? { folder("XDG_CONFIG_HOME", default: ".config") }

  private func folder(_ name: String, default path: String) -> String? {
    if let folder = self[name], folder.hasPrefix("/") { return folder }
    // The user database would need name services, which a static executable does not have.
    guard let home = self["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/" + path
  }

  /// A path with a leading `~/` replaced by the home folder.
  func expandingTilde(_ path: String) throws -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    guard let home = nonEmpty("HOME") else { throw ConfigurationError("\(path): $HOME is not set") }
    return home + path.dropFirst()
  }
}
