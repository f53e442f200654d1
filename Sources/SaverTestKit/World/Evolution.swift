package import FoundationEssentials
package import SaverCore

/// One record type as it changes from one version of a program to the next. All are stored as `page`.
package enum Evolution {
  package struct First: Record {
    package let id: UUID
    package var text: String
    package var level: Int
    package static let schema = Schema(
      "page", version: 1, Field("id", \Self.id), Field("text", \.text), Field("level", \.level),
      make: Self.init(id:text:level:))

    package init(id: UUID, text: String, level: Int) {
      (self.id, self.text, self.level) = (id, text, level)
    }
  }

  /// Two fields more, one optional, one with a default; an index on an old field and on a new one; a derived field.
  package struct Second: Record {
    package let id: UUID
    package var text: String
    package var note: String?
    package var stars: Int
    package var level: Int
    package static let schema = Schema(
      "page", version: 2, Field("id", \Self.id), Field("text", \.text), Field("note", \.note),
      Field("stars", \.stars, default: 3, indexed: true), Field("level", \.level, indexed: true),
      indexes: [Index(\.stars, \.text)],
      derived: [DerivedField("text_upper", from: "text") { $0.uppercased() }],
      make: Self.init(id:text:note:stars:level:))
  }

  /// The indexes and the derived field gone again.
  struct Third: Record {
    let id: UUID
    var text: String
    var note: String?
    var stars: Int
    var level: Int?
    static let schema = Schema(
      "page", version: 3, Field("id", \Self.id), Field("text", \.text), Field("note", \.note),
      Field("stars", \.stars), Field("level", \.level),
      make: Self.init(id:text:note:stars:level:))
  }

  struct WithoutLevel: Record {
    let id: UUID
    var text: String
    static let schema = Schema(
      "page", version: 2, Field("id", \Self.id), Field("text", \.text), make: Self.init(id:text:))
  }

  struct LevelAsText: Record {
    let id: UUID
    var text: String
    var level: String
    static let schema = Schema(
      "page", version: 2, Field("id", \Self.id), Field("text", \.text), Field("level", \.level),
      make: Self.init(id:text:level:))
  }

  struct WithRequired: Record {
    let id: UUID
    var text: String
    var level: Int
    var author: String
    static let schema = Schema(
      "page", version: 2, Field("id", \Self.id), Field("text", \.text), Field("level", \.level),
      Field("author", \.author), make: Self.init(id:text:level:author:))
  }

  static let pages = (0..<8).map { First(id: .version7(), text: "page \($0)", level: $0 % 3) }
}
