import CFloor
import FoundationEssentials
import SaverCore
import SaverKit

/// Two stores with the same items: one used with plain C, one of ours.
struct StorePair {
  let engine: BenchmarkEngine
  let folder: String
  let floor: any Floor
  let store: Store

  /// Makes empty ones in a folder of their own.
  init(_ engine: BenchmarkEngine, in folder: String) throws {
    self.engine = engine
    self.folder = "\(folder)/\(UUID().uuidString)"
    floor = try engine.makeFloor(self.folder + "/floor")
    store = try engine.openStore(self.folder + "/ours")
  }

  var base: String { folder + "/ours" }

  /// For what nobody will look at again: disks are not endless.
  func remove() {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Inserts into both in one transaction each, floor first; what it took.
  func insert(_ data: BenchmarkData, _ access: floor_access = floor_by_cursor) throws -> (floor: Double, ours: Double) {
    let floorSeconds = try Clock.processor.seconds { try floor.insert(data.floorItems.items, access) }
    let seconds = try Clock.processor.seconds {
      try store.write { transaction in
        for item in data.items { try transaction.insert(item) }
      }
    }
    return (floorSeconds, seconds)
  }

  /// Both hold the same rows, and read them alike.
  ///
  /// - Throws: ``Difference``.
  func compare(count: Int) throws {
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true)
    let items = try store.read { try $0.fetch(query) }
    guard items.count == count else { throw Difference(place: items.count, reason: "rows are missing") }
    for (_, access) in engine.accesses { try Difference.find(try floor.newest(-1, access), items) }
  }
}
