/// A record type as a store remembers it: a few lines of text that a person can read.
///
///     record item 1
///     field id uuid
///     field title string optional
///     index created_at
///     derived duplicate_key from text
///
/// Defaults and computations are the program's and not part of it: when one changes, its author counts up the version,
/// and every row is written anew.
public struct StoredSchema: Hashable, Sendable {
  public struct Field: Hashable, Sendable {
    public var name: String
    public var type: FieldType
    public var isOptional: Bool
  }

  public var name: String
  public var version: Int
  public var fields: [Field]
  /// The names of the indexes and derived columns, as lines.
  var additions: [String]

  public init(_ type: RecordType) {
    name = type.name
    version = type.version
    fields = type.fields.map { Field(name: $0.name, type: $0.type, isOptional: $0.isOptional) }
    additions =
      type.indexes.map { "index " + $0.columns.map { type.name(ofColumn: $0) }.joined(separator: " ") }
      + type.derived.map { "derived \($0.name) from \($0.source)" }
  }

  /// The text that stands for it. Equal schemas have equal texts.
  public var text: String {
    let lines =
      ["record \(name) \(version)"]
      + fields.map { "field \($0.name) \($0.type.rawValue)" + ($0.isOptional ? " optional" : "") }
      + additions
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the text; `nil` if it is none, or has names that no schema can have: another program wrote it, and engines
  /// put names into statements.
  public init?(parsing text: String) {
    var lines = text.split(separator: "\n").map { $0.split(separator: " ") }[...]
    guard let head = lines.popFirst(), head.count == 3, head[0] == "record", let version = Int(head[2]),
      isIdentifier(String(head[1]))
    else { return nil }
    name = String(head[1])
    self.version = version
    fields = []
    additions = []
    for line in lines {
      switch line.first {
      case "field":
        guard line.count >= 3, isIdentifier(String(line[1])), let type = FieldType(rawValue: String(line[2])) else {
          return nil
        }
        fields.append(Field(name: String(line[1]), type: type, isOptional: line.dropFirst(3).first == "optional"))
      case "index", "derived": additions.append(line.joined(separator: " "))
      default: return nil
      }
    }
  }
}
