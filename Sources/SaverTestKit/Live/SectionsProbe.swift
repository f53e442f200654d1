import FoundationEssentials
import SaverCore

/// Keeps sections beside a live list, and holds them and their differences to what plain arrays give.
struct SectionsProbe<R: TransparentRecord & Equatable> {
  typealias Plain = [(key: String, rows: [R])]

  private var sections: SectionedList<String, R>
  private var plain: Plain = []
  private let key: @Sendable (R) -> String

  init(by key: @escaping @Sendable (R) -> String) {
    self.key = key
    sections = SectionedList(by: key)
  }

  struct Unfit: Error, CustomStringConvertible {
    var description: String
  }

  mutating func follow(_ update: ListUpdate<R>) throws {
    let difference = sections.apply(update.difference, items: update.items)
    var wanted: Plain = []
    for record in update.items {
      if wanted.last?.key != key(record) { wanted.append((key(record), [])) }
      wanted[wanted.count - 1].rows.append(record)
    }
    let found = sections.map { (key: $0.key, rows: Array($0)) }
    try expect(found, wanted, "the sections")
    try expect(try applied(difference, to: plain), wanted, "the difference of the sections")
    for (index, record) in update.items.enumerated() where sections[sections.path(of: index)].id != record.id {
      throw Unfit(description: "the place of record \(index) in the sections is another's")
    }
    plain = wanted
  }

  private func expect(_ found: Plain, _ wanted: Plain, _ what: String) throws {
    guard found.map(\.key) == wanted.map(\.key), found.map(\.rows) == wanted.map(\.rows) else {
      throw Unfit(
        description: "\(what): found \(found.map { "\($0.key): \($0.rows.count)" }), wanted "
          + "\(wanted.map { "\($0.key): \($0.rows.count)" })")
    }
  }

  /// In the order that the difference's documentation says.
  private func applied(_ difference: SectionedDifference<String, R>, to old: Plain) throws -> Plain {
    var plain = old
    var taken: [UUID: R] = [:]
    for move in difference.moved { taken[move.id] = old[move.from.section].rows[move.from.index] }
    for path in (difference.deleted.map(\.path) + difference.moved.map(\.from)).sorted(by: >) {
      plain[path.section].rows.remove(at: path.index)
    }
    for deletion in difference.deleted where old[deletion.path.section].rows[deletion.path.index].id != deletion.id {
      throw Unfit(description: "a deletion at \(deletion.path) names another record")
    }
    for section in difference.deletedSections.sorted(by: >) {
      guard plain[section].rows.isEmpty else { throw Unfit(description: "section \(section) is deleted with records") }
      plain.remove(at: section)
    }
    for section in difference.insertedSections { plain.insert((section.key, []), at: section.index) }
    var arriving: [(path: SectionPath, record: R)] = difference.inserted.map { ($0.path, $0.record) }
    for move in difference.moved {
      if let record = taken[move.id] { arriving.append((move.to, record)) }
    }
    for (path, record) in arriving.sorted(by: { $0.path < $1.path }) {
      guard plain.indices.contains(path.section), path.index <= plain[path.section].rows.count else {
        throw Unfit(description: "something is put in at \(path), where nothing can be")
      }
      plain[path.section].rows.insert(record, at: path.index)
    }
    for update in difference.updated { plain[update.path.section].rows[update.path.index] = update.record }
    return plain
  }
}
