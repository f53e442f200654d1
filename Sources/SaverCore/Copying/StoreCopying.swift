import FoundationEssentials

/// Copies the records of a snapshot, value by value: two engines agree on nothing else.
struct StoreCopying {
  let source: Store
  let types: [RecordType]
  let options: CopyOptions

  /// How many records, and bytes of their texts, go into one transaction of a new store.
  private static let recordsMax = 1_000
  private static let bytesMax = 4 << 20
  /// How often progress is told.
  private static let recordsBetweenReports = 200

  /// - Parameters:
  ///   - path: the name that the store will have.
  ///   - open: opens the new store, or makes it; called again when the first is closed.
  func makeNew(path: String, open: () throws -> Store) throws -> StoreCopy {
    let content = try fill(try open())
    // From the disk, not from what the engine that wrote it still knows.
    let copy = try open()
    try verify(copy, content)
    return StoreCopy(path: path, identity: copy.identity, content: content, hasReplacedStore: false)
  }

  private func fill(_ store: Store) throws -> StoreContent {
    let operation = WriteOperation.beginning("copy")
    var portion: [(type: RecordType, values: [StoredValue])] = []
    var bytes = 0
    func write() throws {
      if portion.isEmpty { return }
      try store.engine.write(operation) { transaction in
        for (type, values) in portion { try transaction.insert(type) { $0.append(values) } }
      }
      portion.removeAll(keepingCapacity: true)
      bytes = 0
    }
    return try forEachRecord { type, values in
      portion.append((type, values))
      bytes += values.reduce(0) { $0 + $1.byteCount }
      if portion.count >= Self.recordsMax || bytes >= Self.bytesMax { try write() }
    } finally: {
      try write()
    }
  }

  /// Puts the records in the place of those that a store has, in one transaction.
  func replace(_ store: Store) throws -> StoreCopy {
    let content = try store.write(WriteOperation("copy")) { transaction in
      for type in types {
        for id in try ids(of: type, transaction.writer) { _ = try transaction.writer.delete(type, id) }
      }
      let content = try forEachRecord { type, values in
        try transaction.writer.insert(type) { $0.append(values) }
      }
      guard try transaction.content(of: types) == content else { throw Self.differs(store.path) }
      return content
    }
    return StoreCopy(path: store.path, identity: store.identity, content: content, hasReplacedStore: true)
  }

  private func ids(of type: RecordType, _ transaction: any EngineReadTransaction) throws -> [UUID] {
    var ids: [UUID] = []
    try transaction.scan(try Selection(type)) { row in
      do { ids.append(try row[0]) } catch { throw damaged(type, row, error) }
      return true
    }
    return ids
  }

  /// Calls `body` with each record of one snapshot, and `finally` behind the last.
  private func forEachRecord(
    _ body: (RecordType, [StoredValue]) throws -> Void, finally: () throws -> Void = {}
  ) throws -> StoreContent {
    var builder = StoreContentBuilder()
    try source.read { transaction in
      let total = try types.reduce(0) { try $0 + transaction.engine.count(try Selection($1)) }
      try options.progress?(0, total)
      for type in types {
        try transaction.engine.forEachRow(of: type) { values in
          try body(type, values)
          builder.add(values, of: type)
          if builder.count % Self.recordsBetweenReports == 0 { try options.progress?(builder.count, total) }
        }
      }
      try finally()
      try options.progress?(builder.count, total)
    }
    return builder.content
  }

  private func verify(_ store: Store, _ content: StoreContent) throws {
    guard try store.read({ try $0.content(of: types) }) == content else { throw Self.differs(store.path) }
  }

  private static func differs(_ path: String?) -> StorageError {
    StorageError(
      .internalError, "The copy does not hold what the store holds, and was taken back. Check the disk.", path: path)
  }
}

extension RowWriter {
  fileprivate mutating func append(_ values: [StoredValue]) {
    for value in values { value.encode(into: &self) }
  }
}

extension StoredValue {
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .data(let data): data.count
    case .texts(let texts): texts.reduce(0) { $0 + $1.utf8.count }
    default: 8
    }
  }
}
