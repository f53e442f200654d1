import FoundationEssentials

/// The operations of a history, and how they undo each other.
///
/// An operation *stands* unless an undo of it stands. The definition is recursive because an undo is an operation too: an
/// act, undone, and redone stands again, and its undo does not. What undoes is younger than what it undoes, so one pass
/// from the youngest to the oldest decides it.
struct UndoHistory {
  struct Act {
    enum Kind {
      /// Something that a person or a program did.
      case act
      /// What takes an act back, or a redo.
      case undo
      /// What takes an undo back.
      case redo
      /// What the store began with (``WriteOperation/beginning(_:id:)``).
      case beginning
      /// What has removed rows and every trace of them: nothing takes it back.
      case forgetting
    }

    let operation: WriteOperation
    let user: UInt32
    let kind: Kind
    /// The act that it takes back, as long as the history has it.
    let target: Int?
    /// From its first change to its last.
    var sequences: ClosedRange<Int64>
    let firstTime: Date
    var lastTime: Date
    /// Whether something has undone it, whatever became of that.
    var wasUndone = false
    var stands = true
    /// Earlier transactions of it may have been trimmed.
    var mayBeCut = false
  }

  private(set) var acts: [Act] = []
  /// The transactions in order: the last sequence of each, and whose it is; `nil` if foreign.
  private(set) var transactions: [(end: Int64, act: Int?)] = []
  let head: HistoryHead

  init(_ engine: any EngineReadTransaction) throws {
    head = try engine.historyHead()
    var open: [UUID: Int] = [:]
    var oldest: HistoryTransaction?
    try engine.transactions(after: 0, newestFirst: false) { transaction in
      if oldest == nil { oldest = transaction }
      transactions.append((transaction.sequences.upperBound, add(transaction, &open)))
      return true
    }
    for index in acts.indices.reversed() where acts[index].stands {
      if let target = acts[index].target { acts[target].stands = false }
    }
    if try engine.historyOldest() > 1, let oldest { markCut(oldest) }
  }

  /// The act that a transaction belongs to, a new one if need be; `nil` if it is foreign.
  private mutating func add(_ transaction: HistoryTransaction, _ open: inout [UUID: Int]) -> Int? {
    guard case .process = transaction.author, let operation = transaction.operation, let user = transaction.user else {
      return nil
    }
    // What an operation does after it was undone, because it was under way, is an act by itself: it can be undone too.
    if let index = open[operation.id], !acts[index].wasUndone, acts[index].user == user {
      acts[index].sequences = acts[index].sequences.lowerBound...transaction.sequences.upperBound
      acts[index].lastTime = transaction.time
      return index
    }
    let target = operation.isBeginning ? nil : operation.undoes.flatMap { open[$0] }
    if let target { acts[target].wasUndone = true }
    acts.append(
      Act(
        operation: operation, user: user, kind: kind(of: operation, target), target: target,
        sequences: transaction.sequences, firstTime: transaction.time, lastTime: transaction.time))
    open[operation.id] = acts.count - 1
    return acts.count - 1
  }

  private func kind(of operation: WriteOperation, _ target: Int?) -> Act.Kind {
    if operation.isBeginning { return .beginning }
    if operation.undoes == nil { return operation.name == WriteOperation.forgetName ? .forgetting : .act }
    // Of a target that was trimmed, nothing but the name is left to tell.
    guard let target else { return operation.name == WriteOperation.redoName ? .redo : .undo }
    return acts[target].kind == .undo ? .redo : .undo
  }

  /// Finds the acts that earlier transactions may have belonged to. Nothing in an entry says whether it was its
  /// operation's first: that of the oldest transaction may have begun before it, and so may one whose id was made before
  /// it, unless the clock was set in between. One of the two that is whole was larger than the history, or lies at its end.
  private mutating func markCut(_ oldest: HistoryTransaction) {
    for index in acts.indices {
      let act = acts[index]
      let isOldest = act.sequences.lowerBound == oldest.sequences.lowerBound
      let beganBefore =
        act.firstTime >= oldest.time && act.operation.id.version7Date.map { $0 <= oldest.time } ?? false
      if isOldest || beganBefore { acts[index].mayBeCut = true }
    }
  }

  /// What `undo` (`redo`) takes back next, and then: the acts (undos) of a user that stand, the youngest first.
  func candidates(_ direction: UndoDirection, user: UInt32) -> [Int] {
    let kind: Act.Kind = direction == .undo ? .act : .undo
    return acts.indices.filter { acts[$0].user == user && acts[$0].kind == kind && acts[$0].stands }
      .sorted { acts[$0].sequences.upperBound > acts[$1].sequences.upperBound }
  }

  /// Whether a later change by `other` is in the way when a candidate is taken back.
  ///
  /// The user's own undos are not, nor what they took back: together they are as if they had never been. Nor, for `undo`,
  /// are the user's younger acts, which are taken back before.
  func isObstacle(_ other: Int, to candidate: Int, _ direction: UndoDirection) -> Bool {
    let (other, candidate) = (acts[other], acts[candidate])
    if other.user != candidate.user { return true }
    if other.kind == .beginning { return true }
    guard other.kind == .act, other.stands else { return false }
    return direction == .redo || other.sequences.upperBound < candidate.sequences.upperBound
  }

  /// The name of the act that an undo took back, or its own.
  func name(of index: Int) -> String {
    acts[index].target.map { name(of: $0) } ?? acts[index].operation.name
  }
}

enum UndoDirection {
  case undo, redo
}

extension WriteOperation {
  static let undoName = "undo"
  static let redoName = "redo"
}

extension UUID {
  /// When an identifier of version 7 was made; `nil` for others.
  fileprivate var version7Date: Date? {
    withUnsafeBytes(of: uuid) { bytes in
      guard bytes[6] >> 4 == 7 else { return nil }
      let milliseconds = bytes[..<6].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
  }
}
