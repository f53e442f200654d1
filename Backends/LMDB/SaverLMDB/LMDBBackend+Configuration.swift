#if LMDB
import SaverCore

extension LMDBBackend {
  /// What can be configured.
  public struct Configuration: Decodable, Hashable, Sendable {
    static let mapSizeRange = 1...16_384

    /// How large a store can become, in GiB. The address space is reserved when the store is opened; memory and disk
    /// are used as far as the store needs them.
    public var mapSizeMaxGiB: Int {
      didSet { mapSizeMaxBytes = Self.bytes(mapSizeMaxGiB) }
    }

    /// The same in bytes; tests set less than a GiB.
    var mapSizeMaxBytes: Int

    public init(mapSizeMaxGiB: Int = 64) {
      self.mapSizeMaxGiB = mapSizeMaxGiB
      mapSizeMaxBytes = Self.bytes(mapSizeMaxGiB)
    }

    private enum CodingKeys: String, CodingKey {
      case mapSizeMaxGiB
    }

    /// - Throws: `DecodingError` that names the range if the size is out of it.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      guard let size = try container.decodeIfPresent(Int.self, forKey: .mapSizeMaxGiB) else {
        self.init()
        return
      }
      guard Self.mapSizeRange.contains(size) else {
        throw DecodingError.dataCorruptedError(
          forKey: .mapSizeMaxGiB, in: container, debugDescription: Self.rangeMessage(size))
      }
      self.init(mapSizeMaxGiB: size)
    }

    /// - Throws: ``StorageError`` with `invalidConfiguration`, for values that did not come from a decoder.
    func check() throws {
      guard Self.mapSizeRange.contains(mapSizeMaxGiB) else {
        throw StorageError(.invalidConfiguration, Self.rangeMessage(mapSizeMaxGiB) + ".")
      }
    }

    private static func rangeMessage(_ size: Int) -> String {
      "lmdb.mapSizeMaxGiB is \(mapSizeRange.lowerBound) to \(mapSizeRange.upperBound), not \(size)"
    }

    private static func bytes(_ size: Int) -> Int {
      min(max(size, mapSizeRange.lowerBound), mapSizeRange.upperBound) << 30
    }
  }
}
#endif
