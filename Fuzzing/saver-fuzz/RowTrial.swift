import CLMDB

@testable import SaverCore
@testable import SaverKit
@testable import SaverLMDB

/// Rows of LMDB's databases: the first byte says how much of the rest is the key, and the others are the value.
enum RowTrial {
  private static let types: [FieldType] = [.bool, .int, .double, .string, .data, .date, .uuid, .strings]

  static func run(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    guard let first = bytes.first else { return 0 }
    let size = min(Int(first), bytes.count - 1)
    let key = MDB_val(UnsafeRawBufferPointer(rebasing: bytes[1..<1 + size]))
    let value = MDB_val(UnsafeRawBufferPointer(rebasing: bytes[(1 + size)...]))
    let type = SavedItem.schema.type
    let count = type.fields.count
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: count) { slots in
      slots.initialize(repeating: .null)
      guard let start = slots.baseAddress else { return }
      RowFormat.read(value, key: key, into: start, count: count)
      let row = RowView(slots: UnsafePointer(start), count: count)
      for column in 0..<count {
        _ = row[slot: column].bytes.reduce(0) { $0 ^ $1 }
        for type in types { _ = try? StoredValue.decode(row, column, as: type) }
      }
      _ = try? SavedItem.schema.decode(row)
    }
    return 0
  }
}
