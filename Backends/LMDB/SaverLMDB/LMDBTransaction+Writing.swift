#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

extension LMDBTransaction {
  // MARK: Insert, update, delete

  func insert(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws {
    let (table, state) = try writingTable(type)
    try filled(state, type, fill) { row in
      state.encoder.encode(row, table)
      let rows = try state.cursor(table.rows, in: transaction, path: path)
      var key = row.key
      var value = try checked(state.encoder.value, type)
      let result = mdb_cursor_put(rows, &key, &value, UInt32(MDB_NOOVERWRITE))
      if result == MDB_KEYEXIST { throw StorageError.duplicateID(try row[0], type) }
      try check(result, "inserting")
      try check(state.history.append(insertOf: row.key, table), "writing the history")
      for index in table.indexes {
        state.keys.removeAll()
        IndexKey.append(index, type, row, to: &state.keys)
        try put(state.keys.bytes, in: index, state)
      }
    }
  }

  func update(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> Bool {
    let (table, state) = try writingTable(type)
    return try filled(state, type, fill) { row in
      try withOldRow(table, state, row.key) { old, oldValue in
        // The old row first: writing the new one can move it away.
        keepOldKeys(table, state, of: old, replacedBy: row)
        state.history.prepare(.update, table, id: row.key, old: keepsRows ? oldValue : nil)
        state.encoder.encode(row, table)
        let rows = try state.cursor(table.rows, in: transaction, path: path)
        var key = row.key
        var value = try checked(state.encoder.value, type)
        try check(mdb_cursor_put(rows, &key, &value, 0), "updating")
        try check(state.history.append(), "writing the history")
        var start = 0
        for (index, end) in zip(table.indexes, state.oldKeyEnds) {
          defer { start = end }
          if start == end { continue }
          let old = UnsafeRawBufferPointer(rebasing: state.oldKeys.bytes[start..<end])
          state.keys.removeAll()
          IndexKey.append(index, type, row, to: &state.keys)
          if RowSorter.order(old, state.keys.bytes) == 0 {
            // An entry that another program left out is made good.
            try put(old, in: index, state)
            continue
          }
          try remove(old, from: index)
          try put(state.keys.bytes, in: index, state)
        }
      }
    }
  }

  func delete(_ type: RecordType, _ id: UUID) throws -> Bool {
    try delete(type, id, keepsRow: keepsRows)
  }

  /// - Parameter keepsRow: whether the history gets the row.
  func delete(_ type: RecordType, _ id: UUID, keepsRow: Bool) throws -> Bool {
    let (table, state) = try writingTable(type)
    return try withUnsafeBytes(of: id.uuid) { bytes in
      let key = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      return try withOldRow(table, state, key) { old, oldValue in
        state.oldKeys.removeAll()
        state.oldKeyEnds.removeAll(keepingCapacity: true)
        for index in table.indexes {
          IndexKey.append(index, type, old, to: &state.oldKeys)
          state.oldKeyEnds.append(state.oldKeys.count)
        }
        state.history.prepare(.delete, table, id: key, old: keepsRow ? oldValue : nil)
        try check(mdb_cursor_del(try state.cursor(table.rows, in: transaction, path: path), 0), "deleting")
        try check(state.history.append(), "writing the history")
        var start = 0
        for (index, end) in zip(table.indexes, state.oldKeyEnds) {
          try remove(UnsafeRawBufferPointer(rebasing: state.oldKeys.bytes[start..<end]), from: index)
          start = end
        }
      }
    }
  }

  // MARK: Rows

  /// The row that `fill` writes.
  @inline(__always) private func filled<Result>(
    _ state: WritingState, _ type: RecordType, _ fill: (inout RowWriter) -> Void,
    _ body: (borrowing RowView) throws -> Result
  ) throws -> Result {
    state.writer.begin()
    fill(&state.writer)
    do { return try state.writer.finish(body) } catch let error as RowError {
      throw StorageError(invalid: type, error)
    }
  }

  /// Finds the row of a key, which the rows' cursor then is on, and takes it apart; returns whether there is one.
  private func withOldRow(
    _ table: Table, _ state: WritingState, _ key: MDB_val, _ body: (borrowing RowView, MDB_val) throws -> Void
  ) throws -> Bool {
    var key = key
    var value = MDB_val()
    rowsRead += 1
    let rows = try state.cursor(table.rows, in: transaction, path: path)
    let result = mdb_cursor_get(rows, &key, &value, MDB_SET_KEY)
    if result == MDB_NOTFOUND { return false }
    try check(result, "reading")
    let count = table.type.fields.count
    try withFrame { frame in
      RowFormat.read(value, key: key, into: frame.slots, count: count)
      try body(RowView(slots: UnsafePointer(frame.slots), count: count), value)
    }
    return true
  }

  /// The old keys of the indexes whose columns change; nothing for the others.
  private func keepOldKeys(
    _ table: Table, _ state: WritingState, of old: borrowing RowView, replacedBy new: borrowing RowView
  ) {
    state.oldKeys.removeAll()
    state.oldKeyEnds.removeAll(keepingCapacity: true)
    for index in table.indexes {
      for column in index.sources where !Slot.isSame(old[slot: column], new[slot: column]) {
        IndexKey.append(index, table.type, old, to: &state.oldKeys)
        break
      }
      state.oldKeyEnds.append(state.oldKeys.count)
    }
  }

  /// LMDB holds values of less than 4 GiB.
  @inline(__always) private func checked(_ value: MDB_val, _ type: RecordType) throws -> MDB_val {
    guard value.mv_size <= 0xffff_ffff else {
      throw StorageError(.invalidRecord, "This \(type.name) cannot be stored: it is larger than 4 GiB.")
    }
    return value
  }

  // MARK: Index entries

  @inline(__always)
  private func put(_ bytes: UnsafeRawBufferPointer, in index: Table.Index, _ state: WritingState) throws {
    let cursor = try state.cursor(index.database, in: transaction, path: path)
    var key = MDB_val(bytes)
    var value = MDB_val(mv_size: 0, mv_data: nil)
    try check(mdb_cursor_put(cursor, &key, &value, 0), "writing an index")
  }

  private func remove(_ bytes: UnsafeRawBufferPointer, from index: Table.Index) throws {
    var key = MDB_val(bytes)
    let result = mdb_del(transaction, index.database, &key, nil)
    // Another program may have left it out.
    if result != MDB_NOTFOUND { try check(result, "writing an index") }
  }

  // MARK: State

  /// What is needed to write a type. Before the first write of a transaction its part of the history begins.
  @inline(__always) func writingTable(_ type: RecordType) throws -> (Table, WritingState) {
    let table = try tables.table(type)
    guard let state = writing, state.preparedTypes.contains(ObjectIdentifier(type)) else {
      return (table, try prepareWriting(type))
    }
    return (table, state)
  }

  @inline(never) private func prepareWriting(_ type: RecordType) throws -> WritingState {
    let state = writingState()
    if !state.history.isBegun {
      // Half of it must not be committed.
      do { try beginHistory(state) } catch { throw fail(error) }
    }
    state.preparedTypes.append(ObjectIdentifier(type))
    return state
  }

  func writingState() -> WritingState {
    let state = writing ?? WritingState(columns: tables.columnsMax)
    writing = state
    return state
  }

  /// Whether the store has a type in the schema of the program.
  func hasOwnSchema(_ table: Table) throws -> Bool {
    try StoreMeta.withValue(table.schemaKey, tables.meta, transaction, path: path) {
      $0.isSame(as: table.schema)
    } ?? false
  }

  /// - Throws: what LMDB reports; the transaction can then not be committed any more, whoever catches the error.
  @inline(__always) func check(_ result: Int32, _ action: String) throws {
    if result != 0 { throw fail(result, action) }
  }

  @inline(never) private func fail(_ result: Int32, _ action: String) -> any Error {
    fail(StorageError(lmdb: result, doing: action, path: path))
  }

  private func fail(_ error: any Error) -> any Error {
    failure = failure ?? error as? StorageError
    return error
  }
}

extension RowView {
  /// The key of the row: its id.
  fileprivate var key: MDB_val {
    MDB_val(slots[0].bytes)
  }
}

extension MDB_val {
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }
}

extension Slot {
  /// Whether two slots have the same kind and content.
  static func isSame(_ one: Slot, _ other: Slot) -> Bool {
    guard one.kind == other.kind, one.bits == other.bits else { return false }
    switch one.kind {
    case .null, .integer, .real: return true
    case .text, .blob, .jsonList, .packedList: return one.bytes.isSame(as: other.bytes)
    }
  }
}
#endif
