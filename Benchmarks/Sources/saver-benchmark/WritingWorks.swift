import CFloor
import FoundationEssentials
import SaverCore
import SaverKit

/// Inserting, updating and deleting beside C.
struct WritingWorks {
  let engine: BenchmarkEngine
  let folder: String
  let effort: Effort
  let report: Report

  private var rows: Int { effort.rows }

  /// Fills fresh stores each round; the last two are those that are used further.
  func insertInBulk() throws -> StorePair {
    let data = BenchmarkData(0..<rows)
    var pair: StorePair?
    for (name, access) in engine.accesses {
      var times = Times()
      for _ in 0..<effort.insertRounds {
        pair?.remove()
        let fresh = try StorePair(engine, in: folder)
        let (floor, ours) = try fresh.insert(data, access)
        times.add(floor: floor, ours: ours)
        pair = fresh
      }
      report.add(
        .speed(
          "insert \(rows), one transaction", engine, items: rows, times, count: rows, floor: name,
          target: engine.isUsualFloor(access) ? 0.8 : nil))
    }
    return pair!
  }

  /// Waits for the disk each time, so that it is wall time that counts.
  func commitSingly(_ pair: StorePair) throws {
    let count = effort.commitsPerRound
    let data = BenchmarkData(rows..<rows + effort.commitRounds * count)
    let times = try contest(rounds: effort.commitRounds, clock: .wall) { round in
      for index in round * count..<(round + 1) * count {
        try pair.floor.insert(UnsafeBufferPointer(rebasing: data.floorItems.items[index...index]), floor_by_cursor)
      }
    } ours: { round in
      for index in round * count..<(round + 1) * count {
        try pair.store.write { try $0.insert(data.items[index]) }
      }
    }
    report.add(
      .speed("durable commits of one item", engine, items: rows, times, count: count, target: 0.8))
  }

  /// A new title for all that have one, and a new time of change for all.
  func updateInBulk(_ pair: StorePair) throws {
    var times = Times()
    for round in 1...effort.insertRounds {
      let data = BenchmarkData(0..<rows, edition: round)
      let floor = try Clock.processor.seconds { try pair.floor.update(data.floorItems.items) }
      let ours = try Clock.processor.seconds {
        try pair.store.write { transaction in
          for item in data.items { try transaction.update(item) }
        }
      }
      times.add(floor: floor, ours: ours)
    }
    report.add(.speed("update \(rows), one transaction", engine, items: rows, times, count: rows))
  }

  /// A part of all in each round.
  func deleteInBulk(_ pair: StorePair) throws {
    let count = rows / effort.insertRounds
    var times = Times()
    for round in 0..<effort.insertRounds {
      // As they are: the floor finds the index entries of an item by what is in it.
      let data = BenchmarkData(round * count..<(round + 1) * count, edition: effort.insertRounds)
      let floor = try Clock.processor.seconds { try pair.floor.delete(data.floorItems.items) }
      let ours = try Clock.processor.seconds {
        try pair.store.write { transaction in
          for item in data.items { try transaction.delete(SavedItem.self, id: item.id) }
        }
      }
      times.add(floor: floor, ours: ours)
    }
    report.add(.speed("delete \(count), one transaction", engine, items: rows, times, count: count))
  }
}
