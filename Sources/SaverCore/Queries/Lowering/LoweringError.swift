/// A part of a `#Predicate` that a ``Filter`` cannot say.
///
/// Usual causes: arithmetic on a field, a forced unwrap, a closure over a list, a property that is no field of the
/// schema. The message says what to write instead.
public struct LoweringError: Error, Hashable, Sendable {
  /// The kind of the expression, as Foundation names it: `Arithmetic`, `ForcedUnwrap`, `KeyPath`.
  public var node: String
  /// The key path from the record in that expression, if there is one; the first, if there are more.
  public var keyPath: String?
  /// The field at that key path, if the schema has one there.
  public var field: String?
  /// What is wrong, and what to write instead.
  public var message: String

  public init(node: String, keyPath: String? = nil, field: String? = nil, message: String) {
    self.node = node
    self.keyPath = keyPath
    self.field = field
    self.message = message
  }
}

extension LoweringError: CustomStringConvertible {
  public var description: String {
    var place = node
    if let keyPath { place += " of \(keyPath)" }
    if let field { place += " (field '\(field)')" }
    return "A predicate cannot be made a filter, because of \(place): \(message)."
  }
}
