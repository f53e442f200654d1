/// A text computed from a field, kept beside the record so that it can be indexed and looked up.
///
/// It is a column of queries but no property of the record. Nothing relies on it having been written: another program
/// that inserts a row leaves it out, and then it is computed when the row is read and filled in by our next writer.
public struct DerivedField: Sendable {
  public let name: String
  /// The name of the text field that it is computed from.
  public let source: String
  public let isIndexed: Bool
  /// Must give the same result for the same text, always. An empty result means that the text has no such value.
  public let compute: @Sendable (String) -> String

  public init(
    _ name: String, from source: String, indexed: Bool = true, _ compute: @escaping @Sendable (String) -> String
  ) {
    precondition(isIdentifier(name), "'\(name)' is no name for a field")
    self.name = name
    self.source = source
    self.isIndexed = indexed
    self.compute = compute
  }
}
