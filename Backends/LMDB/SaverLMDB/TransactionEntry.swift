#if LMDB
import CLMDB
import FoundationEssentials
import Glibc
import SaverCore

/// The entry of a transaction: the mark, and who wrote what.
///
/// `[first, nonce, snapshot, number, bytes, bytes in all, author, user, operation, name, undoes, time]`
struct TransactionEntry {
  var mark: TransactionMark
  var author: HistoryTransaction.Author
  var user: UInt32?
  /// `nil` for what is no act of anybody's: another program's changes, a migration.
  var operation: WriteOperation?
  var time: Date

  /// An entry for what this process writes now.
  init(_ mark: TransactionMark, operation: WriteOperation?) {
    self.mark = mark
    author = .current
    user = ProcessUser.identifier
    self.operation = operation
    time = Self.now
  }

  /// An entry for what other programs have written, found now.
  init(foreign mark: TransactionMark) {
    self.mark = mark
    author = .foreign
    time = Self.now
  }

  private static var now: Date {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }

  /// Reads an entry; `nil` if it is none of ours.
  init?(key: MDB_val, value: MDB_val) {
    var rest: MessagePackReader?
    guard let mark = TransactionMark(key: key, value: value, rest: &rest), var reader = rest else { return nil }
    var slots = (Slot.null, Slot.null, Slot.null, Slot.null, Slot.null, Slot.null)
    guard reader.read(into: &slots.0), reader.read(into: &slots.1), reader.read(into: &slots.2),
      reader.read(into: &slots.3), reader.read(into: &slots.4), reader.read(into: &slots.5),
      slots.5.kind == .real
    else { return nil }
    self.mark = mark
    author = UUID(slots.0).map { .process($0) } ?? .foreign
    user = slots.1.kind == .integer ? UInt32(truncatingIfNeeded: slots.1.integer) : nil
    if let id = UUID(slots.2), slots.3.kind == .text {
      operation = WriteOperation(String(decoding: slots.3.bytes, as: UTF8.self), id: id, undoes: UUID(slots.4))
    }
    time = Date(timeIntervalSince1970: slots.5.real)
  }

  /// What the core calls it.
  var transaction: HistoryTransaction {
    HistoryTransaction(
      sequences: mark.sequences, author: author, user: user, operation: operation, time: time,
      nonce: author == .foreign ? 0 : mark.nonce)
  }

  /// Writes the value into `encoder`.
  func encode(into encoder: inout RowEncoder) {
    encoder.begin(columns: TransactionMark.elements)
    encoder.append(.integer(mark.sequences.lowerBound), isBoolean: false)
    withUnsafeBytes(of: mark.nonce.bigEndian) { encoder.append(.bytes(.blob, $0.baseAddress, 8), isBoolean: false) }
    for number in [Int64(bitPattern: mark.snapshot), mark.number, mark.bytes, mark.bytesInAll] {
      encoder.append(.integer(number), isBoolean: false)
    }
    if case .process(let id) = author { encoder.append(id) } else { encoder.append(nil as UUID?) }
    encoder.append(user.map { .integer(Int64($0)) } ?? .null, isBoolean: false)
    encoder.append(operation?.id)
    if var name = operation?.name {
      name.withUTF8 { encoder.append(.bytes(.text, $0.baseAddress, $0.count), isBoolean: false) }
    } else {
      encoder.append(.null, isBoolean: false)
    }
    encoder.append(operation?.undoes)
    encoder.append(.real(time.timeIntervalSince1970), isBoolean: false)
  }
}

extension RowEncoder {
  fileprivate mutating func append(_ id: UUID?) {
    guard let id else { return append(.null, isBoolean: false) }
    withUnsafeBytes(of: id.uuid) { append(.bytes(.blob, $0.baseAddress, $0.count), isBoolean: false) }
  }
}

extension UUID {
  /// The id in a blob of 16 bytes.
  fileprivate init?(_ slot: Slot) {
    guard slot.kind == .blob, slot.bytes.count == 16 else { return nil }
    self.init(uuid: slot.bytes.loadUnaligned(as: uuid_t.self))
  }
}
#endif
