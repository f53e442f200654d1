import FoundationEssentials

extension SectionedList {
  /// Brings the sections to the next state of the list.
  ///
  /// - Precondition: `difference` makes `items` of this list's ``items``.
  /// - Complexity: O(changes × log sections + sections). Asks for no keys but those of changed records.
  /// - Returns: what has changed. Where rows that have not changed stand in other sections than before, because records of
  ///   one section do not stand together, that is everything.
  public mutating func apply(_ difference: ListDifference<R>, items: RecordList<R>) -> SectionedDifference<Key, R> {
    let old = self
    var merge = Merge(SectionedList(by: key), oldCount: old.keys.count)
    merge.new.items = items
    var result = SectionedDifference<Key, R>()

    let removed = (difference.deleted.map { $0.index } + difference.moved.map { $0.from }).sorted()
    let placed = (difference.inserted.map { $0.index } + difference.moved.map { $0.to }).sorted()
    let runs = ListDifference<R>.runs(old.items.count, items.count, removed, placed.map { ($0, nil) })
    var updates = difference.updated.map { $0.index }[...]
    for run in runs {
      while merge.count < run.new {
        merge.append(key(items[merge.count]), 1, from: nil)
      }
      var offset = 0
      while offset < run.count {
        while let update = updates.first, update < run.new + offset { updates.removeFirst() }
        let path = old.path(of: run.old + offset)
        if updates.first == run.new + offset {
          // It may belong to another section now, without having moved in the list.
          let record = items[run.new + offset]
          let newKey = key(record)
          let isSame = newKey == old.keys[path.section]
          merge.append(newKey, 1, from: isSame ? path.section : nil)
          if !isSame { merge.changed.append((run.old + offset, run.new + offset)) }
          offset += 1
        } else {
          let sectionEnd = old.starts[path.section + 1] - run.old
          let end = Swift.min(run.count, sectionEnd, (updates.first ?? .max) - run.new)
          merge.append(old.keys[path.section], end - offset, from: path.section)
          offset = end
        }
      }
    }
    while merge.count < items.count { merge.append(key(items[merge.count]), 1, from: nil) }

    self = merge.new
    guard let kept = merge.keptSections(old.keys) else { return Self.everything(from: old, to: self) }
    let keptOld = Set(kept.compactMap(\.self))
    result.deletedSections = old.keys.indices.filter { !keptOld.contains($0) }
    for (index, source) in kept.enumerated() where source == nil {
      result.insertedSections.append(.init(index: index, key: keys[index]))
    }
    result.deleted = difference.deleted.map { .init(path: old.path(of: $0.index), id: $0.id) }
    result.inserted = difference.inserted.map { .init(path: path(of: $0.index), record: $0.record) }
    result.updated = difference.updated.map { .init(path: path(of: $0.index), record: $0.record) }
    result.moved = difference.moved.map { .init(from: old.path(of: $0.from), to: path(of: $0.to), id: $0.id) }
    if !merge.changed.isEmpty {
      result.moved += merge.changed.map { .init(from: old.path(of: $0), to: path(of: $1), id: items.ids[$1]) }
      result.moved.sort { $0.to < $1.to }
    }
    return result
  }

  /// Everything is taken out, and put in again.
  private static func everything(
    from old: SectionedList, to new: SectionedList
  ) -> SectionedDifference<Key, R> {
    var result = SectionedDifference<Key, R>()
    result.deletedSections = Array(old.keys.indices)
    result.insertedSections = new.keys.enumerated().map { .init(index: $0.offset, key: $0.element) }
    for (section, rows) in old.enumerated() {
      for (index, record) in rows.enumerated() {
        result.deleted.append(.init(path: SectionPath(section: section, index: index), id: record.id))
      }
    }
    for (section, rows) in new.enumerated() {
      for (index, record) in rows.enumerated() {
        result.inserted.append(.init(path: SectionPath(section: section, index: index), record: record))
      }
    }
    return result
  }

  /// Sections in the making, and which old ones they come from.
  private struct Merge {
    var new: SectionedList
    /// For each new section the old one that its unchanged rows were in; `nil` if it has none.
    private var sources: [Int?] = []
    /// For each old section the new one that its unchanged rows are in.
    private var targets: [Int?]
    /// Rows that have stayed were together and are not, or the reverse.
    private var isTorn = false
    /// Old and new indices of records that have come to another section without a move.
    var changed: [(old: Int, new: Int)] = []

    init(_ new: SectionedList, oldCount: Int) {
      self.new = new
      targets = [Int?](repeating: nil, count: oldCount)
    }

    /// The number of records so far.
    var count: Int { new.starts[new.starts.count - 1] }

    mutating func append(_ key: Key, _ count: Int, from source: Int?) {
      if new.append(key, count) { sources.append(nil) }
      guard let source else { return }
      let target = sources.count - 1
      if sources[target] ?? source != source || targets[source] ?? target != target { isTorn = true }
      sources[target] = source
      targets[source] = target
    }

    /// For each new section the old one that it is; `nil` if rows were torn apart.
    ///
    /// A section of which all records have changed is still the same if it has the same key and stands between the same
    /// neighbours.
    func keptSections(_ oldKeys: [Key]) -> [Int?]? {
      var kept = sources
      // The first old section that is kept from here on.
      var limits = [Int](repeating: oldKeys.count, count: sources.count + 1)
      for index in sources.indices.reversed() { limits[index] = sources[index] ?? limits[index + 1] }
      var untold: [Key: Int] = [:]
      for (index, key) in oldKeys.enumerated() where targets[index] == nil { untold[key] = index }
      var last = -1
      for index in kept.indices {
        if let source = kept[index] {
          if isTorn || source <= last { return nil }
          last = source
        } else if let source = untold[new.keys[index]], source > last, source < limits[index] {
          kept[index] = source
          last = source
        }
      }
      return isTorn ? nil : kept
    }
  }
}
