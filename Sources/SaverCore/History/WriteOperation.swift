public import FoundationEssentials

/// What a write is a part of: one act of a person or a program, in one transaction or several.
///
/// The history keeps it with each transaction, so that `undo` takes back the whole act and can say what it was.
public struct WriteOperation: Hashable, Sendable {
  /// The same for all transactions of one act.
  public var id: UUID
  /// A word for people: "share", "delete".
  public var name: String
  /// The act that this one takes back.
  public var undoes: UUID?

  public init(_ name: String = "write", id: UUID = UUID.version7(), undoes: UUID? = nil) {
    self.name = name
    self.id = id
    self.undoes = undoes
  }

  /// The act by which a store got the content that it begins with: undo passes it by.
  ///
  /// The history says so by an act that takes back itself.
  public static func beginning(_ name: String, id: UUID = UUID.version7()) -> WriteOperation {
    WriteOperation(name, id: id, undoes: id)
  }

  var isBeginning: Bool { undoes == id }
}
