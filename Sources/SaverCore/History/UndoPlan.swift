import FoundationEssentials

/// What taking back one act would do.
struct UndoPlan {
  /// A row that the act touched.
  struct Step {
    let row: UndoableOperation.Row
    let first: HistoryChange.Kind
    var last: HistoryChange.Kind
    /// As it was before the act; `nil` if it was not there, or is not wanted.
    let old: StoredRow?
    /// The row was forgotten since: there is nothing to do about it, nor anything that it could be made of.
    var isForgotten = false

    /// Whether it has left nothing behind.
    var isEmpty: Bool { isForgotten || first == .insert && last == .delete }
  }

  let act: Int
  private(set) var steps: [Step] = []
  private(set) var conflicts: [UndoConflict] = []
  private var positions: [UndoableOperation.Row: Int] = [:]
  private var known: Set<UndoableOperation.Row?> = []

  init(act: Int) {
    self.act = act
  }

  /// Whether the act has left nothing: every row that it brought it took away again, or it was forgotten.
  var isEmpty: Bool { steps.allSatisfy(\.isEmpty) }

  /// Notes the act's first change of a row.
  mutating func begin(_ row: UndoableOperation.Row, _ kind: HistoryChange.Kind, _ old: StoredRow?) {
    positions[row] = steps.count
    steps.append(Step(row: row, first: kind, last: kind, old: old))
  }

  /// Notes a further change of a row, if it is one.
  mutating func goOn(_ row: UndoableOperation.Row, _ kind: HistoryChange.Kind) -> Bool {
    guard let position = positions[row] else { return false }
    steps[position].last = kind
    return true
  }

  /// Notes that a row that the act touched was forgotten since.
  mutating func forget(_ row: UndoableOperation.Row) {
    guard let position = positions[row] else { return }
    steps[position].isForgotten = true
    // Whatever happened to it before counts no more. What the act brought is gone, as taking it back would have it; what
    // the act changed or took away cannot be put back.
    conflicts.removeAll { $0.row == row }
    known.remove(row)
    if steps[position].first != .insert { add(.forgotten(row)) }
  }

  /// Adds a conflict, one for each row.
  mutating func add(_ conflict: UndoConflict) {
    if conflict.row == nil ? !conflicts.contains(conflict) : known.insert(conflict.row).inserted {
      conflicts.append(conflict)
    }
  }

  /// For people.
  func description(_ history: UndoHistory) -> UndoableOperation {
    let act = history.acts[act]
    var description = UndoableOperation(
      act.operation, name: history.name(of: self.act), time: act.lastTime, sequences: act.sequences)
    description.conflicts = conflicts
    for step in steps {
      switch (step.first, step.last) {
      case (.insert, _) where step.isForgotten: break
      case (.insert, .delete): break
      case (.insert, _): description.inserted.append(step.row)
      case (_, .delete): description.deleted.append(step.row)
      default: description.updated.append(step.row)
      }
    }
    return description
  }

  /// Puts every row back to what it was: an ordinary change, the youngest first.
  func perform(_ engine: any EngineWriteTransaction, _ types: [String: RecordType]) throws {
    for step in steps.reversed() where !step.isForgotten {
      guard let type = types[step.row.type] else { preconditionFailure("a plan without conflicts knows its types") }
      if let old = step.old {
        try old.withView { view in
          // A closure cannot capture a view: it is made again inside.
          let (slots, count) = (view.slots, view.count)
          func fill(_ writer: inout RowWriter) { writer.append(copying: RowView(slots: slots, count: count)) }
          if try !engine.update(type, fill) { try engine.insert(type, fill) }
        }
      } else {
        _ = try engine.delete(type, step.row.id)
      }
    }
  }
}

/// Reads the changes once, for the plans of several acts.
struct UndoPlanner {
  let history: UndoHistory
  let direction: UndoDirection
  let types: [String: RecordType]
  /// Whether the plans are to be performed.
  let keepsRows: Bool

  // MARK: Mutable state, while reading
  private var plans: [UndoPlan] = []
  private var planOfAct: [Int: Int] = [:]
  /// Which plans touch a row.
  private var holders: [UndoableOperation.Row: [Int]] = [:]

  init(_ history: UndoHistory, _ direction: UndoDirection, _ types: [String: RecordType], keepsRows: Bool) {
    self.history = history
    self.direction = direction
    self.types = types
    self.keepsRows = keepsRows
  }

  /// The plans of these acts, in their order.
  mutating func plans(for acts: [Int], _ engine: any EngineReadTransaction) throws -> [UndoPlan] {
    plans = acts.map { UndoPlan(act: $0) }
    for (index, act) in acts.enumerated() {
      planOfAct[act] = index
      if history.acts[act].mayBeCut { plans[index].add(.trimmed) }
      if history.head.hasUnknownChanges { plans[index].add(.unknownChanges) }
    }
    guard let first = acts.map({ history.acts[$0].sequences.lowerBound }).min() else { return [] }
    var transaction = 0
    let transactions = history.transactions
    try engine.changes(after: first - 1) { change, row in
      while transaction < transactions.count, transactions[transaction].end < change.sequence { transaction += 1 }
      let act = transaction < transactions.count ? transactions[transaction].act : nil
      note(change, row, of: act)
      return true
    }
    return plans
  }

  private mutating func note(_ change: HistoryChange, _ row: borrowing RowView, of act: Int?) {
    if change.kind == .unknown || act == nil { noteForeign(change) }
    guard change.kind != .unknown else { return }
    let subject = UndoableOperation.Row(type: change.type, id: change.id)
    if let act, history.acts[act].kind == .forgetting {
      for holder in holders.removeValue(forKey: subject) ?? [] { plans[holder].forget(subject) }
      return
    }
    for holder in holders[subject] ?? [] where plans[holder].act != act {
      if let act {
        guard history.isObstacle(act, to: plans[holder].act, direction) else { continue }
        let changer = history.acts[act]
        plans[holder].add(.changedSince(subject, by: .operation(changer.operation.name, user: changer.user)))
      } else {
        plans[holder].add(.changedSince(subject, by: .foreign))
      }
    }
    if let act, let own = planOfAct[act] { noteOwn(change, subject, row, own) }
  }

  private mutating func noteOwn(
    _ change: HistoryChange, _ subject: UndoableOperation.Row, _ row: borrowing RowView, _ own: Int
  ) {
    if plans[own].goOn(subject, change.kind) { return }
    holders[subject, default: []].append(own)
    guard let type = types[change.type] else {
      plans[own].add(.unknownType(subject))
      plans[own].begin(subject, change.kind, nil)
      return
    }
    let hasOld = change.kind != .insert
    if hasOld, row.count != type.fields.count { plans[own].add(.rowNotKept(subject)) }
    plans[own].begin(subject, change.kind, hasOld && keepsRows ? StoredRow(copying: row) : nil)
  }

  /// A change that nobody can answer for.
  private mutating func noteForeign(_ change: HistoryChange) {
    for index in plans.indices {
      let sequences = history.acts[plans[index].act].sequences
      if change.kind == .unknown {
        if change.sequence > sequences.lowerBound { plans[index].add(.unknownChanges) }
      } else if sequences.contains(change.sequence) {
        plans[index].add(.foreignChangesWithin)
      }
    }
  }
}
