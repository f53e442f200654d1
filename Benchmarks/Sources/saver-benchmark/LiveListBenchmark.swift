import Dispatch
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// What one change costs a live list: unbounded beside fetching everything again, and a window in stores of several sizes,
/// each followed by a process of its own, whose memory is told.
struct LiveListBenchmark {
  let engine: BenchmarkEngine
  let folder: String
  let report: Report

  private static let rounds = 40
  private static let window = 50

  func run(unbounded rows: Int, windowsOver sizes: [Int]) throws {
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true)
    let base = folder + "/live"
    let store = try filled(base, from: 0, to: rows)
    let change = try secondsOfOneChange(store, query)
    let fetch = try secondsOfFetching(store, query)
    report.times("one change in a live list of \(rows)", engine, change, "fetching all again", fetch)

    var size = 0
    for next in sizes {
      _ = try filled(folder + "/windows", from: size, to: next)
      size = next
      let process = try ChildProcess.start(["--window", engine.rawValue, folder, "\(size)"])
      waitpid(process, nil, 0)
    }
  }

  /// What such a process does.
  func followWindow(over size: Int) throws {
    let store = try engine.openStore(folder + "/windows")
    let change = try secondsOfOneChange(
      store, Query<SavedItem>().sorted(by: \.createdAt, descending: true).limit(Self.window))
    report.time("one change in a window of \(Self.window) over \(size)", engine, change, "peak \(Self.peakMiB) MiB")
  }

  /// In transactions of 10,000, so that memory does not grow with the store.
  private func filled(_ base: String, from start: Int, to end: Int) throws -> Store {
    let store = try engine.openStore(base)
    for lower in stride(from: start, to: end, by: 10_000) {
      try store.write { transaction in
        for number in lower..<min(lower + 10_000, end) {
          let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(number))
          try transaction.insert(
            SavedItem(
              id: .version7(), text: "https://example.com/article/\(number)?ref=share", title: nil, tags: [],
              createdAt: date, updatedAt: date))
        }
      }
    }
    return store
  }

  /// From the return of the commit to the update in the consumer's hand; the median.
  private func secondsOfOneChange(_ store: Store, _ query: Query<SavedItem>) throws -> Double {
    let changed = DispatchSemaphore(value: 0)
    let subscription = LiveListSubscription(store, query) { changed.signal() }
    defer { subscription.cancel() }
    changed.wait()
    guard var list = try subscription.take()?.items else { return .nan }
    var times: [Double] = []
    for round in 0..<Self.rounds {
      // Near the front, where a list is edited, and inside every window.
      var item = list[round % min(Self.window, list.count)]
      item.title = "changed \(round)"
      try store.write { try $0.update(item) }
      let start = Clock.wall.now
      changed.wait()
      guard let update = try subscription.take() else { continue }
      times.append(Clock.wall.now - start)
      list = update.items
    }
    return times.sorted()[times.count / 2]
  }

  private func secondsOfFetching(_ store: Store, _ query: Query<SavedItem>) throws -> Double {
    var best = Double.infinity
    for _ in 0..<5 {
      let start = Clock.wall.now
      let items = try store.read { try $0.fetch(query) }
      let end = Clock.wall.now
      best = withExtendedLifetime(items) { min(best, end - start) }
    }
    return best
  }

  /// The most memory that this program has had, mapped files included. What `getrusage` tells counts the process that
  /// started it, too.
  private static var peakMiB: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { Int($0) }.first.map { $0 / 1_024 } ?? 0
  }
}
