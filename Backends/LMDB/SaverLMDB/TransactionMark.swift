#if LMDB
import CLMDB
import SaverCore

/// The part of a transaction's entry that is needed at every look at the history: numbers, which cost nothing to read.
struct TransactionMark {
  /// From its first change to its last, which is the key.
  var sequences: ClosedRange<Int64>
  /// Random and never 0, in an entry for another program's changes as well.
  var nonce: UInt64
  /// LMDB's number of the transaction that wrote the entry: who finds another on the store knows that a program has
  /// written that keeps no history.
  var snapshot: UInt64
  /// Counts the entries since the store was made.
  var number: Int64
  /// How large its changes are, keys and values.
  var bytes: Int64
  /// How large all changes since the store was made are, its own included: the difference of two entries is what lies
  /// between them.
  var bytesInAll: Int64

  static let elements = 12

  /// Whether a number is one that our writers can have counted to: more is another program's garbage, and could overflow.
  static func isCounted(_ number: Int64) -> Bool { number >= 0 && number < 1 << 60 }

  init(
    sequences: ClosedRange<Int64>, nonce: UInt64, snapshot: UInt64, number: Int64, bytes: Int64, bytesInAll: Int64
  ) {
    self.sequences = sequences
    self.nonce = nonce
    self.snapshot = snapshot
    self.number = number
    self.bytes = bytes
    self.bytesInAll = bytesInAll
  }

  /// Reads an entry; `nil` if it is none of ours.
  init?(key: MDB_val, value: MDB_val) {
    var rest: MessagePackReader?
    self.init(key: key, value: value, rest: &rest)
  }

  /// - Parameter rest: behind the mark.
  init?(key: MDB_val, value: MDB_val, rest: inout MessagePackReader?) {
    guard let last = HistoryFormat.sequence(key),
      var reader = MessagePackReader(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)),
      let count = reader.arrayHeader(), count >= Self.elements, let first = reader.number(), first > 0, first <= last,
      let nonce = reader.blob(), nonce.count == 8, let snapshot = reader.number(), let number = reader.number(),
      let bytes = reader.number(), let bytesInAll = reader.number(),
      Self.isCounted(last), Self.isCounted(number), Self.isCounted(bytes), Self.isCounted(bytesInAll)
    else { return nil }
    self.init(
      sequences: first...last, nonce: UInt64(bigEndian: nonce.loadUnaligned(as: UInt64.self)),
      snapshot: UInt64(bitPattern: snapshot), number: number, bytes: bytes, bytesInAll: bytesInAll)
    rest = reader
  }
}

extension MessagePackReader {
  /// Reads an int.
  mutating func number() -> Int64? {
    var slot = Slot.null
    let start = self
    guard read(into: &slot), slot.kind == .integer else {
      self = start
      return nil
    }
    return slot.integer
  }
}
#endif
