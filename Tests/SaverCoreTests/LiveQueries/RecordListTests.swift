import Foundation
import Testing

@testable import SaverCore
@testable import SaverTestKit

/// Lists of records, and what differs between two.
struct RecordListTests {
  @Test func isACollection() {
    let samples = (0..<1000).map { LiveSample($0) }
    let list = RecordList(samples)
    #expect(list.checkInvariants())
    #expect(list.count == 1000 && Array(list) == samples && list.ids.elementsEqual(samples.map(\.id)))
    #expect(list[517] == samples[517] && list.last == samples.last && list[250..<260].map(\.rank) == Array(250..<260))
    #expect(list.index(of: samples[999].id) == 999 && list.index(of: LiveSample(1000).id) == nil)
    #expect(list == RecordList(samples) && list != RecordList(samples.dropLast()))
    let empty = RecordList<LiveSample>()
    #expect(empty.isEmpty && empty.checkInvariants() && empty == RecordList([]) && empty.first == nil)
  }

  /// Appending one by one, which live queries do all the time, leaves no list of tiny chunks. (Its first ones are small, as
  /// the list was.)
  @Test func growsIntoFullChunks() {
    var list = RecordList<LiveSample>()
    for number in 0..<2000 {
      list = list.splicing(removing: [], inserting: [.init(index: number, record: LiveSample(number))])
    }
    #expect(list.checkInvariants() && list.map(\.rank) == Array(0..<2000))
    #expect(list.spine.chunks.count <= 100)
    for number in 0..<2000 {
      list = list.splicing(removing: [0], inserting: [.init(index: 1999, record: LiveSample(2000 + number))])
    }
    #expect(list.checkInvariants() && list.map(\.rank) == Array(2000..<4000))
    #expect(list.spine.chunks.count <= 100)
  }

  /// What is new comes first in most lists: neither is that made of tiny chunks, and a window does not copy all of itself.
  @Test func growsAtTheFront() {
    var list = RecordList<LiveSample>()
    for number in 0..<2000 {
      list = list.splicing(removing: [], inserting: [.init(index: 0, record: LiveSample(number))])
    }
    #expect(list.checkInvariants() && list.map(\.rank) == (0..<2000).reversed())
    #expect(list.spine.chunks.count <= 100)
    var window = RecordList((0..<50).map { LiveSample($0) })
    for number in 50..<200 {
      let next = window.splicing(removing: [49], inserting: [.init(index: 0, record: LiveSample(number))])
      let kept = Set(window.spine.chunks.map { ObjectIdentifier($0) })
      let copied = next.spine.chunks.filter { !kept.contains(ObjectIdentifier($0)) }.map(\.count).reduce(0, +)
      #expect(next.checkInvariants() && next.count == 50 && copied <= 16, "\(copied) of 50 records are copied")
      window = next
    }
  }

  /// A random step from a list to the next: some records go, some come, some change, some move.
  private func step(_ old: [LiveSample], _ next: inout Int, _ random: inout RandomGenerator) -> [LiveSample] {
    var new = old
    for _ in 0..<random.pick([0, 1, 1, 2, 5, 40]) {
      switch random.below(4) {
      case 0:
        new.insert(LiveSample(next), at: random.below(new.count + 1))
        next += 1
      case 1 where !new.isEmpty: new.remove(at: random.below(new.count))
      case 2 where !new.isEmpty: new[random.below(new.count)].text = "text \(random.below(3))"
      case 3 where !new.isEmpty:
        let moved = new.remove(at: random.below(new.count))
        new.insert(moved, at: random.below(new.count + 1))
      default: break
      }
    }
    if random.chance(oneIn: 30) { new.shuffle(using: &random) }
    if random.chance(oneIn: 50) { new = [] }
    if random.chance(oneIn: 20) {
      for _ in 0..<random.below(300) {
        new.append(LiveSample(next))
        next += 1
      }
    }
    return new
  }

  /// A difference applied to the old list is the new list, says all that has changed and nothing else, and moves as little
  /// as can be.
  @Test func differencesAreExact() {
    var random = RandomGenerator.printed()
    var samples: [LiveSample] = []
    var next = 0
    var list = RecordList(samples)
    for _ in 0..<150 {
      let new = step(samples, &next, &random)
      let difference = ListDifference(from: list, to: RecordList(new))
      expectExact(difference, samples, new)
      let applied = list.applying(difference)
      #expect(applied.checkInvariants())
      #expect(Array(applied) == new)
      // Lists that share chunks differ as those that do not.
      let shared = ListDifference(from: list, to: applied)
      expectExact(shared, samples, new)
      #expect(shared.moved.count == difference.moved.count)
      #expect(ListDifference(from: applied, to: list).count >= 0)
      #expect(Array(applied.applying(ListDifference(from: applied, to: list))) == samples)
      samples = new
      list = applied
    }
  }

