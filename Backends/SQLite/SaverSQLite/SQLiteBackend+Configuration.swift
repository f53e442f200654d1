#if SQLite
extension SQLiteBackend {
  /// What can be configured.
  public struct Configuration: Decodable, Hashable, Sendable {
    /// How much a commit waits for.
    public enum Synchronous: String, Hashable, Sendable, CaseIterable {
      /// Until the commit is on the disk: it survives a power cut.
      case full
      /// Not at all: after a power cut the last commits may be missing. The store stays whole.
      case normal
    }

    public var synchronous: Synchronous

    public init(synchronous: Synchronous = .full) {
      self.synchronous = synchronous
    }

    private enum CodingKeys: String, CodingKey {
      case synchronous
    }

    /// - Throws: `DecodingError` that lists the known values if one is unknown.
    public init(from decoder: any Decoder) throws {
      self.init()
      let container = try decoder.container(keyedBy: CodingKeys.self)
      guard let word = try container.decodeIfPresent(String.self, forKey: .synchronous) else { return }
      guard let known = Synchronous(rawValue: word) else {
        let words = Synchronous.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        throw DecodingError.dataCorruptedError(
          forKey: .synchronous, in: container, debugDescription: "synchronous is \(words), not \"\(word)\"")
      }
      synchronous = known
    }
  }
}
#endif
