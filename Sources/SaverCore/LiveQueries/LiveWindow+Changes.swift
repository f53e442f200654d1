import FoundationEssentials

/// The rows that have changed, compared with what is known.
private struct Findings {
  /// The changed rows that are in the known part of the result, as they are now.
  var candidates: ChunkBuffer
  /// Where their keys lie in the buffer of keys.
  var keys: [Range<Int>] = []
  var removed: [Int] = []
  /// Changed ids that are, or may be, among the known records, and of which it is not known where.
  var sought: Set<UUID> = []
  var changed: Set<UUID> = []

  /// Brings the candidates into the order of their keys.
  mutating func sort(by bytes: UnsafeRawBufferPointer) {
    if keys.count < 2 { return }
    let order = keys.indices.sorted { bytes[rebased: keys[$0]].comes(before: bytes[rebased: keys[$1]]) }
    var sorted = candidates.makeEmpty(capacity: candidates.count)
    for number in order { sorted.append(candidates.chunk, number) }
    candidates = sorted
    keys = order.map { keys[$0] }
  }
}

extension LiveWindow {
  /// Looks the changed rows up, and decides which records go, and where others come.
  ///
  /// - Parameter boundary: the last record that is known, unless nothing lies behind it: what comes behind it is of no
  ///   concern.
  /// - Returns: `nil` if a row cannot be decoded: only a fetch can tell whether that matters.
  mutating func edit(
    for changes: [ChangeSet.Change], _ boundary: R?, _ transaction: any EngineReadTransaction
  ) throws -> ListEdit? {
    var keys = TupleBuffer()
    if let boundary { try appendLastKey(of: boundary, to: &keys) }
    let boundaryKey = keys.count > 0 ? 0..<keys.count : nil
    var findings = Findings(candidates: reserve.makeEmpty(capacity: changes.count))
    for change in changes {
      guard try look(at: change, boundaryKey, &keys, &findings, transaction) else { return nil }
      try findOld(change, boundaryKey, &keys, &findings)
    }
    if !findings.sought.isEmpty { findings.removed += list.spine.indices(of: findings.sought) }
    findings.removed.sort()
    findings.sort(by: keys.bytes)
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
    var isCandidate = false
    var isDamaged = false
    counters.rowsFetched += 1
    _ = try transaction.row(condition.type, change.id) { row in
      guard condition.includes(row) else { return }
      condition.order.appendKey(of: row, to: &keys)
      if let boundary, keys.bytes[rebased: boundary].comes(before: keys.bytes[rebased: start..<keys.count]) { return }
      do {
        findings.candidates.append(try decode(row))
        isCandidate = true
      } catch {
        isDamaged = true
      }
    }
    if isCandidate {
      findings.keys.append(start..<keys.count)
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
        return !keys.bytes[rebased: boundary].comes(before: keys.bytes[rebased: start..<keys.count])
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
    if !reserve.contains(change.id) { findings.sought.insert(change.id) }
  }

  /// Gives each candidate its place in the list, or in the reserve.
  private mutating func place(_ findings: Findings, _ keys: borrowing TupleBuffer) throws -> ListEdit {
    var edit = ListEdit(removed: findings.removed, placed: findings.candidates)
    var removedBefore = 0
    var position = 0
    var first: EndKeys.Key?
    while edit.places.count < findings.keys.count {
      let number = edit.places.count
      let key = keys.bytes[rebased: findings.keys[number]]
      position = try self.position(of: key, from: position)
      if position == list.count { break }
      while removedBefore < edit.removed.count, edit.removed[removedBefore] < position { removedBefore += 1 }
      let index = position - removedBefore + number
      if index == 0 { first = EndKeys.Key(of: findings.candidates.id(at: number), key) }
      edit.places.append(index)
    }
    // From here on the keys are those of the list that is about to be made.
    if !findings.changed.isEmpty { endKeys = EndKeys() }
    if let first { endKeys.first = first }

    let placed = edit.places.count
    if placed < findings.keys.count || !findings.changed.isEmpty {
      try putIntoReserve(findings, from: placed, keys)
      while edit.placed.count > placed { edit.placed.removeLast() }
    }
    return edit
  }

  /// Takes the changed records out of the reserve, and merges candidates into it.
  ///
  /// - Parameter first: the first of the candidates that do not stand in the list.
  private mutating func putIntoReserve(
    _ findings: Findings, from first: Int, _ keys: borrowing TupleBuffer
  ) throws {
    needsFetch = true
    var merged = reserve.makeEmpty(capacity: reserve.count + findings.keys.count - first)
    var left = findings.keys.count
    var key = TupleBuffer()
    // The farthest first.
    for index in 0..<reserve.count where !findings.changed.contains(reserve.id(at: index)) {
      if left > first {
        key.removeAll()
        try condition.order.appendKey(of: reserve.record(at: index, as: R.self), to: &key)
        while left > first, key.bytes.comes(before: keys.bytes[rebased: findings.keys[left - 1]]) {
          left -= 1
          merged.append(findings.candidates.chunk, left)
        }
      }
      merged.append(reserve.chunk, index)
    }
    while left > first {
      left -= 1
      merged.append(findings.candidates.chunk, left)
    }
    reserve = merged
  }
}

extension UnsafeRawBufferPointer {
  /// A part of the bytes, counted from its own beginning.
  fileprivate subscript(rebased range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }
}
