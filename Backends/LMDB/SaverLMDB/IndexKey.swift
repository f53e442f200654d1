#if LMDB
import CLMDB
import Glibc
import SaverCore

/// The keys of index databases: the columns' values as a tuple, a marker, and the row's id.
///
/// LMDB's keys have at most 511 bytes. A tuple of up to 494 bytes stands in its key whole, before the marker 0x30; of a
/// longer one the first 494 bytes do, before 0x31: a cut key. Keys that share the cut bytes lie side by side, in the order
/// of their ids and not of their values: whoever wants the order gathers such a run and sorts it by the rows.
///
/// Behind a value comes another value's type code, a marker, or, where a text goes on after a NUL, 0xff: so the keys that
/// begin with the values P are those from P up to P + 0xff.
enum IndexKey {
  static let tupleMax = 494
  static let whole: UInt8 = 0x30
  static let cut: UInt8 = 0x31
  static let idSize = 16

  /// Whether a key is a cut one.
  @inline(__always) static func isCut(_ key: MDB_val) -> Bool {
    key.mv_size == tupleMax + 1 + idSize && key.mv_data.load(fromByteOffset: tupleMax, as: UInt8.self) == cut
  }

  /// The id at the end of a key; `nil` if another program's key is too short to have one.
  @inline(__always) static func id(_ key: MDB_val) -> MDB_val? {
    guard key.mv_size > idSize, let data = key.mv_data else { return nil }
    return MDB_val(mv_size: idSize, mv_data: data + (key.mv_size - idSize))
  }

  /// Whether a cut key begins with the same bytes as `prefix`, an earlier one's first ``tupleMax``.
  static func isCut(_ key: MDB_val, sharing prefix: [UInt8]) -> Bool {
    isCut(key) && memcmp(key.mv_data, prefix, tupleMax) == 0
  }

  /// Appends the key of a row to `keys`.
  static func append(
    _ index: Table.Index, _ type: RecordType, _ row: borrowing RowView, to keys: inout TupleBuffer
  ) {
    let start = keys.count
    for column in index.columns {
      if column < row.count {
        keys.append(row[slot: column], as: type.type(ofColumn: column))
      } else {
        keys.append(derived: column, type, row)
      }
    }
    if keys.count - start > tupleMax {
      keys.truncate(to: start + tupleMax)
      keys.append(byte: cut)
    } else {
      keys.append(byte: whole)
    }
    keys.append(bytes: row[slot: 0].bytes)
  }
}

extension TupleBuffer {
  @inline(never)
  fileprivate mutating func append(derived column: Int, _ type: RecordType, _ row: borrowing RowView) {
    var text = type.derivedValue(ofColumn: column, in: row)
    // A text hands out its bytes only to a closure, and a closure cannot capture what is passed inout and noncopyable.
    let copy = text.withUTF8 { bytes in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
      copy.copyMemory(from: UnsafeRawBufferPointer(bytes))
      return UnsafeRawBufferPointer(start: copy.baseAddress, count: bytes.count)
    }
    defer { copy.baseAddress?.deallocate() }
    append(.bytes(.text, copy.baseAddress, copy.count), as: .string)
  }
}
#endif
