#if LMDB
import FoundationEssentials
import SaverCore

extension Planner {
  /// The bytes that keys begin with when their leading columns have certain values.
  struct Keys {
    private let type: RecordType
    private let isPrimary: Bool
    private(set) var bytes: [UInt8] = []

    init(_ type: RecordType, isPrimary: Bool) {
      self.type = type
      self.isPrimary = isPrimary
    }

    /// Whether keys hold these bytes whole and the byte that follows, which tells whether a text goes on.
    var isExact: Bool { isPrimary || bytes.count < IndexKey.tupleMax }

    /// The keys that begin with these values; if the bytes are cut, all keys that cannot be told from them.
    var range: KeyRange {
      if bytes.isEmpty { return KeyRange() }
      if isPrimary { return KeyRange(lower: bytes, upper: bytes + [0]) }
      if isExact { return KeyRange(lower: bytes, upper: bytes + [0xff]) }
      let cut = Array(bytes.prefix(IndexKey.tupleMax))
      return KeyRange(lower: cut, upper: cut + [IndexKey.cut + 1])
    }

    /// Whether a value of the column has a place among the keys. A nil id has none.
    func canBound(_ column: Int, _ value: StoredValue) -> Bool {
      isPrimary ? value != .null : type.type(ofColumn: column) != .strings
    }

    mutating func append(_ value: StoredValue, _ column: Int) {
      if isPrimary {
        guard case .uuid(let id) = value else { return }
        bytes += withUnsafeBytes(of: id.uuid) { Array($0) }
      } else {
        var tuple = TupleBuffer()
        tuple.append(value, as: type.type(ofColumn: column))
        bytes += tuple.bytes
      }
    }

    func appending(_ value: StoredValue, _ column: Int) -> Keys {
      var keys = self
      keys.append(value, column)
      return keys
    }

    /// The least bytes behind those of a nil in the next column; `nil` if that lies beyond what keys hold.
    func afterNull() -> [UInt8]? {
      isPrimary ? [] : isExact ? bytes + [1] : nil
    }

    /// The keys whose next column begins with a text.
    func prefix(_ text: String, _ column: Int) -> (range: KeyRange, isExact: Bool)? {
      guard !isPrimary, type.type(ofColumn: column) == .string else { return nil }
      var keys = appending(.text(text), column)
      // Without the end of the text.
      keys.bytes.removeLast()
      guard keys.isExact else { return (keys.range, false) }
      var upper = keys.bytes
      while upper.last == 0xff { upper.removeLast() }
      guard !upper.isEmpty else { return nil }
      upper[upper.count - 1] += 1
      return (KeyRange(lower: keys.bytes, upper: upper), true)
    }
  }
}
#endif
