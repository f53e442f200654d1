import FoundationEssentials
import Glibc
import SaverCore

extension ConfigurationFile {
  /// Reads a configuration file (JSON5).
  ///
  /// - Returns: `nil` if there is no such file.
  /// - Throws: ``ConfigurationError``, naming the file, the key, and the line where it can be told.
  static func read(_ path: String, registry: BackendRegistry) throws -> ConfigurationFile? {
    guard let bytes = try content(of: path) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError("\(path): the configuration is not valid UTF-8")
    }
    // A file that says nothing, /dev/null for instance, leaves everything at its default.
    if text.allSatisfy({ $0.isWhitespace || $0 == "\u{FEFF}" }) { return ConfigurationFile() }

    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    decoder.userInfo[registryKey] = registry
    do {
      return try decoder.decode(ConfigurationFile.self, from: Data(bytes))
    } catch let error as ConfigurationKeyError {
      let key = error.path.isEmpty ? "the configuration" : "'\(error.path.joined(separator: "."))'"
      let line = error.path.last.flatMap { lineNumber(ofKey: $0, in: text) }.map { ":\($0)" } ?? ""
      throw ConfigurationError("\(path)\(line): \(key) \(error.reason)")
    } catch {
      throw ConfigurationError(
        "\(path): this is not valid JSON5; look for a quote or a bracket that is not closed, or a missing comma")
    }
  }

  private static func content(of path: String) throws -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw ConfigurationError("\(path): the configuration cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw ConfigurationError("\(path): the configuration cannot be read: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// The first line on which a key stands before a colon. The decoder does not tell where it read a value.
  private static func lineNumber(ofKey key: String, in text: String) -> Int? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.firstIndex { line in
      line.split(separator: key, omittingEmptySubsequences: false).dropFirst().contains { rest in
        rest.drop { "\"'".contains($0) || $0.isWhitespace }.first == ":"
      }
    }.map { $0 + 1 }
  }
}
