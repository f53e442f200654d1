public import SaverCore

extension SavedItemRepository {
  /// Takes back the newest act of a user that stands: all of it, or nothing if others have built on it. An undo is an
  /// ordinary act, seen by everyone.
  ///
  /// - Parameter user: whose, by numeric id.
  public func undo(user: UInt32 = ProcessUser.identifier) async throws -> UndoOutcome {
    try await block { try $0.undo(of: [SavedItem.schema.type], user: user) }
  }

  /// Takes back the newest undo of a user that stands.
  public func redo(user: UInt32 = ProcessUser.identifier) async throws -> UndoOutcome {
    try await block { try $0.redo(of: [SavedItem.schema.type], user: user) }
  }

  /// What ``undo(user:)`` takes back next, and then: the newest first, at most `limit`.
  public func undoableOperations(
    user: UInt32 = ProcessUser.identifier, limit: Int? = nil
  ) async throws -> [UndoableOperation] {
    try await block { try $0.undoableOperations(of: [SavedItem.schema.type], user: user, limit: limit) }
  }

  /// What ``redo(user:)`` takes back next, and then: the newest undo first, at most `limit`.
  public func redoableOperations(
    user: UInt32 = ProcessUser.identifier, limit: Int? = nil
  ) async throws -> [UndoableOperation] {
    try await block { try $0.redoableOperations(of: [SavedItem.schema.type], user: user, limit: limit) }
  }
}

/// An undo that was refused, as an error: for those who show errors. Nothing has changed.
public struct UndoRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  public let operation: UndoableOperation

  public var description: String {
    let reasons = Set(operation.conflicts.map(\.description)).sorted().joined(separator: "; ")
    return "'\(operation.name)' cannot be taken back: \(reasons)"
  }

  static func check(_ outcome: UndoOutcome) throws {
    if case .refused(let operation) = outcome { throw UndoRefusal(operation: operation) }
  }
}
