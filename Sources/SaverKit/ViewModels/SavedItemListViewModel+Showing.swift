import SaverCore

extension SavedItemListViewModel {
  /// Sets what is shown from the result and from what is hidden.
  func show() {
    let shown = hidden.isEmpty ? live : Self.list(live, without: hidden)
    items = shown
    hasMore = liveHasMore && window < selection.limit ?? .max
    // A list without an end beyond the window knows its length; the count may be of a moment later.
    let total = hasMore ? counted.map { max($0, live.count) } : live.count
    count = total.map { $0 - (live.count - shown.count) }
    if let sectionKey { sections = SectionedList(shown, by: sectionKey) }
  }

  // Loops over rows stand outside of the main actor: a closure formed in its code is checked at each call.

  nonisolated static func list(
    _ list: RecordList<SavedItem>, without ids: Set<SavedItem.ID>
  ) -> RecordList<SavedItem> {
    guard list.ids.contains(where: { ids.contains($0) }) else { return list }
    return RecordList(list.lazy.filter { !ids.contains($0.id) })
  }

  nonisolated static func ids(
    of list: RecordList<SavedItem>, at offsets: some Collection<Int>
  ) -> [SavedItem.ID] {
    offsets.map { list.ids[$0] }
  }
}
