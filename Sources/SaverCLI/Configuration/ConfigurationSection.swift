import FoundationEssentials

/// A key of a configuration file that cannot be used. The reader of the file adds its path and line.
struct ConfigurationKeyError: Error {
  /// The keys from the top: `["list", "limit"]`.
  var path: [String]
  var reason: String
}

/// One object of a configuration file, which knows all of its keys.
struct ConfigurationSection {
  let decoder: any Decoder
  let path: [String]
  private let container: KeyedDecodingContainer<Key>

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// - Throws: ``ConfigurationKeyError`` if it is no object, or has a key that is not among `keys`.
  init(_ decoder: any Decoder, keys: [String], path: [String] = []) throws {
    self.decoder = decoder
    self.path = path
    do {
      container = try decoder.container(keyedBy: Key.self)
    } catch {
      throw ConfigurationKeyError(path: path, reason: "must be an object, { … }")
    }
    for key in container.allKeys where !keys.contains(key.stringValue) {
      let name = key.stringValue
      let remedy =
        Suggestion.nearest(to: name, among: keys).map { "did you mean '\($0)'?" }
        ?? "known are \(keys.sorted().joined(separator: ", "))"
      throw ConfigurationKeyError(path: path + [name], reason: "is no key of the configuration; \(remedy)")
    }
  }

  /// The object at a key, if the key is there.
  func section(_ key: String, keys: [String]) throws -> ConfigurationSection? {
    guard container.contains(Key(stringValue: key)) else { return nil }
    return try ConfigurationSection(
      container.superDecoder(forKey: Key(stringValue: key)), keys: keys, path: path + [key])
  }

  func nonEmptyText(_ key: String) throws -> String? {
    guard let text: String = try value(key, "a text") else { return nil }
    guard !text.isEmpty else { throw invalid(key, "must be a text, and is empty") }
    return text
  }

  func boolean(_ key: String) throws -> Bool? {
    try value(key, "true or false")
  }

  func number(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let number: Int = try value(key, "a whole number") else { return nil }
    guard range.contains(number) else {
      throw invalid(key, "must lie between \(range.lowerBound) and \(range.upperBound), and is \(number)")
    }
    return number
  }

  func choice(_ key: String, of values: [String]) throws -> String? {
    let wanted = "one of " + values.map { "\"\($0)\"" }.joined(separator: ", ")
    guard let text: String = try value(key, wanted) else { return nil }
    guard values.contains(text) else { throw invalid(key, "must be \(wanted), and is \"\(text)\"") }
    return text
  }

  private func value<Value: Decodable>(_ key: String, _ wanted: String) throws -> Value? {
    let codingKey = Key(stringValue: key)
    guard container.contains(codingKey) else { return nil }
    do {
      return try container.decode(Value.self, forKey: codingKey)
    } catch {
      throw invalid(key, "must be \(wanted)")
    }
  }

  private func invalid(_ key: String, _ reason: String) -> ConfigurationKeyError {
    ConfigurationKeyError(path: path + [key], reason: reason)
  }
}
