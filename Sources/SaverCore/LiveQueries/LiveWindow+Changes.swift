import FoundationEssentials

extension LiveWindow {
  typealias Placed = RecordList<R>.Placed

  /// What changed rows mean for the list.
  struct Edit {
    /// The indices of the list's records that have changed, or are gone, in ascending order.
    var removed: [Int] = []
    /// Changed records that stand before the list's last one, and where once the removed ones are taken out, in order.
    var placed: [Placed] = []
    /// What stands behind the list's last one, the nearest last: the reserve, and the changed records among it.
    var tail: [R]
  }

  /// A changed row that is in the result, as it is now.
  private struct Candidate {
    var record: R
    /// Where its key lies in the buffer of keys.
    var key: Range<Int>
  }

  /// The rows that have changed, compared with what is known.
  private struct Findings {
    var candidates: [Candidate] = []
    var removed: [Int] = []
    /// Changed ids that are, or may be, among the known records, and of which it is not known where.
    var sought: Set<UUID> = []
    var changed: Set<UUID> = []
  }

  /// Looks the changed rows up, and decides which records go, and where others come.
  ///
  /// - Parameter boundary: the last record that is known, unless nothing lies behind it: what comes behind it is of no
  ///   concern.
  /// - Returns: `nil` if a row cannot be decoded: only a fetch can tell whether that matters.
  mutating func edit(
    for changes: [ChangeSet.Change], _ boundary: R?, _ transaction: any EngineReadTransaction
  ) throws -> Edit? {
    var keys = TupleBuffer()
    if let boundary { try appendLastKey(of: boundary, to: &keys) }
    let boundaryKey = boundary.map { _ in 0..<keys.count }
    var findings = Findings()
    for change in changes {
      guard try look(at: change, boundaryKey, &keys, &findings, transaction) else { return nil }
      try findOld(change, boundaryKey, &keys, &findings)
    }
    if !findings.sought.isEmpty { findings.removed += list.spine.indices(of: findings.sought) }
    findings.removed.sort()
    // Sorting in code that is not compiled for the record's type costs 2 µs, whatever there is.
    if findings.candidates.count > 1 {
      findings.candidates.sort {
        RecordOrder<R>.order(keys.bytes[rebased: $0.key], keys.bytes[rebased: $1.key]) < 0
      }
    }
    return try place(findings, keys)
  }

  /// Notes a changed row if it is in the known part of the result now; `false` if it is, and cannot be decoded.
  private mutating func look(
    at change: ChangeSet.Change, _ boundary: Range<Int>?, _ keys: inout TupleBuffer, _ findings: inout Findings,
    _ transaction: any EngineReadTransaction
  ) throws -> Bool {
    let condition = condition
    let decode = R.schema.decode
    let start = keys.count
    var record: R?
    var isDamaged = false
    counters.rowsFetched += 1
    _ = try transaction.row(condition.type, change.id) { row in
      guard condition.includes(row) else { return }
      condition.order.appendKey(of: row, to: &keys)
      if let boundary, RecordOrder<R>.order(keys.bytes[rebased: boundary], keys.bytes[rebased: start..<keys.count]) < 0
      {
        return
      }
      do { record = try decode(row) } catch { isDamaged = true }
    }
    if let record {
      findings.candidates.append(Candidate(record: record, key: start..<keys.count))
    } else {
      keys.truncate(to: start)
    }
    return !isDamaged
  }

  /// Finds the record that a changed row was, by its old key.
  private mutating func findOld(
    _ change: ChangeSet.Change, _ boundary: Range<Int>?, _ keys: inout TupleBuffer, _ findings: inout Findings
  ) throws {
    switch change.before {
    case .absent: return
    case .unknown: break
    case .present(let row):
      let start = keys.count
      defer { keys.truncate(to: start) }
      let isKnown = row.withView { row in
        guard condition.includes(row) else { return false }
        condition.order.appendKey(of: row, to: &keys)
        guard let boundary else { return true }
        return RecordOrder<R>.order(keys.bytes[rebased: boundary], keys.bytes[rebased: start..<keys.count]) >= 0
      }
      if !isKnown { return }
      let index = try position(of: keys.bytes[rebased: start..<keys.count])
      if index < list.count, list.spine.id(at: index) == change.id {
        findings.removed.append(index)
        findings.changed.insert(change.id)
        return
      }
    }
    // In the reserve, or not known where.
    findings.changed.insert(change.id)
    if !reserve.contains(where: { $0.id == change.id }) { findings.sought.insert(change.id) }
  }

  /// Gives each candidate its place.
  private mutating func place(_ findings: Findings, _ keys: borrowing TupleBuffer) throws -> Edit {
    var edit = Edit(removed: findings.removed, tail: [])
    var removedBefore = 0
    var position = 0
    var next = 0
    var first: EndKeys.Key?
    while next < findings.candidates.count {
      let candidate = findings.candidates[next]
      let key = keys.bytes[rebased: candidate.key]
      position = try self.position(of: key, from: position)
      if position == list.count { break }
      while removedBefore < edit.removed.count, edit.removed[removedBefore] < position { removedBefore += 1 }
      let index = position - removedBefore + next
      if index == 0 { first = EndKeys.Key(of: candidate.record.id, key) }
      edit.placed.append(Placed(index: index, record: candidate.record))
      next += 1
    }
    // From here on the keys are those of the list that is about to be made.
    if !findings.changed.isEmpty { endKeys = EndKeys() }
    if let first { endKeys.first = first }

    if next == findings.candidates.count, findings.changed.isEmpty {
      edit.tail = takeReserve()
      return edit
    }
    // The rest is merged with the reserve.
    var key = TupleBuffer()
    for record in takeReserve().reversed() where !findings.changed.contains(record.id) {
      key.removeAll()
      try condition.order.appendKey(of: record, to: &key)
      while next < findings.candidates.count,
        RecordOrder<R>.order(keys.bytes[rebased: findings.candidates[next].key], key.bytes) < 0
      {
        edit.tail.append(findings.candidates[next].record)
        next += 1
      }
      edit.tail.append(record)
    }
    for candidate in findings.candidates[next...] { edit.tail.append(candidate.record) }
    edit.tail.reverse()
    return edit
  }
}

extension UnsafeRawBufferPointer {
  /// A part of the bytes, counted from its own beginning.
  fileprivate subscript(rebased range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }
}
