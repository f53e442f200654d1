import Foundation
import Testing

@testable import SaverCore
@testable import SaverTestKit

/// Lists in sections.
struct SectionedListTests {
  private struct ModelSection: Equatable {
    var key: Int
    var rows: [LiveSample]
  }

  private static func sections(_ samples: [LiveSample], by key: (LiveSample) -> Int) -> [ModelSection] {
    samples.reduce(into: []) { sections, sample in
      if sections.last?.key == key(sample) {
        sections[sections.count - 1].rows.append(sample)
      } else {
        sections.append(ModelSection(key: key(sample), rows: [sample]))
      }
    }
  }

  /// Applies a difference as its documentation says.
  private static func apply(
    _ difference: SectionedDifference<Int, LiveSample>, to old: [ModelSection]
  ) -> [ModelSection] {
    var sections = old
    let records = Dictionary(uniqueKeysWithValues: old.flatMap(\.rows).map { ($0.id, $0) })
    for path in (difference.deleted.map(\.path) + difference.moved.map(\.from)).sorted().reversed() {
      sections[path.section].rows.remove(at: path.index)
    }
    for index in difference.deletedSections.reversed() {
      #expect(sections[index].rows.isEmpty)
      sections.remove(at: index)
    }
    for section in difference.insertedSections {
      sections.insert(ModelSection(key: section.key, rows: []), at: section.index)
    }
    var incoming = difference.inserted.map { ($0.path, $0.record) }
    incoming += difference.moved.compactMap { move in records[move.id].map { (move.to, $0) } }
    for (path, record) in incoming.sorted(by: { $0.0 < $1.0 }) {
      sections[path.section].rows.insert(record, at: path.index)
    }
    for update in difference.updated { sections[update.path.section].rows[update.path.index] = update.record }
    return sections
  }

  /// Random changes of a sorted list: the sections are those of the new list, and the difference makes them of the old ones.
  @Test(arguments: [true, false])
  func followsTheList(standTogether: Bool) throws {
    var random = RandomGenerator.printed()
    let key: @Sendable (LiveSample) -> Int = { standTogether ? $0.rank / 10 : $0.rank % 3 }
    var rewrites = 0
    for _ in 0..<20 {
      var samples: [LiveSample] = []
      var next = 0
      var list = SectionedList<Int, LiveSample>(by: key)
      for _ in 0..<40 {
        let old = samples
        for _ in 0..<random.pick([1, 1, 2, 5, 30]) {
          switch random.below(4) {
          case 0, 1:
            samples.append(LiveSample(next, rank: random.below(80)))
            next += 1
          case 2 where !samples.isEmpty: samples.remove(at: random.below(samples.count))
          case 3 where !samples.isEmpty: samples[random.below(samples.count)].rank = random.below(80)
          default: break
          }
        }
        samples.sort { ($0.rank, $0.id.uuidString) < ($1.rank, $1.id.uuidString) }
        let items = RecordList(samples)
        let difference = list.apply(ListDifference(from: list.items, to: items), items: items)
        let wanted = Self.sections(samples, by: key)
        #expect(list.map { ModelSection(key: $0.key, rows: Array($0)) } == wanted)
        #expect(Self.apply(difference, to: Self.sections(old, by: key)) == wanted)
        #expect(difference.isEmpty == (old == samples))
        if difference.inserted.count == samples.count, !old.isEmpty, !samples.isEmpty { rewrites += 1 }
        for index in samples.indices { #expect(list[list.path(of: index)] == samples[index]) }
      }
    }
    if standTogether { #expect(rewrites < 20) }
  }

  /// Sections that keep some record, or their key and their neighbours, are not made anew.
  @Test func sectionsStay() {
    let samples = (0..<30).map { LiveSample($0) }
    var list = SectionedList(RecordList(samples)) { $0.rank / 10 }
    // All rows of the second are replaced, one of the first changes, and the third goes.
    var new = samples
    new[3].text = "changed"
    new.replaceSubrange(10..., with: (100..<104).map { LiveSample($0, rank: 12) })
    let items = RecordList(new)
    let difference = list.apply(ListDifference(from: list.items, to: items), items: items)
    #expect(difference.deletedSections == [2] && difference.insertedSections.isEmpty)
    #expect(difference.updated.map(\.path) == [SectionPath(section: 0, index: 3)])
    #expect(difference.inserted.map(\.path) == (0..<4).map { SectionPath(section: 1, index: $0) })
  }
}
