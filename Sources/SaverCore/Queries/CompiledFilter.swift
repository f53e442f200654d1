import SaverText

/// A filter made ready for one record type, to be evaluated row by row on encoded values.
///
/// The residual part of every query comes here, whichever engine runs it. Evaluation decodes nothing and allocates
/// nothing, but for the conditions that need Characters, folding of texts beyond ASCII, or a derived value.
/// A column that does not hold its field's type is treated as null: decoding the row is what reports it.
///
/// Isolation: one evaluation at a time; make one for each scan.
public final class CompiledFilter {
  private let type: RecordType
  private let condition: Condition
  /// The columns of fields that evaluating looks at, each once, in order. All others of a row may be left out.
  public let columns: [Int]

  /// A node with its columns resolved and its constants encoded.
  private indirect enum Condition {
    case constant(Bool)
    case not(Condition)
    case all([Condition])
    case any([Condition])
    case isNull(column: Int)
    case compare(column: Int, Comparison, EncodedValue)
    case compareColumns(Int, Comparison, Int)
    case count(column: Int, Comparison, Int)
    case isIn(column: Int, [EncodedValue], orNull: Bool)
    case text(column: Int, TextCondition, EncodedValue)
    case hasElement(column: Int, EncodedValue)
    case search(columns: [Int], Search)
  }

  /// A matcher with the memory that it folds texts into.
  private final class Search {
    var matcher: SearchMatcher

    init(_ query: String) {
      matcher = SearchMatcher(SearchWords(query))
    }
  }

  private enum TextCondition {
    case contains, hasPrefix, hasSuffix
  }

  /// - Throws: ``StorageError`` with `invalidQuery` if the filter does not fit the type.
  public init(_ filter: Filter, _ type: RecordType) throws {
    try type.check(filter)
    self.type = type
    condition = Self.compile(filter, type)
    var columns: [Int] = []
    filter.forEachField { field in
      let column = type.column(named: field)!  // checked before
      // A derived value is computed from its source.
      let isDerived = column >= type.fields.count
      let read = isDerived ? type.column(named: type.derived[column - type.fields.count].source)! : column
      if !columns.contains(read) { columns.append(read) }
    }
    self.columns = columns.sorted()
  }

  private static func compile(_ filter: Filter, _ type: RecordType) -> Condition {
    func column(_ name: String) -> Int { type.column(named: name)! }  // checked before
    switch filter {
    case .constant(let value): return .constant(value)
    case .not(let inner): return .not(compile(inner, type))
    // The residual part of a query is a conjunction, and nearly always of one condition.
    case .and(let parts) where parts.count == 1: return compile(parts[0], type)
    case .and(let parts): return .all(parts.map { compile($0, type) })
    case .or(let parts): return .any(parts.map { compile($0, type) })
    case .compare(let field, .equal, .null): return .isNull(column: column(field))
    case .compare(let field, .notEqual, .null): return .not(.isNull(column: column(field)))
    case .compare(_, _, .null): return .constant(false)
    case .compare(let field, let comparison, let value):
      return .compare(column: column(field), comparison, EncodedValue(value))
    case .compareFields(let field, let comparison, let other):
      return .compareColumns(column(field), comparison, column(other))
    case .count(let field, let comparison, let count): return .count(column: column(field), comparison, count)
    case .isIn(let field, let values):
      let constants = values.filter { $0 != .null }.map { EncodedValue($0) }
      return .isIn(column: column(field), constants, orNull: constants.count < values.count)
    case .contains(let field, let text): return .text(column: column(field), .contains, EncodedValue(.text(text)))
    case .hasPrefix(let field, let text): return .text(column: column(field), .hasPrefix, EncodedValue(.text(text)))
    case .hasSuffix(let field, let text): return .text(column: column(field), .hasSuffix, EncodedValue(.text(text)))
    case .hasElement(let field, let text): return .hasElement(column: column(field), EncodedValue(.text(text)))
    case .search(let fields, let query): return .search(columns: fields.map(column), Search(query))
    }
  }

  /// Whether the filter is true of a row.
  public func matches(_ row: borrowing RowView) -> Bool {
    evaluate(condition, row)
  }

