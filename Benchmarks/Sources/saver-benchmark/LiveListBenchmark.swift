import Dispatch
import FoundationEssentials
import SaverCore
import SaverKit

/// What one change costs a live list of everything, beside fetching everything again.
struct LiveListBenchmark {
  let engine: BenchmarkEngine
  let folder: String
  let effort: Effort
  let report: Report

  func run() throws {
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true)
    let pair = try StorePair(engine, in: folder)
    defer { pair.remove() }
    _ = try pair.insert(BenchmarkData(0..<effort.rows))
    var times = Times()
    for _ in 0..<effort.readRounds {
      let fetch = try Clock.wall.seconds { try pair.store.read { try $0.fetch(query) } }
      times.add(floor: fetch, ours: Spread(try Self.secondsOfOneChange(pair.store, query, rounds: 10)).median)
    }
    report.add(
      .latency(
        "one change in a live list of \(effort.rows)", engine, items: effort.rows, times, floor: "fetch all again",
        target: .speed(20)))
  }

  /// From the return of the commit to the update in the consumer's hand, for each of several changes.
  private static func secondsOfOneChange(_ store: Store, _ query: Query<SavedItem>, rounds: Int) throws -> [Double] {
    let changed = DispatchSemaphore(value: 0)
    let subscription = LiveListSubscription(store, query) { changed.signal() }
    defer { subscription.cancel() }
    changed.wait()
    guard var list = try subscription.take()?.items else { return [.nan] }
    return try (0..<rounds).map { round in
      // Near the front, where a list is edited.
      var item = list[round % min(50, list.count)]
      // Another one each time.
      item.title = "changed " + String(UInt32.random(in: 0 ... .max), radix: 2)
      let edited = item
      try store.write { try $0.update(edited) }
      return try Clock.wall.seconds {
        changed.wait()
        if let update = try subscription.take() { list = update.items }
      }
    }
  }
}
