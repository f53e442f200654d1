import Glibc

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

  /// A path from the root: a leading `~/` is the home folder, and what is relative lies in the current folder.
  func absolute(_ path: String) throws -> String {
    let path = try expandingTilde(path)
    if path.hasPrefix("/") { return path }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else {
      throw ConfigurationError("\(path): the current folder cannot be told: \(String(cString: strerror(errno)))")
    }
    let folder = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return folder == "/" ? folder + path : folder + "/" + path
  }
}