  private func expectExact(_ difference: ListDifference<LiveSample>, _ old: [LiveSample], _ new: [LiveSample]) {
    let oldByID = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
    let newIDs = Set(new.map(\.id))
    #expect(difference.deleted.map(\.id) == old.map(\.id).filter { !newIDs.contains($0) })
    #expect(difference.deleted.allSatisfy { old[$0.index].id == $0.id })
    #expect(difference.inserted.map(\.record) == new.filter { oldByID[$0.id] == nil })
    #expect(difference.inserted.allSatisfy { new[$0.index] == $0.record })
    #expect(difference.updated.map(\.record) == new.filter { oldByID[$0.id] != nil && oldByID[$0.id] != $0 })
    #expect(difference.updated.allSatisfy { new[$0.index] == $0.record })
    #expect(difference.moved.allSatisfy { old[$0.from].id == $0.id && new[$0.to].id == $0.id })
    #expect(zip(difference.moved, difference.moved.dropFirst()).allSatisfy { $0.to < $1.to })
    let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.element.id, $0.offset) })
    let common = new.compactMap { places[$0.id] }
    #expect(difference.moved.count == common.count - Self.longestIncreasing(common))
    #expect(difference.isEmpty == (old == new))
  }

  /// The length of the longest increasing subsequence, the slow way.
  static func longestIncreasing(_ numbers: [Int]) -> Int {
    var tails: [Int] = []
    for number in numbers {
      if let index = tails.firstIndex(where: { $0 >= number }) { tails[index] = number } else { tails.append(number) }
    }
    return tails.count
  }

  /// What an edit says of itself is what a comparison of both lists finds.
  @Test func editsKnowTheirDifference() {
    var random = RandomGenerator.printed()
    let order = RecordOrder<LiveSample>()
    for _ in 0..<300 {
      let old = (0..<random.below(400)).map { LiveSample($0) }
      let removed = old.indices.filter { _ in random.chance(oneIn: 10) }
      var put = removed.filter { _ in random.chance(oneIn: 2) }.map { old[$0] }
      for index in put.indices where random.chance(oneIn: 2) { put[index].text = "changed" }
      put += (0..<random.below(10)).map { LiveSample(1000 + $0) }
      put.shuffle(using: &random)
      let newCount = old.count - removed.count + put.count
      let places = Array(0..<newCount).shuffled(using: &random).prefix(put.count).sorted()
      let list = RecordList(old)
      let placed = zip(places, put).map { RecordList<LiveSample>.Placed(index: $0, record: $1) }
      let new = list.splicing(removing: removed, inserting: placed)
      #expect(new.checkInvariants() && new.count == newCount)
      #expect(placed.allSatisfy { new[$0.index] == $0.record })
      let chunk = RecordChunk<LiveSample>(capacity: put.count)
      for record in put { chunk.append(record) }
      let difference = ListDifference(from: list, to: new, removing: removed, inserting: places, chunk, order)
      expectExact(difference, old, Array(new))
      #expect(Array(list.applying(difference)) == Array(new))
    }
  }

  /// One change in a long list leaves nearly all chunks as they are, and the old list as it was.
  @Test func changesShareChunks() {
    let samples = (0..<100_000).map { LiveSample($0) }
    let old = RecordList(samples)
    let kept = old
    let changes: [(removed: [Int], placed: [RecordList<LiveSample>.Placed])] = [
      ([], [.init(index: 0, record: LiveSample(100_000))]), ([], [.init(index: 100_000, record: LiveSample(100_000))]),
      ([50_000], []),
      ([50_000], [.init(index: 50_000, record: LiveSample(50_000, text: "changed"))]),
      ([70_000], [.init(index: 3, record: samples[70_000])]),
    ]
    for (removed, placed) in changes {
      let new = old.splicing(removing: removed, inserting: placed)
      #expect(new.checkInvariants())
      let identities = Set(old.spine.chunks.map { ObjectIdentifier($0) })
      #expect(new.spine.chunks.filter { !identities.contains(ObjectIdentifier($0)) }.count <= 4)
    }
    #expect(Array(kept) == samples)
  }
}
