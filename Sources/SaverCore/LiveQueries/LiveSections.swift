/// The states of a query's result in sections: ``LiveList``, with the sections kept up to date as well.
public struct LiveSections<Key: Hashable & Sendable, R: Record>: AsyncSequence, Sendable {
  public typealias Element = SectionsUpdate<Key, R>
  public typealias Failure = StorageError

  let list: LiveList<R>
  let key: @Sendable (R) -> Key

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(updates: list.makeAsyncIterator(), sections: SectionedList(by: key))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var updates: LiveList<R>.AsyncIterator
    fileprivate var sections: SectionedList<Key, R>

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StorageError) -> SectionsUpdate<Key, R>? {
      guard let update = try await updates.next(isolation: actor) else { return nil }
      let difference = sections.apply(update.difference, items: update.items)
      return SectionsUpdate(sections: sections, difference: difference, list: update)
    }
  }
}

/// A new state of a live list in sections.
public struct SectionsUpdate<Key: Hashable & Sendable, R: Record>: Sendable {
  public var sections: SectionedList<Key, R>
  /// What makes `sections` of those that were delivered before.
  public var difference: SectionedDifference<Key, R>
  /// The same without sections, and what else there is to know.
  public var list: ListUpdate<R>
}

extension LiveList {
  /// The list in sections of records that have the same key; sort the query so that they stand together.
  public func sectioned<Key: Hashable & Sendable>(by key: @escaping @Sendable (R) -> Key) -> LiveSections<Key, R> {
    LiveSections(list: self, key: key)
  }
}
