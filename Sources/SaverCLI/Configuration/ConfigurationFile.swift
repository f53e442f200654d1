import FoundationEssentials
import SaverCore
import SaverKit

/// The content of a configuration file, decoded and checked key by key. What the file does not say is `nil`.
///
/// A key that stands twice: the first wins.
struct ConfigurationFile: Decodable {
  var backend: String?
  var store: String?
  var busyTimeoutMilliseconds: Int?
  /// The engines' own parts, by backend name; each is of its backend's configuration type.
  var engines: [String: any Sendable] = [:]
  var history = History()
  var list = List()
  var share = Share()

  struct History: Sendable {
    var keepChanges: Int?
    var keepMiB: Int?
    var keepRows: Bool?
  }

  struct List: Sendable {
    var limit: Int?
    var format: ListFormat?
  }

  struct Share: Sendable {
    var duplicates: DuplicatePolicy?
  }

  /// The file says nothing.
  init() {}

  /// The registry whose backends' parts the decoder reads.
  static let registryKey = CodingUserInfoKey(rawValue: "registry")!

  init(from decoder: any Decoder) throws {
    let registry = decoder.userInfo[Self.registryKey] as? BackendRegistry ?? BackendRegistry([])
    let section = try ConfigurationSection(
      decoder,
      keys: ["backend", "store", "busyTimeoutMilliseconds", "history", "list", "share"] + registry.names)
    backend = try section.choice("backend", of: registry.names)
    store = try section.nonEmptyText("store")
    busyTimeoutMilliseconds = try section.number("busyTimeoutMilliseconds", in: 0...86_400_000)
    for backend in registry.backends {
      if let part = try section.section(backend.name, keys: Array(backend.configurationKeys.keys)) {
        engines[backend.name] = try Self.configuration(of: backend, part)
      }
    }
    if let part = try section.section("history", keys: ["keepChanges", "keepMiB", "keepRows"]) {
      history.keepChanges = try part.number("keepChanges", in: 1...1_000_000_000)
      history.keepMiB = try part.number("keepMiB", in: 1...1_000_000)
      history.keepRows = try part.boolean("keepRows")
    }
    if let part = try section.section("list", keys: ["limit", "format"]) {
      list.limit = try part.number("limit", in: 1...1_000_000_000)
      list.format = try part.choice("format", of: ListFormat.allCases.map(\.rawValue)).flatMap(ListFormat.init)
    }
    if let part = try section.section("share", keys: ["duplicates"]) {
      let names = DuplicatePolicy.allCases.map(\.rawValue)
      share.duplicates = try part.choice("duplicates", of: names).flatMap(DuplicatePolicy.init)
    }
  }

  private static func configuration<Backend: StorageBackend>(
    of backend: Backend.Type, _ part: ConfigurationSection
  ) throws -> any Sendable {
    do {
      return try Backend.Configuration(from: part.decoder)
    } catch let error as DecodingError {
      throw ConfigurationKeyError(path: part.path, reason: error.reason)
    } catch let error as StorageError {
      throw ConfigurationKeyError(path: part.path, reason: error.message)
    }
  }
}

extension DecodingError {
  /// The decoder's own words, with the key that it speaks of.
  var reason: String {
    let context: Context? =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        context
      @unknown default: nil
      }
    guard let context else { return "cannot be read" }
    let key = context.codingPath.last.map { "'\($0.stringValue)': " } ?? ""
    return key + context.debugDescription
  }
}
