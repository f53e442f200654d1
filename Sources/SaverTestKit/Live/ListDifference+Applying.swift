import FoundationEssentials
import SaverCore

extension ListDifference {
  struct Unfit: Error, CustomStringConvertible {
    var description: String
  }

  /// Applies the difference to a plain array, as its documentation says, and looks at everything that it says there.
  func appliedPlainly(to old: [R]) throws -> [R] {
    try expectAscending(deleted.map(\.index), "deletions", below: old.count)
    try expectAscending(inserted.map(\.index), "insertions")
    try expectAscending(updated.map(\.index), "updates")
    try expectAscending(moved.map(\.to), "moves")
    for deletion in deleted where old[deletion.index].id != deletion.id {
      throw Unfit(description: "the deletion at \(deletion.index) names another record")
    }
    var taken: [UUID: R] = [:]
    for move in moved {
      guard old.indices.contains(move.from), old[move.from].id == move.id else {
        throw Unfit(description: "the move from \(move.from) names another record")
      }
      taken[move.id] = old[move.from]
    }
    let gone = Set(deleted.map(\.index) + moved.map(\.from))
    guard gone.count == deleted.count + moved.count else {
      throw Unfit(description: "a record is taken out twice")
    }
    var list = old.indices.filter { !gone.contains($0) }.map { old[$0] }
    var arriving: [(index: Int, record: R)] = inserted.map { ($0.index, $0.record) }
    for move in moved {
      if let record = taken[move.id] { arriving.append((move.to, record)) }
    }
    for (index, record) in arriving.sorted(by: { $0.index < $1.index }) {
      guard index <= list.count else { throw Unfit(description: "something is put in at \(index) of \(list.count)") }
      list.insert(record, at: index)
    }
    for update in updated {
      guard list.indices.contains(update.index), list[update.index].id == update.record.id else {
        throw Unfit(description: "the update at \(update.index) names another record")
      }
      list[update.index] = update.record
    }
    return list
  }

  private func expectAscending(_ indexes: [Int], _ what: String, below bound: Int = .max) throws {
    for (one, next) in zip(indexes, indexes.dropFirst()) where one >= next {
      throw Unfit(description: "the \(what) are not in ascending order: \(one), \(next)")
    }
    if let first = indexes.first, first < 0 { throw Unfit(description: "the \(what) begin at \(first)") }
    if let last = indexes.last, last >= bound { throw Unfit(description: "the \(what) go to \(last) of \(bound)") }
  }
}
