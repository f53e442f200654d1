import FoundationEssentials

/// What the records of a snapshot amount to: two stores with equal contents hold the same records, value for value,
/// whichever engine keeps them.
public struct StoreContent: Hashable, Sendable {
  /// How many records there are.
  public var count: Int
  /// SHA-256 over every value of every record, in the order of types and ids; 64 hexadecimal digits.
  public var digest: String

  public init(count: Int, digest: String) {
    self.count = count
    self.digest = digest
  }
}

extension TransactionReading where Self: ~Copyable {
  /// The content of the snapshot, as far as it is of these types.
  ///
  /// - Throws: ``StorageError``; `damagedRow` if a row does not fit its schema.
  /// - Complexity: reads every row; keeps none.
  public func content(of types: [RecordType]) throws -> StoreContent {
    var builder = StoreContentBuilder()
    for type in types { try engine.forEachRow(of: type) { builder.add($0, of: type) } }
    return builder.content
  }
}

/// Adds records up to a ``StoreContent``.
///
/// What is hashed says where each value ends, so that no two lists of records give the same bytes: the type's name and,
/// for each value, a letter for its kind and its size.
struct StoreContentBuilder {
  private(set) var count = 0
  private var hash = SHA256()
  private var bytes: [UInt8] = []

  var content: StoreContent {
    StoreContent(count: count, digest: hash.digest().map { UInt64($0).hexadecimal(digits: 2) }.joined())
  }

  /// Adds the next record; the caller keeps to the order of types and ids.
  mutating func add(_ values: [StoredValue], of type: RecordType) {
    count += 1
    bytes.removeAll(keepingCapacity: true)
    append("r", type.name.utf8)
    for value in values { append(value) }
    bytes.withUnsafeBytes { hash.update($0) }
  }

  private mutating func append(_ value: StoredValue) {
    switch value {
    case .null: append("n", EmptyCollection())
    case .bool(let value): append("b", [value ? 1 : 0])
    case .int(let value): append("i", Self.bytes(of: value.bigEndian))
    case .double(let value): append("d", Self.bytes(of: value.bitPattern.bigEndian))
    case .date(let value): append("t", Self.bytes(of: value.timeIntervalSince1970.bitPattern.bigEndian))
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { append("u", $0) }
    case .text(let value): append("s", value.utf8)
    case .data(let value): append("x", value)
    case .texts(let values):
      append("l", Self.bytes(of: values.count.bigEndian))
      for value in values { append("s", value.utf8) }
    }
  }

  private mutating func append(_ kind: Unicode.Scalar, _ content: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: kind))
    bytes += Self.bytes(of: content.count.bigEndian)
    bytes += content
  }

  private static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }
}

extension EngineReadTransaction {
  /// Calls `body` with the values of each row, in the order of the ids.
  ///
  /// - Throws: ``StorageError``; `damagedRow` if a row does not fit its schema.
  func forEachRow(of type: RecordType, _ body: ([StoredValue]) throws -> Void) throws {
    try scan(try Selection(type)) { row in
      let values: [StoredValue]
      do { values = try Self.values(of: row, type) } catch { throw damaged(type, row, error) }
      try body(values)
      return true
    }
  }

  private static func values(of row: borrowing RowView, _ type: RecordType) throws -> [StoredValue] {
    var values: [StoredValue] = []
    values.reserveCapacity(type.fields.count)
    for (column, field) in type.fields.enumerated() {
      let value = try StoredValue.decode(row, column, as: field.type)
      if value == .null && !field.isOptional { throw RowError(column: column, reason: "holds nothing") }
      values.append(value)
    }
    return values
  }
}
