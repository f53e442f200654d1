import CFloor
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// From a commit in one process to what another shows of it.
///
/// One writer for all readers: this program, as a process of its own, which sleeps between its commits, so that it does not
/// take a core from the reader. The time runs from the return of the commit to the moment in which the reader has the new
/// item: the floors when they have read it; ours when the list with it is published (on the observer's thread, which is
/// where the floors are), and when a property on the main actor has been set.
struct ObservationBenchmark {
  let engine: BenchmarkEngine
  let data: BenchmarkData
  let rows: Int
  let folder: String
  let report: Report

  static let commits = 2_000
  private static let gapMicroseconds = 2_000
  private static let window = 50

  private var base: String { folder + "/observed" }

  func run() async throws {
    try fill()
    let requery = try floorLatencies(engine.windowCheck)
    let history = try floorLatencies(engine.historyCheck)
    let ours = try await ourLatencies()
    report.observation(
      "commit to publication, window of \(Self.window) in \(rows)", engine, ours.published, onMainActor: ours.shown,
      requery, history)
  }

  private func fill() throws {
    let store = try engine.openStore(base)
    try store.write { transaction in
      for item in data.items[..<rows] { try transaction.insert(item) }
    }
  }

  // MARK: The floors

  private func floorLatencies(_ check: floor_check) throws -> Latencies {
    try forgetObserved()
    let times = try freshTimes()
    var seen = [Int64](repeating: 0, count: Self.commits)
    let floor = try engine.openFloor(base)
    let notify = "\(base).\(engine.rawValue)-notify"
    // The first look, before anything is written: the history's floor begins here.
    var list = floor_list()
    try FloorError.check(check(UnsafeMutableRawPointer(floor.pointer), &list), "looking")
    floor_list_clear(&list)
    let writer = try startWriter()
    try FloorError.check(
      floor_observe(notify, Self.commits, &seen, check, UnsafeMutableRawPointer(floor.pointer)), "observing")
    waitpid(writer, nil, 0)
    return Latencies(from: times, to: seen)
  }

  // MARK: Ours

  private func ourLatencies() async throws -> (published: Latencies, shown: Latencies) {
    try forgetObserved()
    let times = try freshTimes()
    let store = try engine.openStore(base)
    let model = await ObservedModel(commits: Self.commits)
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true).limit(Self.window)
    let subscription = LiveListSubscription(store, query) {
      let published = floor_now()
      Task { @MainActor in model.drain(published) }
    }
    await model.follow(subscription)
    let writer = try startWriter()
    await model.allSeen()
    waitpid(writer, nil, 0)
    return (Latencies(from: times, to: await model.published), Latencies(from: times, to: await model.shown))
  }

  // MARK: The writer

  private func startWriter() throws -> pid_t {
    try ObservedWriter.start(
      engine, base, times: folder + "/times", count: Self.commits, gapMicroseconds: Self.gapMicroseconds)
  }

  private func freshTimes() throws -> SharedTimes {
    unlink(folder + "/times")
    return try SharedTimes(folder + "/times", count: Self.commits)
  }

  /// Takes away what an earlier writer has left in the window.
  private func forgetObserved() throws {
    let store = try engine.openStore(base)
    try store.write { transaction in
      try transaction.delete(Query<SavedItem>(filter: .hasPrefix("text", ObservedWriter.prefix)))
    }
  }
}

/// What a list on the main actor knows of the writer's items.
@MainActor private final class ObservedModel {
  private(set) var items = RecordList<SavedItem>()
  private(set) var published: [Int64]
  private(set) var shown: [Int64]
  private var left: Int
  private var subscription: LiveListSubscription<SavedItem>?
  private var waiting: CheckedContinuation<Void, Never>?

  init(commits: Int) {
    published = [Int64](repeating: 0, count: commits)
    shown = published
    left = commits
  }

  func follow(_ subscription: LiveListSubscription<SavedItem>) {
    self.subscription = subscription
    drain(floor_now())
  }

  func drain(_ time: Int64) {
    guard let update = try? subscription?.take() else { return }
    items = update.items
    let now = floor_now()
    let inserted = update.difference.inserted.compactMap { ObservedWriter.number(of: $0.record) }
    for number in inserted where shown[number] == 0 {
      // Of several that were merged, only the first was published when the list rang.
      published[number] = inserted.count == 1 ? time : now
      shown[number] = now
      left -= 1
    }
    if left == 0 { waiting?.resume() }
  }

  func allSeen() async {
    if left > 0 { await withCheckedContinuation { waiting = $0 } }
  }
}

/// How long each commit took to be seen, sorted; microseconds.
struct Latencies {
  let microseconds: [Double]

  init(from times: SharedTimes, to seen: [Int64]) {
    microseconds = seen.indices.map { Double(seen[$0] - times.times[$0]) / 1_000 }.sorted()
  }

  /// Below which `share` of all lie.
  func quantile(_ share: Double) -> Double {
    microseconds[min(microseconds.count - 1, Int(Double(microseconds.count) * share))]
  }
}
