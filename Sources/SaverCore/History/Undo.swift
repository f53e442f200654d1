import FoundationEssentials

extension Store {
  /// Takes back the newest act of a user that stands (``UndoHistory``): every row that it touched, in however many
  /// transactions, is as it was before. All or nothing, decided in the one transaction that does it.
  ///
  /// Refused if anyone else has changed one of the rows since; if something has changed that the history does not tell of;
  /// if the history no longer has all of it. An undo is an ordinary operation: seen by everyone, and taken back by
  /// ``redo(of:user:)``. An act that left nothing behind is passed over.
  ///
  /// Blocks like ``write(_:_:)``.
  ///
  /// - Parameters:
  ///   - types: the record types of the program; an act on rows of another type is refused.
  ///   - user: whose acts, by numeric id.
  /// - Throws: ``StorageError``, for what stands between a program and its store; the outcomes of an undo are values.
  /// - Complexity: grows with the number of transactions that the history has, and of the changes since the act began.
  public func undo(of types: [RecordType], user: UInt32 = ProcessUser.identifier) throws -> UndoOutcome {
    try takeBack(.undo, types, user)
  }

  /// Takes back the newest undo of a user that stands. The same rules hold, and one more: an act of the user that came
  /// after the undo and changed one of its rows is in the way too.
  public func redo(of types: [RecordType], user: UInt32 = ProcessUser.identifier) throws -> UndoOutcome {
    try takeBack(.redo, types, user)
  }

  /// What ``undo(of:user:)`` takes back next, and then, if the ones before it are taken back first: the newest first.
  ///
  /// - Parameter limit: at most so many.
  public func undoableOperations(
    of types: [RecordType], user: UInt32 = ProcessUser.identifier, limit: Int? = nil
  ) throws -> [UndoableOperation] {
    try operations(.undo, types, user, limit)
  }

  /// What ``redo(of:user:)`` takes back next, and then: the newest undo first.
  public func redoableOperations(
    of types: [RecordType], user: UInt32 = ProcessUser.identifier, limit: Int? = nil
  ) throws -> [UndoableOperation] {
    try operations(.redo, types, user, limit)
  }

  private func operations(
    _ direction: UndoDirection, _ types: [RecordType], _ user: UInt32, _ limit: Int?
  ) throws -> [UndoableOperation] {
    try read { transaction in
      let history = try UndoHistory(transaction.engine)
      let candidates = history.candidates(direction, user: user)
      var planner = UndoPlanner(history, direction, types.byName, keepsRows: false)
      let plans = try planner.plans(for: Array(candidates.prefix(limit ?? .max)), transaction.engine)
      return plans.filter { !$0.isEmpty }.map { $0.description(history) }
    }
  }

  private func takeBack(_ direction: UndoDirection, _ types: [RecordType], _ user: UInt32) throws -> UndoOutcome {
    let types = types.byName
    while true {
      // The entry of the undo names what it undoes, and an engine wants to know that before the transaction begins: this
      // snapshot only guesses, and the transaction starts over if somebody was faster.
      let guess = try read { try UndoChoice($0.engine, direction, types, user, keepsRows: false) }
      guard let guess else { return .nothing }
      guard guess.description.isPossible else { return .refused(guess.description) }
      let name = direction == .undo ? WriteOperation.undoName : WriteOperation.redoName
      let operation = WriteOperation(name, undoes: guess.description.operation.id)
      let outcome: UndoOutcome? = try write(operation) { transaction in
        guard let choice = try UndoChoice(transaction.writer, direction, types, user, keepsRows: true) else {
          return .nothing
        }
        guard choice.description.operation.id == operation.undoes else { return nil }
        guard choice.description.isPossible else { return .refused(choice.description) }
        try choice.plan.perform(transaction.writer, types)
        return .done(choice.description, by: operation)
      }
      if let outcome { return outcome }
    }
  }
}

/// What is taken back next in one snapshot.
private struct UndoChoice {
  let plan: UndoPlan
  let description: UndoableOperation

  /// `nil` if there is nothing.
  init?(
    _ engine: any EngineReadTransaction, _ direction: UndoDirection, _ types: [String: RecordType], _ user: UInt32,
    keepsRows: Bool
  ) throws {
    let history = try UndoHistory(engine)
    for candidate in history.candidates(direction, user: user) {
      var planner = UndoPlanner(history, direction, types, keepsRows: keepsRows)
      let plan = try planner.plans(for: [candidate], engine)[0]
      // What has left nothing behind cannot be taken back, and would stand in the way for ever.
      if plan.isEmpty { continue }
      self.plan = plan
      description = plan.description(history)
      return
    }
    return nil
  }
}

extension [RecordType] {
  fileprivate var byName: [String: RecordType] {
    Dictionary(map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension HistoryRetention {
  /// Whether an operation of so many changes can be taken back for certain: a larger one pushes its own beginning out of
  /// the history. For those who ask before they begin one.
  public func canUndo(changes: Int) -> Bool { changes <= changesMax }
}
