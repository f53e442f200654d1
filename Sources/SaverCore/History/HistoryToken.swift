public import FoundationEssentials

/// A point in one history: everything committed up to there has been seen.
///
/// Opaque to everyone but the store: keep it, print it, parse it, hand it back. It is good only in the history that it was
/// taken from, as long as that still reaches back to it (``Standing``).
public struct HistoryToken: Hashable, Sendable {
  /// The identity of the store.
  public var store: UUID
  /// The sequence of the last change seen; 0 before the first one.
  public var sequence: Int64
  /// What tells this history from another that has the same numbers: the random nonce of the transaction that `sequence`
  /// belongs to, or a digest of the change if another program made it. 0 before the first change.
  public var check: UInt64

  public init(store: UUID, sequence: Int64, check: UInt64) {
    self.store = store
    self.sequence = sequence
    self.check = check
  }

  /// The point before the first change of a store.
  public static func beginning(of store: UUID) -> HistoryToken {
    HistoryToken(store: store, sequence: 0, check: 0)
  }

  /// Whether a store's history goes on from a token, and why not.
  public enum Standing: String, Hashable, Sendable {
    /// The changes after the token are all there.
    case usable
    /// The history was trimmed beyond it.
    case tooOld
    /// The store has not come that far: it was put back to an earlier state.
    case ahead
    /// It was taken from another store.
    case otherStore
    /// The store has the number, and another change under it: a restored or copied store that went on by itself.
    case otherBranch
  }
}

extension HistoryToken: LosslessStringConvertible {
  /// The identity in hexadecimal, the sequence in decimal, the check in hexadecimal, joined by hyphens.
  public var description: String {
    "\(store.hexadecimalDigits)-\(sequence)-\(check.hexadecimal(digits: 16))"
  }

  /// The token that a ``description`` says; `nil` if the text is none.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 32, parts[2].utf8.count == 16,
      let high = UInt64(parts[0].prefix(16), radix: 16), let low = UInt64(parts[0].suffix(16), radix: 16),
      let sequence = Int64(parts[1]), sequence >= 0, let check = UInt64(parts[2], radix: 16)
    else { return nil }
    let store = UUID(uuid: unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
    self.init(store: store, sequence: sequence, check: check)
    // One text for each token: no sign, no capital letters, no leading zeros.
    guard self.description.utf8.elementsEqual(description.utf8) else { return nil }
  }
}
