#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

/// Appends to the change history what one transaction changes; its memory is used for change after change.
///
/// A change is prepared while the old row is still where it was, and appended when the new one has been written.
struct HistoryWriter: ~Copyable {
  /// The value of the change that is prepared.
  private var base: UnsafeMutableRawPointer
  private var capacity = 4_096
  private var count = 0
  /// The sequence of the next change, as the key wants it.
  private let key: UnsafeMutablePointer<Int64>

  /// On the database of the changes; `nil` until this transaction's part begins.
  private var cursor: OpaquePointer?
  /// The newest entry before this transaction's own; `nil` if the history is empty.
  private(set) var previous: TransactionMark?
  /// The first sequence of the entry that is to come.
  private(set) var first: Int64 = 1
  private(set) var next: Int64 = 1
  /// How large the changes since `first` are.
  private(set) var bytes: Int64 = 0
  /// Whether an entry for other programs' changes was written.
  private(set) var hasForeignEntry = false

  /// The greatest value that LMDB holds.
  private static let valueMax = 0xffff_ffff

  init() {
    key = .allocate(capacity: 1)
    key.initialize(to: 0)
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    key.deallocate()
    base.deallocate()
  }

  /// Whether this transaction's part has begun.
  var isBegun: Bool { cursor != nil }

  /// - Parameters:
  ///   - first: where the entry to come begins, if not behind the one before it.
  ///   - cursor: on the database of the changes, open until ``end()``.
  mutating func begin(after previous: TransactionMark?, first: Int64? = nil, next: Int64, _ cursor: OpaquePointer) {
    self.cursor = cursor
    self.previous = previous
    self.first = first ?? (previous?.sequences.upperBound ?? 0) + 1
    self.next = next
    bytes = 0
    hasForeignEntry = false
  }

  mutating func end() {
    cursor = nil
    previous = nil
  }

  /// How many changes the entry to come has.
  var changes: Int { Int(next - first) }

  /// The mark of the entry to come.
  func mark(snapshot: UInt64) -> TransactionMark {
    TransactionMark(
      sequences: first...next - 1, nonce: .random(in: 1 ... .max), snapshot: snapshot,
      number: (previous?.number ?? 0) + 1, bytes: bytes, bytesInAll: (previous?.bytesInAll ?? 0) + bytes)
  }

  /// What comes now belongs to another entry.
  mutating func close(_ entry: TransactionEntry) {
    previous = entry.mark
    first = next
    bytes = 0
    if entry.author == .foreign { hasForeignEntry = true }
  }

  /// Notes that entries before this transaction's own have lost so many bytes.
  mutating func deduct(_ bytes: Int64) { previous?.bytesInAll -= bytes }

  // MARK: Changes

  /// Appends an insert; returns LMDB's result.
  @inline(__always)
  mutating func append(insertOf id: MDB_val, _ table: Table) -> Int32 {
    prepare(.insert, table, id: id, old: nil)
    return append()
  }

  /// Makes the value of a change; `old` is copied.
  @inline(__always)
  mutating func prepare(_ kind: HistoryChange.Kind, _ table: Table, id: MDB_val, old: MDB_val?) {
    let oldSize = old?.mv_size ?? 0
    let size = 1 + table.encodedName.count + 2 + id.mv_size + 1
    if size + 5 + oldSize > capacity { grow(toHold: size + 5 + oldSize) }
    base.storeBytes(of: 0x94, as: UInt8.self)
    count = 1
    table.encodedName.withUnsafeBytes { copy($0.baseAddress, $0.count) }
    base.storeBytes(of: 0xc4, toByteOffset: count, as: UInt8.self)
    base.storeBytes(of: UInt8(truncatingIfNeeded: id.mv_size), toByteOffset: count + 1, as: UInt8.self)
    count += 2
    copy(id.mv_data, id.mv_size)
    base.storeBytes(of: UInt8(truncatingIfNeeded: kind.code), toByteOffset: count, as: UInt8.self)
    count += 1
    // What would not fit is not kept.
    if let old, size + 5 + oldSize <= Self.valueMax {
      MessagePack.header(.blob, count: oldSize) {
        base.storeBytes(of: $0, toByteOffset: count, as: UInt8.self)
        count += 1
      }
      copy(old.mv_data, oldSize)
    } else {
      base.storeBytes(of: 0xc0, toByteOffset: count, as: UInt8.self)
      count += 1
    }
  }

  /// Appends an entry that says that anything may have changed; returns LMDB's result.
  mutating func appendUnknown() -> Int32 {
    let bytes =
      [0x94, 0xa0, 0xc4, 0x10] + [UInt8](repeating: 0, count: 16) + [UInt8(HistoryChange.Kind.unknown.code), 0xc0]
    count = 0
    bytes.withUnsafeBytes { copy($0.baseAddress, $0.count) }
    return append()
  }

  /// Appends the change that was prepared; returns LMDB's result.
  @inline(__always)
  mutating func append() -> Int32 {
    key.pointee = next.bigEndian
    var key = MDB_val(mv_size: HistoryFormat.keySize, mv_data: self.key)
    var value = MDB_val(mv_size: count, mv_data: base)
    bytes += Int64(HistoryFormat.keySize + count)
    next += 1
    let result = mdb_cursor_put(cursor, &key, &value, UInt32(MDB_APPEND))
    // Another program may have left a key that is no sequence at the end.
    return result == MDB_KEYEXIST ? mdb_cursor_put(cursor, &key, &value, 0) : result
  }

  @inline(__always) private mutating func copy(_ bytes: UnsafeRawPointer?, _ size: Int) {
    if let bytes { (base + count).copyMemory(from: bytes, byteCount: size) }
    count += size
  }

  @inline(never) private mutating func grow(toHold size: Int) {
    base.deallocate()
    capacity = max(capacity * 2, size)
    base = .allocate(byteCount: capacity, alignment: 16)
  }
}
#endif
