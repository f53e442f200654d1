import CFloor
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// From a commit in one process to what another shows of it.
///
/// One writer for all readers: this program, as a process of its own, which sleeps between its commits, so that it does not
/// take a core from the reader. The time runs from the commit, before the notify file is touched, to the moment in which the
/// reader has the new item: the floors when they have read it; ours when the list with it is published (on the observer's
/// thread, which is where the floors are), and when a property on the main actor has been set.
struct ObservationBenchmark {
  let engine: BenchmarkEngine
  let folder: String
  let effort: Effort
  let report: Report

  private static let window = 50

  private var base: String { folder + "/observed" }
  private var commits: Int { effort.observedCommits }

  func run() async throws {
    try fill()
    try await follow("window of \(Self.window)", limit: Self.window)
    try await follow("list of all", limit: nil)
  }

  /// - Parameter limit: how much of the list is followed; `nil` is all of it, and then nobody queries it again.
  private func follow(_ name: String, limit: Int?) async throws {
    var (requery, history, published, shown) = ([Latencies](), [Latencies](), [Latencies](), [Latencies]())
    for _ in 0..<effort.observedRounds {
      if limit != nil { requery.append(try floorLatencies(engine.windowCheck)) }
      history.append(try floorLatencies(engine.historyCheck))
      let ours = try await ourLatencies(limit)
      published.append(ours.published)
      shown.append(ours.shown)
    }
    let isWindow = limit != nil
    if isWindow { add("commit to \(name), p50", 0.5, published, beside: requery, "C, query again", .speed(1)) }
    add("commit to \(name), p50", 0.5, published, beside: history, "C, history", isWindow ? .speed(1 / 2.5) : nil)
    add("commit to \(name), p99", 0.99, published, beside: history, "C, history", isWindow ? .atMost(0.0005) : nil)
    add("commit to \(name), slowest", 1, published, beside: history, "C, history", nil)
    add("the same on the main actor, p50", 0.5, shown, beside: history, "C, history", nil)
    add("the same on the main actor, p99", 0.99, shown, beside: history, "C, history", nil)
  }

  /// One quantile of each round beside that of the floor.
  private func add(
    _ work: String, _ share: Double, _ ours: [Latencies], beside floor: [Latencies], _ floorName: String,
    _ target: Finding.Target?
  ) {
    var times = Times()
    for (floor, ours) in zip(floor, ours) { times.add(floor: floor.quantile(share), ours: ours.quantile(share)) }
    report.add(.latency(work, engine, items: effort.rows, times, floor: floorName, target: target))
  }

  private func fill() throws {
    let store = try engine.openStore(base)
    let data = BenchmarkData(0..<effort.rows)
    try store.write { transaction in
      for item in data.items { try transaction.insert(item) }
    }
  }

  // MARK: The floors

  private func floorLatencies(_ check: floor_check) throws -> Latencies {
    try ObservedWriter.forget(in: engine.openStore(base))
    let times = try freshTimes()
    var seen = [Int64](repeating: 0, count: commits)
    let floor = try engine.openFloor(base)
    let notify = "\(base).\(engine.rawValue)-notify"
    // The first look, before anything is written: the history's floor begins here.
    var list = floor_list()
    try FloorError.check(check(UnsafeMutableRawPointer(floor.pointer), &list), "looking")
    floor_list_clear(&list)
    let writer = try startWriter()
    try FloorError.check(
      floor_observe(notify, commits, &seen, check, UnsafeMutableRawPointer(floor.pointer)), "observing")
    try ChildProcess.wait(writer)
    return Latencies(from: times, to: seen)
  }

  // MARK: Ours

  private func ourLatencies(_ limit: Int?) async throws -> (published: Latencies, shown: Latencies) {
    try ObservedWriter.forget(in: engine.openStore(base))
    let times = try freshTimes()
    let store = try engine.openStore(base)
    let model = await ObservedModel(commits: commits)
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true).limit(limit)
    let subscription = LiveListSubscription(store, query) {
      let published = floor_now()
      Task { @MainActor in model.drain(published) }
    }
    await model.follow(subscription)
    let writer = try startWriter()
    await model.allSeen()
    // It holds the model, and the model holds it: it would go on, and cost those that are measured next.
    subscription.cancel()
    try ChildProcess.wait(writer)
    return (Latencies(from: times, to: await model.published), Latencies(from: times, to: await model.shown))
  }

  // MARK: The writer

  private func startWriter() throws -> pid_t {
    try ObservedWriter.start(
      engine, base, times: folder + "/times", count: commits, gapMicroseconds: effort.gapMicroseconds)
  }

  private func freshTimes() throws -> SharedTimes {
    unlink(folder + "/times")
    return try SharedTimes(folder + "/times", count: commits)
  }
}

/// What a list on the main actor knows of the writer's items.
@MainActor private final class ObservedModel {
  private(set) var items = RecordList<SavedItem>()
  private(set) var published: [Int64]
  private(set) var shown: [Int64]
  private var left: Int
  private var isFilled = false
  private var subscription: LiveListSubscription<SavedItem>?
  private var waiting: CheckedContinuation<Void, Never>?

  init(commits: Int) {
    published = [Int64](repeating: 0, count: commits)
    shown = published
    left = commits
  }

  /// Waits for the first publication, too: fetching a long list is not what is measured.
  func follow(_ subscription: LiveListSubscription<SavedItem>) async {
    self.subscription = subscription
    drain(floor_now())
    if !isFilled { await withCheckedContinuation { waiting = $0 } }
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
    guard left == 0 || !isFilled else { return }
    isFilled = true
    waiting?.resume()
    waiting = nil
  }

  func allSeen() async {
    if left > 0 { await withCheckedContinuation { waiting = $0 } }
  }
}

/// How long each commit took to be seen, in seconds, sorted.
struct Latencies {
  private let seconds: [Double]

  init(from times: SharedTimes, to seen: [Int64]) {
    seconds = seen.indices.map { Double(seen[$0] - times.times[$0]) / 1e9 }.sorted()
  }

  /// Below which `share` of all lie.
  func quantile(_ share: Double) -> Double {
    seconds[min(seconds.count - 1, Int(Double(seconds.count) * share))]
  }
}
