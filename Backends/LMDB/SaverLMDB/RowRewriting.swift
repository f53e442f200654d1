#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

/// Rows of an older schema as rows of the program's: each stored element as it is, and defaults.
struct RowRewriting: ~Copyable {
  private enum Column {
    case stored(Int)
    case constant([UInt8])
  }

  private let columns: [Column]
  private let storedCount: Int
  private var encoder = RowEncoder()

  init(_ table: Table, _ migration: SchemaMigration) throws {
    storedCount = migration.from.fields.count
    columns = try migration.columns.enumerated().map { index, source in
      switch source {
      case .stored(let column): .stored(column)
      case .default(let value): .constant(try Self.encoded(value, isBoolean: table.isBoolean[index]))
      }
    }
  }

  private static func encoded(_ value: FieldDescription.Default, isBoolean: Bool) throws -> [UInt8] {
    let value: StoredValue =
      switch value {
      case .none: .null
      case .value(let value): value
      case .now: .date(Date())
      }
    var writer = RowWriter(columns: 1, listEncoding: .messagePack)
    writer.begin()
    value.encode(into: &writer)
    return try writer.finish { row in
      var encoder = RowEncoder()
      encoder.begin(columns: 1)
      encoder.append(row[slot: 0], isBoolean: isBoolean)
      // Without the array's header, of one byte.
      return Array(UnsafeRawBufferPointer(start: encoder.value.mv_data, count: encoder.value.mv_size).dropFirst())
    }
  }

  /// The new value of a row. One that is no row stays as it is; an element that cannot be read becomes nil.
  mutating func value(of old: MDB_val) -> [UInt8] {
    let bytes = UnsafeRawBufferPointer(start: old.mv_data, count: old.mv_size)
    guard var reader = MessagePackReader(bytes), let count = reader.arrayHeader() else { return Array(bytes) }
    var elements: [UnsafeRawBufferPointer] = []
    var slot = Slot.null
    for _ in 0..<min(count, storedCount) {
      let start = reader.position
      guard reader.read(into: &slot) else { break }
      elements.append(UnsafeRawBufferPointer(start: start, count: reader.position - start))
    }
    encoder.begin(columns: columns.count)
    for column in columns {
      switch column {
      case .stored(let index) where index < elements.count: encoder.append(encoded: elements[index])
      case .stored: encoder.append(.null, isBoolean: false)
      case .constant(let bytes): bytes.withUnsafeBytes { encoder.append(encoded: $0) }
      }
    }
    return Array(UnsafeRawBufferPointer(start: encoder.value.mv_data, count: encoder.value.mv_size))
  }
}
#endif
