import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// What `saver watch` costs while nobody writes: all engines at once, for the wait is long.
struct IdleBenchmark {
  let engines: [BenchmarkEngine]
  let folder: String
  let effort: Effort
  let report: Report
  let saver: String

  private static let itemCount = 1_000

  func run() throws {
    var watchers: [(engine: BenchmarkEngine, process: pid_t)] = []
    defer {
      for watcher in watchers {
        kill(watcher.process, SIGTERM)
        waitpid(watcher.process, nil, 0)
      }
    }
    for engine in engines {
      let base = "\(folder)/idle-\(engine.rawValue)"
      watchers.append((engine, try startWatching(engine, base)))
      try waitForOutput(base + ".out")
    }
    // What opening has stirred up is over soon.
    sleep(2)
    let start = watchers.map { Self.processorSeconds($0.process) }
    sleep(UInt32(effort.idleSeconds))
    for (watcher, before) in zip(watchers, start) {
      let used = Self.processorSeconds(watcher.process) - before
      report.add(
        Finding(
          work: "idle watcher, a minute of it (\(effort.idleSeconds) s)", engine: watcher.engine,
          items: Self.itemCount, ours: used * 60 / Double(effort.idleSeconds), unit: .seconds, target: .atMost(0.02)))
    }
  }

  /// Fills a store and starts a watcher of it, with its output in a file beside it.
  private func startWatching(_ engine: BenchmarkEngine, _ base: String) throws -> pid_t {
    let store = try engine.openStore(base)
    let data = BenchmarkData(0..<Self.itemCount)
    try store.write { transaction in
      for item in data.items { try transaction.insert(item) }
    }
    return try Program.start(
      [saver, "--backend", engine.rawValue, "--store", base, "watch", "--format", "jsonl"],
      ["HOME=\(folder)", "TZ=UTC"], output: base + ".out")
  }

  /// Waits until a watcher has shown its list.
  private func waitForOutput(_ path: String) throws {
    for _ in 0..<10_000 {
      var status = stat()
      if stat(path, &status) == 0, status.st_size > 0 { return }
      usleep(1_000)
    }
    throw FloorError(code: ETIMEDOUT, doing: "waiting for \(saver) watch")
  }

  /// Of all threads of a process, user and system. The scheduler counts nanoseconds; `times` counts hundredths.
  private static func processorSeconds(_ process: pid_t) -> Double {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return threads.reduce(0) { sum, thread in
      let text = (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/schedstat", encoding: .utf8)) ?? ""
      return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }
  }
}
