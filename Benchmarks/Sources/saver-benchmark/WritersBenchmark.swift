import CFloor
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// Eight processes that write at once, without pauses, beside one.
struct WritersBenchmark {
  let engine: BenchmarkEngine
  let folder: String
  let effort: Effort
  let report: Report

  private static let writers = 8

  func run() throws {
    let pair = try StorePair(engine, in: folder)
    defer { pair.remove() }
    _ = try pair.insert(BenchmarkData(0..<effort.rows))
    var times = Times()
    var latencies: [Double] = []
    for _ in 0..<effort.writerRounds {
      let alone = try CompetingWriter.run(1, engine, pair.base, scratch: folder, count: effort.writerCommits * 2)
      let together = try CompetingWriter.run(
        Self.writers, engine, pair.base, scratch: folder, count: effort.writerCommits)
      // Of one commit, whoever made it.
      times.add(floor: alone.secondsPerCommit, ours: together.secondsPerCommit)
      latencies += together.latencies
    }
    latencies.sort()
    report.add(
      .speed(
        "\(Self.writers) writers at once, all together", engine, items: effort.rows, times, count: 1,
        floor: "one writer", target: 0.7))
    add("p99 of a commit, \(Self.writers) writers", latencies[latencies.count * 99 / 100], nil)
    add("slowest commit, \(Self.writers) writers", latencies[latencies.count - 1], .atMost(0.25))
  }

  private func add(_ work: String, _ seconds: Double, _ target: Finding.Target?) {
    report.add(
      Finding(work: work, engine: engine, items: effort.rows, ours: seconds, unit: .seconds, target: target))
  }
}

/// One of several processes that write at once: waits for the start, commits one item after the other, and notes how
/// long each commit took and when the last had returned.
enum CompetingWriter {
  struct Result {
    var secondsPerCommit: Double
    /// Of every commit, in seconds.
    var latencies: [Double]
  }

  /// What such a process notes in its file, before the times of its commits.
  private enum Note {
    static let isReady = 0
    static let isStarted = 1
    static let end = 2
    static let count = 3
  }

  /// Runs so many, each with `count` commits.
  ///
  /// - Throws: if one of them has failed.
  static func run(
    _ writers: Int, _ engine: BenchmarkEngine, _ base: String, scratch: String, count: Int
  ) throws -> Result {
    let paths = (0..<writers).map { "\(scratch)/writer-\($0)" }
    for path in paths { unlink(path) }
    let notes = try paths.map { try SharedTimes($0, count: Note.count + count) }
    let processes = try paths.map {
      try ChildProcess.start(["--competing-writer", engine.rawValue, base, $0, "\(count)"])
    }
    for note in notes { try note.wait(for: Note.isReady) }
    let start = floor_now()
    for note in notes { note.times[Note.isStarted] = start }
    for process in processes { try ChildProcess.wait(process) }
    let end = notes.map { $0.times[Note.end] }.max() ?? start
    let latencies = notes.flatMap { note in (0..<count).map { Double(note.times[Note.count + $0]) / 1e9 } }
    return Result(secondsPerCommit: Double(end - start) / 1e9 / Double(writers * count), latencies: latencies)
  }

  /// What such a process does. Arguments: the engine, the store's base, its file, how many commits.
  static func write(_ arguments: [String]) throws {
    guard arguments.count == 4, let engine = BenchmarkEngine(rawValue: arguments[0]), let count = Int(arguments[3])
    else { return }
    let notes = try SharedTimes(arguments[2], count: Note.count + count)
    let store = try engine.openStore(arguments[1])
    notes.times[Note.isReady] = 1
    try notes.wait(for: Note.isStarted)
    for number in 0..<count {
      let now = Date.now
      let item = SavedItem(
        id: .version7(), text: "https://example.com/written/\(getpid())/\(number)", createdAt: now, updatedAt: now)
      let start = floor_now()
      try store.write { try $0.insert(item) }
      notes.times[Note.count + number] = floor_now() - start
    }
    notes.times[Note.end] = floor_now()
  }
}
