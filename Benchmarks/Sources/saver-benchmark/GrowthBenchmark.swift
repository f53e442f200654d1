import CFloor
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// The same works in stores of 1,000 items and its tenfolds: what grows with the store, and what does not.
///
/// One pair of stores that grows from size to size, in transactions of at most 100,000 items.
struct GrowthBenchmark {
  let engine: BenchmarkEngine
  let folder: String
  let effort: Effort
  let report: Report

  private static let transactionMax = 100_000
  private static let rounds = 3

  func run() throws {
    let pair = try StorePair(engine, in: folder)
    defer { pair.remove() }
    var windows: [(size: Int, window: WindowProcess.Result)] = []
    var size = 0
    for next in effort.growthSizes {
      try grow(pair, from: size, to: next)
      size = next
      try ReadingWorks(pair: pair, rows: size, rounds: Self.rounds, attempts: 1, add: report.addGrowth).run()
      let window = try WindowProcess.run(engine, pair.base, scratch: folder)
      try ObservedWriter.forget(in: pair.store)
      windows.append((size, window))
      report.addGrowth(
        Finding(
          work: "following one change, window of \(WindowProcess.window)", engine: engine, items: size,
          ours: window.seconds,
          unit: .seconds))
      report.addGrowth(
        Finding(
          work: "peak memory with that window", engine: engine, items: size, ours: window.mebibytes, unit: .mebibytes))
    }
    tellWindow(windows)
  }

  /// The time of a transaction is its own; the table has the median of those of the largest size.
  private func grow(_ pair: StorePair, from start: Int, to end: Int) throws {
    let usual = engine.accesses[0]
    var times = Times()
    let step = min(Self.transactionMax, end - start)
    for lower in stride(from: start, to: end, by: step) {
      let data = BenchmarkData(lower..<min(lower + step, end))
      let (floor, ours) = try pair.insert(data, usual.access)
      times.add(floor: floor, ours: ours)
    }
    report.addGrowth(.speed("insert", engine, items: end, times, count: step, floor: usual.name))
    if end > Self.transactionMax {
      report.add(
        .speed(
          "insert up to \(end), \(step) a transaction", engine, items: end, times, count: step, floor: usual.name,
          target: 0.8))
    }
  }

  /// What the largest store costs beside the smallest.
  private func tellWindow(_ windows: [(size: Int, window: WindowProcess.Result)]) {
    guard let first = windows.first, let last = windows.last, last.size > first.size else { return }
    report.add(
      Finding(
        work: "following a window of \(WindowProcess.window) over \(last.size)", engine: engine, items: last.size,
        ours: last.window.seconds, unit: .seconds, floor: first.window.seconds, floorName: "over \(first.size)",
        ratio: Spread([first.window.seconds / last.window.seconds]), target: .speed(1 / 1.3)))
    report.add(
      Finding(
        work: "peak memory, window over \(last.size)", engine: engine, items: last.size, ours: last.window.mebibytes,
        unit: .mebibytes, target: .atMost(40)))
  }
}
