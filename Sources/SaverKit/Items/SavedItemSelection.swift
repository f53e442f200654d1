public import FoundationEssentials
public import SaverCore

/// Which saved items, in which order: what a list asks for. The default is all of them, newest first.
public struct SavedItemSelection: Hashable, Sendable {
  /// A property of an item, under its public name.
  public enum Field: String, CaseIterable, Sendable {
    case id, text, title, tags, createdAt, updatedAt

    /// Whether a list can be sorted by it.
    public var isSortable: Bool { self != .tags }
  }

  public struct Sort: Hashable, Sendable {
    public var field: Field
    public var descending: Bool

    public init(_ field: Field, descending: Bool) {
      self.field = field
      self.descending = descending
    }
  }

  /// Words that must all occur in text, title or tags, blind to case and accents.
  public var search: String?
  /// Tags that an item must have, all of them.
  public var tags: [String] = []
  /// Tags that an item must not have, none of them.
  public var excludedTags: [String] = []
  /// Created at or after this.
  public var from: Date?
  /// Created before this.
  public var until: Date?
  public var sort = Sort(.createdAt, descending: true)
  public var limit: Int?
  /// Begin behind this item: the next page.
  public var after: SavedItem?

  public init() {}

  /// Whether anything but all items is asked for.
  public var isFiltered: Bool { filter != .constant(true) }

  var filter: Filter {
    var parts: [Filter] = []
    let fields = Fields<SavedItem>()
    if let search, !search.allSatisfy(\.isWhitespace) {
      parts.append(fields.search(search, in: fields.text, fields.title, fields.tags))
    }
    parts += tags.map { fields.tags.contains($0) }
    parts += excludedTags.map { !fields.tags.contains($0) }
    if let from { parts.append(fields.createdAt >= from) }
    if let until { parts.append(fields.createdAt < until) }
    return parts.isEmpty ? .constant(true) : .and(parts)
  }

  public var query: Query<SavedItem> {
    var query = Query<SavedItem>(filter: filter)
    query =
      switch sort.field {
      case .id: query.sorted(by: \.id, descending: sort.descending)
      case .text: query.sorted(by: \.text, descending: sort.descending)
      case .title: query.sorted(by: \.title, descending: sort.descending)
      case .createdAt, .tags: query.sorted(by: \.createdAt, descending: sort.descending)
      case .updatedAt: query.sorted(by: \.updatedAt, descending: sort.descending)
      }
    if let after { query = query.after(after) }
    return query.limit(limit)
  }
}
