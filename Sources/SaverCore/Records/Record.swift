public import FoundationEssentials

/// A value that a store keeps: identified, with a schema that says which of its properties are stored and how.
///
///     struct Note: Record {
///       let id: UUID
///       var text: String
///       var createdAt: Date
///
///       static let schema = Schema(
///         "note", version: 1,
///         Field("id", \Self.id),
///         Field("text", \.text),
///         Field("created_at", \.createdAt, indexed: true),
///         make: Note.init(id:text:createdAt:))
///     }
public protocol Record: Sendable, Identifiable where ID == UUID {
  static var schema: Schema<Self> { get }
}