  private func evaluate(_ condition: Condition, _ row: borrowing RowView) -> Bool {
    switch condition {
    case .constant(let value): return value
    case .not(let inner): return !evaluate(inner, row)
    case .all(let parts):
      for part in parts where !evaluate(part, row) { return false }
      return true
    case .any(let parts):
      for part in parts where evaluate(part, row) { return true }
      return false
    case .isNull(let column):
      return column < row.count && row[slot: column].kind == .null
    case .compare(let column, let comparison, let constant):
      return withSlot(column, row) { slot in
        guard let order = Slot.order(slot, constant.slot) else { return comparison == .notEqual }
        return comparison.holds(order)
      }
    case .compareColumns(let first, let comparison, let second):
      return withSlot(first, row) { slot in
        withSlot(second, row) { other in
          guard let order = Slot.order(slot, other) else {
            let areEqual = slot.kind == .null && other.kind == .null
            return comparison == (areEqual ? .equal : .notEqual)
          }
          return comparison.holds(order)
        }
      }
    case .count(let column, let comparison, let count):
      return withSlot(column, row) { slot in
        guard let found = slot.count(as: type.type(ofColumn: column)) else { return comparison == .notEqual }
        return comparison.holds(found < count ? -1 : found > count ? 1 : 0)
      }
    case .isIn(let column, let constants, let orNull):
      return withSlot(column, row) { slot in
        if slot.kind == .null { return orNull }
        return constants.contains { Slot.order(slot, $0.slot) == 0 }
      }
    case .text(let column, let condition, let constant):
      return withSlot(column, row) { slot in
        guard slot.kind == .text else { return false }
        switch condition {
        case .contains: return slot.bytes.contains(constant.slot.bytes)
        case .hasPrefix: return slot.bytes.starts(with: constant.slot.bytes)
        case .hasSuffix: return slot.bytes.suffix(constant.slot.bytes.count).elementsEqual(constant.slot.bytes)
        }
      }
    case .hasElement(let column, let constant):
      let slot = row[slot: column]
      return slot.kind != .null && (try? StringList.contains(slot, constant.slot.bytes, column)) == true
    case .search(let columns, let search):
      search.matcher.begin()
      for column in columns {
        if search.matcher.isMatch { break }
        withSlot(column, row) { slot in slot.forEachText { _ = search.matcher.look(in: $0) } }
      }
      return search.matcher.isMatch
    }
  }

  /// The slot of a column. A derived one is computed from its source.
  private func withSlot<Result>(
    _ column: Int, _ row: borrowing RowView, _ body: (Slot) -> Result
  ) -> Result {
    guard column >= row.count else { return body(row[slot: column]) }
    var text = type.derivedValue(ofColumn: column, in: row)
    return text.withUTF8 { body(.bytes(.text, $0.baseAddress.map { UnsafeRawPointer($0) }, $0.count)) }
  }
}

extension Filter {
  /// Names each field that the filter speaks of, some more than once.
  fileprivate func forEachField(_ body: (String) -> Void) {
    switch self {
    case .constant: break
    case .not(let inner): inner.forEachField(body)
    case .and(let parts), .or(let parts): for part in parts { part.forEachField(body) }
    case .compare(let field, _, _), .count(let field, _, _), .isIn(let field, _), .contains(let field, _),
      .hasPrefix(let field, _), .hasSuffix(let field, _), .hasElement(let field, _):
      body(field)
    case .compareFields(let field, _, let other):
      body(field)
      body(other)
    case .search(let fields, _): for field in fields { body(field) }
    }
  }
}

extension RecordType {
  /// The value of a derived column; empty if its source is null, or no valid text.
  public func derivedValue(ofColumn column: Int, in row: borrowing RowView) -> String {
    let field = derived[column - fields.count]
    guard let source = self.column(named: field.source), row[slot: source].kind == .text,
      let text = String(validating: row[slot: source].bytes)
    else { return "" }
    return field.compute(text)
  }
}

extension Slot {
  /// The number of parts: see ``Filter/count(_:_:_:)``.
  fileprivate func count(as type: FieldType) -> Int? {
    switch kind {
    case .null, .integer, .real: nil
    case .blob: bytes.count
    case .packedList:
      MessagePackReader(bytes).flatMap { reader in
        var reader = reader
        return reader.arrayHeader()
      }
    case .text where type == .string: String(validating: bytes)?.count
    case .jsonList, .text: try? StringList.decode(self, 0).count
    }
  }

  /// The bytes of a text, or of each element of a list; of nothing else.
  fileprivate func forEachText(_ body: (UnsafeRawBufferPointer) -> Void) {
    switch kind {
    case .null, .integer, .real, .blob: break
    case .text: body(bytes)
    case .packedList:
      guard var reader = MessagePackReader(bytes), let count = reader.arrayHeader() else { return }
      for _ in 0..<count {
        guard let text = reader.text() else { return }
        body(text)
      }
    case .jsonList:
      // Decoding costs an array and a text for each element.
      if JSONListReader.forEachPlainElement(bytes, body) { return }
      for var text in (try? StringList.decode(self, 0)) ?? [] {
        text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
      }
    }
  }
}
