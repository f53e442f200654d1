public import FoundationEssentials

/// An act of a user that can be taken back, or why it cannot; and, for `redo`, an undo that can.
public struct UndoableOperation: Hashable, Sendable {
  /// A row, whatever it holds now.
  public struct Row: Hashable, Sendable {
    /// The name of the record type.
    public var type: String
    public var id: UUID

    public init(type: String, id: UUID) {
      self.type = type
      self.id = id
    }
  }

  public var operation: WriteOperation
  /// A word for people: the operation's own, or, of an undo, that of the act that it took back.
  public var name: String
  /// When its last transaction was committed, by the writer's clock.
  public var time: Date
  /// From its first change to its last; others' may lie between.
  public var sequences: ClosedRange<Int64>

  /// The rows that it brought, in the order in which it touched them first.
  public var inserted: [Row] = []
  /// The rows that it changed.
  public var updated: [Row] = []
  /// The rows that it took away.
  public var deleted: [Row] = []

  /// Why it cannot be taken back; empty if it can.
  public var conflicts: [UndoConflict] = []

  public var isPossible: Bool { conflicts.isEmpty }

  /// All its rows.
  public var rows: [Row] { inserted + updated + deleted }

  init(_ operation: WriteOperation, name: String, time: Date, sequences: ClosedRange<Int64>) {
    self.operation = operation
    self.name = name
    self.time = time
    self.sequences = sequences
  }
}

/// Why an operation cannot be taken back.
public enum UndoConflict: Hashable, Sendable {
  /// Who changed a row afterwards.
  public enum Changer: Hashable, Sendable {
    /// A program that does not use this library.
    case foreign
    /// A user, and the name of the operation; the user can be the same, in an operation that stands.
    case operation(String, user: UInt32)
  }

  /// The row has been changed since.
  case changedSince(UndoableOperation.Row, by: Changer)
  /// The history does not have the row as it was: it keeps none, or the schema was another one.
  case rowNotKept(UndoableOperation.Row)
  /// The row was forgotten since: no trace of its content is left.
  case forgotten(UndoableOperation.Row)
  /// The program does not know records of this type.
  case unknownType(UndoableOperation.Row)
  /// Something has changed since that the history does not tell of.
  case unknownChanges
  /// Another program wrote between the operation's transactions.
  case foreignChangesWithin
  /// The history may have been trimmed within the operation.
  case trimmed

  /// The row concerned; `nil` if it may be all of them.
  public var row: UndoableOperation.Row? {
    switch self {
    case .changedSince(let row, _), .rowNotKept(let row), .forgotten(let row), .unknownType(let row): row
    case .unknownChanges, .foreignChangesWithin, .trimmed: nil
    }
  }
}

extension UndoConflict: CustomStringConvertible {
  /// For people, behind the name of the row if there is one.
  public var description: String {
    switch self {
    case .changedSince(_, .foreign): "changed since by another program"
    case .changedSince(_, .operation(let name, let user)): "changed since by '\(name)' of user \(user)"
    case .rowNotKept: "the history does not have its old content"
    case .forgotten: "was forgotten since, and cannot be put back"
    case .unknownType(let row): "is of an unknown type, '\(row.type)'"
    case .unknownChanges: "something has changed since that the history does not tell of"
    case .foreignChangesWithin: "another program wrote between its parts"
    case .trimmed: "the history does not reach back to its beginning"
    }
  }
}

/// What became of an undo or a redo. All of them are ordinary: none is an error.
public enum UndoOutcome: Hashable, Sendable {
  /// The first was taken back, by the second: an operation like any other in the history.
  case done(UndoableOperation, by: WriteOperation)
  /// Nothing was changed, for the conflicts that it has.
  case refused(UndoableOperation)
  /// There is nothing to take back.
  case nothing
}
