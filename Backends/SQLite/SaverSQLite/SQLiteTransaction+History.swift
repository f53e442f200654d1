#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

extension SQLiteTransaction {
  /// The head is kept while nothing is committed by anybody: then asking for it costs a call and no query. Behind that, the
  /// history is read on from the kept one.
  ///
  /// Who the store is, and its branch, are written with its contents only: by a restore, which changes the number of the
  /// schema, and with another history.
  func historyHead() throws -> HistoryHead {
    let version = connection.dataVersion
    if let kept = connection.head, kept.version == version { return kept.head }
    let schema = try connection.currentSchema()
    let (identity, branch, ends): (UUID, Int64, HistoryEnds)
    if let kept = connection.head, kept.schema == schema,
      let followed = try HistoryEnds(connection, after: kept.head.token)
    {
      (identity, branch, ends) = (kept.head.token.store, kept.branch, followed)
      checked = kept.head.token
    } else {
      (identity, branch, ends) = (try StoreMeta.identity(connection), try readBranch(), try HistoryEnds(connection))
      store.note(identity)
    }
    self.branch = branch
    let head = try head(of: identity, ends, version)
    if !connection.isWriter {
      connection.head = KeptHead(version: version, schema: schema, head: head, branch: branch)
    }
    return head
  }

  private func head(of identity: UUID, _ ends: HistoryEnds, _ version: UInt32) throws -> HistoryHead {
    let sequence = max(ends.last, ends.covered)
    let check =
      if sequence == 0 {
        UInt64(0)
      } else if sequence == ends.covered, ends.nonce != 0 {
        ends.nonce
      } else {
        try historyCheck(at: sequence) ?? 1
      }
    // A history that ends before its newest transaction is one that another program has deleted from.
    let isWhole = ends.last >= ends.covered
    return HistoryHead(
      token: HistoryToken(store: identity, sequence: sequence, check: check),
      revision: connection.generation << 32 | UInt64(version),
      hasUnknownChanges: try !isWhole || !TriggerCheck(connection: connection, tables: tables).isComplete())
  }

  func historyOldest() throws -> Int64 {
    let oldest = Int64(
      try connection.integer(
        "SELECT min(\"sequence\") FROM \"\(StoreFormat.historyTable)\"", doing: "reading the history"))
    return oldest > 0 ? oldest : min(try historyHead().token.sequence, .max - 1) + 1
  }

  func historyCheck(at sequence: Int64) throws -> UInt64? {
    if let checked, checked.sequence == sequence { return checked.check }
    var nonce: UInt64?
    try connection.rows(Self.covering, [.int(Int(sequence))], doing: "reading the history") { row in
      if row.integer(0) <= sequence { nonce = UInt64(bitPattern: Int64(row.integer(1))) }
    }
    // Another program can have deleted changes, and left their transactions.
    if let nonce, nonce != 0 { return try historyOldest() <= sequence ? nonce : nil }
    var digest: UInt64?
    try connection.rows(HistoryDigest.select, [.int(Int(sequence))], doing: "reading the history") {
      digest = HistoryDigest.ofRow($0)
    }
    return digest
  }

  private static let covering = """
    SELECT "first", "nonce" FROM "\(StoreFormat.transactionTable)" WHERE "last" >= ?1 ORDER BY "last" LIMIT 1
    """

  func historyBranch() throws -> Int64 { try branch ?? readBranch() }

  private func readBranch() throws -> Int64 {
    let branch = try connection.integer(
      "SELECT \"value\" FROM \"\(StoreFormat.metaTable)\" WHERE \"key\" = '\(StoreFormat.branchKey)'",
      doing: "reading the history")
    // No history could ever come behind another program's garbage.
    return branch < StoreFormat.sequenceLimit ? Int64(branch) : 0
  }

  // MARK: Changes

  func changes(after sequence: Int64, _ body: (HistoryChange, borrowing RowView) throws -> Bool) throws {
    let form = connection.historyForm ?? HistoryForm(tables)
    connection.historyForm = form
    let statement = try connection.statement(form.changes)
    defer { statement.reset() }
    try check(sqlite3_bind_int64(statement.pointer, 1, sequence))
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: form.width)
    defer { slots.deallocate() }
    while try step(statement) {
      statement.fillSlots()
      let change = Self.change(statement)
      rowsRead += 1
      let shape = statement.slots[4]
      let goesOn =
        if change.kind == .update || change.kind == .delete, shape.kind == .integer,
          let table = tables.all.first(where: { $0.type.name == change.type }),
          form.shapes[table.index] == shape.integer
        {
          try body(change, Self.row(statement, table.type, into: slots, connection.lists))
        } else {
          try body(change, RowView.empty)
        }
      if !goesOn { return }
    }
  }

  /// An entry that says nothing that could be understood is one of something unknown.
  private static func change(_ statement: Statement) -> HistoryChange {
    let row = RowView(slots: statement.slots, count: statement.columns)
    let sequence = statement.slots[0].integer
    if let type: String = try? row[1], let id: UUID = try? row[2], let word: String = try? row[3],
      let kind = HistoryChange.Kind(rawValue: word), kind != .unknown
    {
      return HistoryChange(sequence: sequence, type: type, id: id, kind: kind)
    }
    return HistoryChange(sequence: sequence, type: "", id: .none, kind: .unknown)
  }

  /// The old row in an entry. The id is the entry's; a list is a text to the history.
  private static func row(
    _ statement: Statement, _ type: RecordType, into slots: UnsafeMutablePointer<Slot>, _ lists: StringListCache
  ) -> RowView {
    slots.initialize(to: statement.slots[2])
    for column in 1..<max(type.fields.count, 1) {
      var slot = statement.slots[column + 4]
      if type.fields[column].type == .strings && slot.kind == .text { slot.kind = .jsonList }
      (slots + column).initialize(to: slot)
    }
    return RowView(slots: slots, count: type.fields.count, lists: lists)
  }

  // MARK: Transactions

  func transactions(
    after sequence: Int64, newestFirst: Bool, _ body: (HistoryTransaction) throws -> Bool
  ) throws {
    let statement = try connection.statement(
      """
      SELECT "first", "last", "author", "user", "operation", "name", "undoes", "time", "nonce"
      FROM "\(StoreFormat.transactionTable)" WHERE "last" > ?1 ORDER BY "last"\(newestFirst ? " DESC" : "")
      """)
    defer { statement.reset() }
    try check(sqlite3_bind_int64(statement.pointer, 1, sequence))
    while try step(statement) {
      statement.fillSlots()
      rowsRead += 1
      let row = RowView(slots: statement.slots, count: statement.columns)
      let (first, last) = (statement.slots[0].integer, statement.slots[1].integer)
      guard first <= last else { continue }
      let operation = Self.operation(row)
      let author: UUID? = try? row[2]
      let time: Date? = try? row[7]
      let transaction = HistoryTransaction(
        sequences: first...last, author: author.map { .process($0) } ?? .foreign,
        user: author == nil ? nil : UInt32(truncatingIfNeeded: statement.slots[3].integer),
        operation: author == nil ? nil : operation, time: time ?? Date(timeIntervalSince1970: 0),
        nonce: UInt64(bitPattern: statement.slots[8].integer))
      if try !body(transaction) { return }
    }
  }

  private static func operation(_ row: borrowing RowView) -> WriteOperation? {
    guard let id: UUID = try? row[4], let name: String = try? row[5] else { return nil }
    let undoes: UUID? = try? row[6]
    return WriteOperation(name, id: id, undoes: undoes)
  }
}

extension UUID {
  /// All zeros: the id of an entry that names no row.
  fileprivate static var none: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
#endif
