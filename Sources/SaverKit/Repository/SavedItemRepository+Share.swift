public import FoundationEssentials
import SaverCore

/// Something to be shared.
public struct SharedText: Hashable, Sendable {
  /// Kept exactly. Not empty.
  public var text: String
  public var title: String?
  public var tags: [String]
  /// `nil`: now.
  public var createdAt: Date?

  public init(_ text: String, title: String? = nil, tags: [String] = [], createdAt: Date? = nil) {
    self.text = text
    self.title = title
    self.tags = tags
    self.createdAt = createdAt
  }
}

/// What becomes of a link that is shared although it is there already.
public enum DuplicatePolicy: String, CaseIterable, Sendable {
  /// The item that is there moves to the top and gets the new tags; its id stays.
  case bump
  /// A second item is made.
  case keep
  /// Nothing at all is shared.
  case reject
}

/// What sharing did.
public enum ShareOutcome: Hashable, Sendable {
  case added(SavedItem)
  /// The link was there already; this is the item now.
  case bumped(SavedItem)

  public var item: SavedItem {
    switch self {
    case .added(let item), .bumped(let item): item
    }
  }
}

/// Why nothing was shared.
public enum ShareError: Error, Hashable, Sendable {
  /// A text of nothing, or of nothing but white space.
  case emptyText
  /// The link is there already and ``DuplicatePolicy/reject`` was asked for.
  case duplicate(of: SavedItem)
}

extension SavedItemRepository {
  /// Shares all the texts, in one transaction, or none.
  ///
  /// Whether a link is there already is decided within the transaction, so that two processes that share it at once make
  /// one item (with ``DuplicatePolicy/bump``).
  ///
  /// - Returns: one outcome for each text, in order.
  /// - Throws: ``ShareError``, and then nothing was shared; ``StorageError``.
  public func share(_ texts: [SharedText], duplicates: DuplicatePolicy = .bump) async throws -> [ShareOutcome] {
    for text in texts where text.text.allSatisfy(\.isWhitespace) { throw ShareError.emptyText }
    return try await write("share") { [environment] transaction in
      let clock = ShareClock(now: environment.now().wholeMilliseconds)
      return try texts.map { try Self.share($0, duplicates, clock, environment, &transaction) }
    }
  }

  private static func share(
    _ shared: SharedText, _ duplicates: DuplicatePolicy, _ clock: ShareClock, _ environment: Environment,
    _ transaction: inout WriteTransaction
  ) throws -> ShareOutcome {
    if duplicates != .keep, let key = WebLink.duplicateKey(of: shared.text) {
      let same = Query<SavedItem>(filter: .compare(SavedItem.duplicateKeyColumn, .equal, .text(key)))
      if let known = try transaction.first(same.sorted(by: \.createdAt, descending: true)) {
        if duplicates == .reject { throw ShareError.duplicate(of: known) }
        return .bumped(try bump(known, with: shared, clock, &transaction))
      }
    }
    let item = SavedItem(
      id: environment.makeID(), text: shared.text, title: shared.title, tags: [].merging(shared.tags),
      createdAt: shared.createdAt?.wholeMilliseconds ?? clock.now, updatedAt: clock.now)
    try transaction.insert(item)
    return .added(item)
  }

  private static func bump(
    _ known: SavedItem, with shared: SharedText, _ clock: ShareClock, _ transaction: inout WriteTransaction
  ) throws -> SavedItem {
    var item = known
    item.tags = known.tags.merging(shared.tags)
    if let title = shared.title { item.title = title }
    if let createdAt = shared.createdAt {
      item.createdAt = createdAt.wholeMilliseconds
    } else {
      // The top of the list, even if the clock went back since the newest item was made.
      let newest = try transaction.first(Query<SavedItem>().sorted(by: \.createdAt, descending: true))
      let isNewest = newest?.id == known.id
      item.createdAt = isNewest ? max(clock.now, known.createdAt) : clock.top(above: newest?.createdAt)
    }
    item.updatedAt = max(clock.now, known.updatedAt)
    try transaction.update(item)
    return item
  }
}

/// The time of one act of sharing.
private struct ShareClock {
  let now: Date

  /// Now, or a millisecond after the newest item if that is later.
  func top(above newest: Date?) -> Date {
    guard let newest else { return now }
    return max(now, newest.addingTimeInterval(0.001).wholeMilliseconds)
  }
}

extension [String] {
  /// These tags, and behind them those of `others` that are not among them yet.
  func merging(_ others: [String]) -> [String] {
    others.reduce(into: self) { tags, tag in
      if !tags.contains(where: { $0.utf8.elementsEqual(tag.utf8) }) { tags.append(tag) }
    }
  }
}
