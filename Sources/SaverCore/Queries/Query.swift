public import FoundationEssentials

/// Which records, in which order, and how many of them: a value.
///
///     Query<Note> { $0.text.contains("swift") && !$0.isDone }
///       .sorted(by: \.createdAt, descending: true)
///       .limit(50)
///
/// Every order is made total by the record's id, which follows the direction of the last sort key; without a sort key,
/// records come in the order of their ids. A field that is named again later decides nothing there, not even that.
public struct Query<R: Record>: Hashable, Sendable {
  public var filter: Filter
  public var order: [SortKey]
  public var limit: Int?
  public var offset: Int
  /// The place after which the results begin; for the next page.
  public var position: Position?

  /// All records.
  public init() {
    self.init(filter: .constant(true))
  }

  public init(filter: Filter) {
    self.filter = filter
    order = []
    limit = nil
    offset = 0
    position = nil
  }

  /// The records that fulfil a condition on their fields, checked by the compiler.
  public init(where condition: (Fields<R>) -> Filter) {
    self.init(filter: condition(Fields()))
  }

  /// The records whose boolean field is true: `Query<Note> { $0.isDone }`.
  public init(where condition: (Fields<R>) -> FieldReference<R, Bool>) {
    self.init(filter: condition(Fields()) == true)
  }

  /// Adds a sort key, behind those that are there.
  public func sorted<Value: OrderedFieldValue>(
    by keyPath: any KeyPath<R, Value> & Sendable, descending: Bool = false
  ) -> Query {
    var query = self
    query.order.append(SortKey(field: R.fieldName(keyPath), descending: descending))
    return query
  }

  /// At most `count` results.
  public func limit(_ count: Int?) -> Query {
    precondition(count ?? 0 >= 0, "a limit cannot be negative")
    var query = self
    query.limit = count
    return query
  }

  /// Leaves out the first `count` results. Reads them all the same: for pages, use ``after(_:)``.
  public func offset(_ count: Int) -> Query {
    precondition(count >= 0, "an offset cannot be negative")
    var query = self
    query.offset = count
    return query
  }

  /// Only results behind `record` in this query's order: the next page, where `record` was the last of the one before.
  ///
  /// The place is remembered by the values of the sort keys (key-set paging): it stays right when records come and go,
  /// and costs no more on the last page than on the first. Set the sort keys first.
  public func after(_ record: R) -> Query {
    var query = self
    query.position = Position(of: record, in: order)
    return query
  }
}

/// A field to sort by.
public struct SortKey: Hashable, Sendable {
  public var field: String
  public var descending: Bool

  public init(field: String, descending: Bool = false) {
    self.field = field
    self.descending = descending
  }
}

/// A place in a sorted list: the values of the sort keys there, and the id.
public struct Position: Hashable, Sendable {
  public var values: [StoredValue]
  public var id: UUID

  public init(values: [StoredValue], id: UUID) {
    self.values = values
    self.id = id
  }

  /// The place of a record.
  ///
  /// - Precondition: the keys name fields of the record type.
  public init<R: Record>(of record: R, in order: [SortKey]) {
    let type = R.schema.type
    var writer = RowWriter(columns: type.fields.count, listEncoding: .messagePack)
    writer.begin()
    R.schema.encode(record, &writer)
    let values = try? writer.finish { row in
      try order.map { key in
        guard let column = type.column(named: key.field), column < row.count else {
          preconditionFailure("\(key.field) is no field of \(type.name)")
        }
        return try StoredValue.decode(row, column, as: type.type(ofColumn: column))
      }
    }
    // A record that cannot be stored (NaN) has no place; before everything is as good as any.
    self.init(values: values ?? order.map { _ in .null }, id: record.id)
  }
}

extension Record {
  /// The name of the field at a key path.
  ///
  /// - Precondition: the schema has it.
  static func fieldName(_ keyPath: AnyKeyPath) -> String {
    guard let column = schema.type.column(at: keyPath) else {
      preconditionFailure("\(keyPath) is no field of \(schema.type.name)")
    }
    return schema.type.name(ofColumn: column)
  }
}

extension Query: CustomStringConvertible {
  public var description: String {
    var text = "\(R.schema.type.name) where \(filter)"
    if !order.isEmpty {
      text += " by " + order.map { $0.field + ($0.descending ? " descending" : "") }.joined(separator: ", ")
    }
    if let position { text += " after \(position.id.hexadecimal)" }
    if offset > 0 { text += " offset \(offset)" }
    if let limit { text += " limit \(limit)" }
    return text
  }
}
