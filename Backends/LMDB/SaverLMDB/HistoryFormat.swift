#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

/// The databases of the change history. Keys are sequences, 8 bytes big-endian; values are MessagePack arrays.
enum HistoryFormat {
  /// By sequence: `[type, id, kind, old row]`.
  static let changes = "history"
  /// By the sequence of their last change: see ``TransactionMark`` and ``TransactionEntry``.
  static let transactions = "transactions"

  static let keySize = 8

  /// The sequence that a key is; `nil` if another program's key is none.
  @inline(__always) static func sequence(_ key: MDB_val) -> Int64? {
    guard key.mv_size == keySize, let data = key.mv_data else { return nil }
    return Int64(bigEndian: data.loadUnaligned(as: Int64.self))
  }

  static func withKey<Result>(_ sequence: Int64, _ body: (inout MDB_val) throws -> Result) rethrows -> Result {
    var bytes = sequence.bigEndian
    return try withUnsafeMutableBytes(of: &bytes) { bytes in
      var key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return try body(&key)
    }
  }

  static let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// A change as its value says it.
  struct Change {
    /// The bytes of the name of the record type.
    var type: UnsafeRawBufferPointer
    var id: UnsafeRawBufferPointer
    var kind: HistoryChange.Kind
    /// The row before it, as the rows' database had it; `nil` if it is not kept.
    var old: UnsafeRawBufferPointer?

    /// Takes a value apart without copying; `nil` if it is none of ours.
    init?(_ value: MDB_val) {
      guard
        var reader = MessagePackReader(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)),
        let count = reader.arrayHeader(), count >= 4, let type = reader.text(), let id = reader.blob(), id.count == 16
      else { return nil }
      var slot = Slot.null
      guard reader.read(into: &slot), slot.kind == .integer, let kind = HistoryChange.Kind(code: slot.integer),
        reader.read(into: &slot), slot.kind == .null || slot.kind == .blob
      else { return nil }
      self.type = type
      self.id = id
      self.kind = kind
      old = slot.kind == .blob ? slot.bytes : nil
    }
  }
}

extension HistoryChange.Kind {
  /// What stands for it in the file.
  var code: Int64 {
    switch self {
    case .insert: 0
    case .update: 1
    case .delete: 2
    case .unknown: 3
    }
  }

  init?(code: Int64) {
    switch code {
    case 0: self = .insert
    case 1: self = .update
    case 2: self = .delete
    case 3: self = .unknown
    default: return nil
    }
  }
}
#endif
