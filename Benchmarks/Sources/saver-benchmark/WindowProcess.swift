import Dispatch
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// A process of its own that follows a window over a store, and tells what a change costs it and how much memory it has
/// needed.
enum WindowProcess {
  struct Result {
    /// Of its processor time, for each change: waking up, reading, maintaining, taking, and finding out that nothing
    /// else has changed.
    var seconds: Double
    /// At the peak, mapped files included.
    var mebibytes: Double
  }

  static let window = 50
  private static let changes = 500

  /// Runs such a process. Another one inserts items meanwhile; see ``ObservedWriter/forget(in:)``.
  ///
  /// - Parameter scratch: a folder for what it tells.
  static func run(_ engine: BenchmarkEngine, _ base: String, scratch: String) throws -> Result {
    let path = scratch + "/window"
    unlink(path)
    let told = try SharedTimes(path, count: 2)
    let process = try ChildProcess.start(["--window", engine.rawValue, base, path])
    try ChildProcess.wait(process)
    return Result(seconds: Double(told.times[0]) / 1e9, mebibytes: Double(told.times[1]) / 1_024)
  }

  /// What such a process does. Arguments: the engine, the store's base, the file for what it tells.
  static func follow(_ arguments: [String]) throws {
    guard arguments.count == 3, let engine = BenchmarkEngine(rawValue: arguments[0]) else { return }
    let told = try SharedTimes(arguments[2], count: 2)
    let store = try engine.openStore(arguments[1])
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true).limit(window)
    let changed = DispatchSemaphore(value: 0)
    let subscription = LiveListSubscription(store, query) { changed.signal() }
    defer { subscription.cancel() }
    changed.wait()
    _ = try subscription.take()
    let start = Clock.allThreads.now
    let writer = try ObservedWriter.start(
      engine, arguments[1], times: arguments[2] + "-times", count: changes, gapMicroseconds: 2_000)
    var isLast = false
    while !isLast {
      changed.wait()
      let newest = try subscription.take()?.items.first
      isLast = newest.flatMap { ObservedWriter.number(of: $0) } == changes - 1
    }
    told.times[0] = Int64((Clock.allThreads.now - start) * 1e9 / Double(changes))
    try ChildProcess.wait(writer)
    told.times[1] = Int64(peakKibibytes)
  }

  /// What `getrusage` tells counts the process that started it, too.
  private static var peakKibibytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { Int($0) }.first ?? 0
  }
}
