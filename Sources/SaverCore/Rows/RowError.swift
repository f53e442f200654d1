/// A column that does not hold what its field's type wants.
///
/// Thrown by decoding; the transaction that fetches turns it into a ``StorageError`` that names the record and the field.
public struct RowError: Error, Hashable, Sendable {
  /// The index of the column, counted from 0.
  public var column: Int
  /// What was found and what was wanted; never the content.
  public var reason: String

  public init(column: Int, reason: String) {
    self.column = column
    self.reason = reason
  }

  @inline(never) @usableFromInline
  static func mismatch(_ slot: Slot, _ column: Int, wanted: StaticString) -> RowError {
    RowError(column: column, reason: "holds \(slot.kind) where \(wanted) is wanted")
  }
}

extension RowError {
  @inline(never) @usableFromInline
  static func invalidText(_ column: Int) -> RowError {
    RowError(column: column, reason: "holds a text that is not valid UTF-8")
  }

  @inline(never) @usableFromInline
  static func unknownCase(_ column: Int) -> RowError {
    RowError(column: column, reason: "holds a value that is no case of its enumeration")
  }
}
