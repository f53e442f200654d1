import CFloor
import Foundation
import SaverCore
import SaverKit

/// The work, on one engine after the other.
struct Work {
  typealias Fetch = (UnsafePointer<CChar>, Int32, UnsafeMutablePointer<Int>, UnsafeMutablePointer<Int>) -> Double

  let count: Int
  let folder: String

  func run<Backend: StorageBackend>(
    _ backend: Backend.Type, floors: [(name: String, fetch: Fetch)],
    insert: (UnsafePointer<CChar>, UnsafePointer<floor_item>, Int32) -> Double
  ) throws {
    let data = TestItems(count: count)
    var best = (ours: Double.infinity, floor: Double.infinity)
    var path = ""
    for round in 0..<3 {
      let floorPath = try newStore(backend, "floor\(round)").path ?? ""
      best.floor = min(best.floor, insert(floorPath, data.forC, Int32(count)))
      let store = try newStore(backend, "ours\(round)")
      path = store.path ?? ""
      best.ours = min(best.ours, try timed { try Self.insert(data.items, into: store) })
    }
    report(backend.name, "insert", best.ours, "C", best.floor)
    for (limit, rounds) in [(-1, 10), (50, 200)] {
      for floor in floors { try fetch(backend, path, limit, rounds, floor) }
    }
  }

  private func newStore<Backend: StorageBackend>(_: Backend.Type, _ name: String) throws -> Store {
    try Backend.open(
      StoreLocation(base: "\(folder)/\(name)"), types: [SavedItem.schema.type],
      configuration: Backend.defaultConfiguration)
  }

  private func fetch<Backend: StorageBackend>(
    _: Backend.Type, _ path: String, _ limit: Int, _ rounds: Int, _ floor: (name: String, fetch: Fetch)
  ) throws {
    var best = (ours: Double.infinity, floor: Double.infinity)
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true).limit(limit < 0 ? nil : limit)
    var store: Store?
    for _ in 0..<rounds {
      // One environment for a file and process: ours is closed while the floor has it.
      store = nil
      var found = (rows: 0, bytes: 0)
      best.floor = min(best.floor, floor.fetch(path, Int32(limit), &found.rows, &found.bytes))
      store = try Backend.open(
        StoreLocation(base: path, creation: .never), types: [SavedItem.schema.type],
        configuration: Backend.defaultConfiguration)
      for _ in 0..<2 {
        var items: [SavedItem] = []
        let seconds = try timed { items = try Self.fetch(query, from: store!) }
        best.ours = min(best.ours, seconds)
        let bytes = items.reduce(0) { $0 + $1.text.utf8.count }
        guard items.count == found.rows, bytes == found.bytes else { fatalError("floor and ours read different rows") }
      }
    }
    report(Backend.name, limit < 0 ? "fetch all" : "newest \(limit)", best.ours, floor.name, best.floor)
  }

  private func report(_ engine: String, _ work: String, _ ours: Double, _ floorName: String, _ floor: Double) {
    print(
      String(
        format: "%@  %@: ours %.3f ms, %@ %.3f ms, ratio %.2f", engine, work, ours * 1e3, floorName, floor * 1e3,
        floor / ours))
  }

  private func timed(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
  }

  private static func insert(_ items: [SavedItem], into store: Store) throws {
    try store.write { transaction in
      for item in items { try transaction.insert(item) }
    }
  }

  private static func fetch(_ query: Query<SavedItem>, from store: Store) throws -> [SavedItem] {
    try store.read { try $0.fetch(query) }
  }
}
