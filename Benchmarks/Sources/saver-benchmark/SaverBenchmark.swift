import FoundationEssentials
import Glibc

@main struct SaverBenchmark {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if try isChild(arguments) { return }
      guard let options = Options(arguments) else {
        print(Options.usage)
        exit(2)
      }
      try await run(options)
    } catch {
      print("failed: \(error)")
      exit(1)
    }
  }

  private static func run(_ options: Options) async throws {
    var options = options
    let report = Report()
    report.begin(options.engines)
    if options.works.contains(.commands) || options.works.contains(.idle) {
      if options.saver == nil {
        report.skip("commands and idle: --saver names a release build; `make build` makes one")
      }
      if let saver = options.saver, access(saver, X_OK) != 0 {
        report.skip("commands and idle: there is no program at \(saver)")
        options.saver = nil
      }
    }
    for engine in options.engines {
      try await withFolder(options, engine.rawValue) { try await run(options, engine, in: $0, report) }
    }
    if options.works.contains(.idle), let saver = options.saver {
      try await withFolder(options, "idle") { folder in
        try IdleBenchmark(
          engines: options.engines, folder: folder, effort: options.effort, report: report, saver: saver
        ).run()
      }
    }
    try report.end(options.json)
  }

  private static func run(
    _ options: Options, _ engine: BenchmarkEngine, in folder: String, _ report: Report
  ) async throws {
    let (effort, works) = (options.effort, options.works)
    if works.contains(.stores) {
      let writing = WritingWorks(engine: engine, folder: folder, effort: effort, report: report)
      let pair = try writing.insertInBulk()
      defer { pair.remove() }
      try pair.compare(count: effort.rows)
      try ReadingWorks(
        pair: pair, rows: effort.rows, rounds: effort.readRounds, attempts: effort.readAttempts, add: report.add
      ).run()
      try writing.commitSingly(pair)
      try writing.updateInBulk(pair)
      try writing.deleteInBulk(pair)
    }
    if works.contains(.growth) {
      try GrowthBenchmark(engine: engine, folder: folder, effort: effort, report: report).run()
    }
    if works.contains(.writers) {
      try WritersBenchmark(engine: engine, folder: folder, effort: effort, report: report).run()
    }
    if works.contains(.latency) {
      try await ObservationBenchmark(engine: engine, folder: folder, effort: effort, report: report).run()
    }
    if works.contains(.lists) {
      try LiveListBenchmark(engine: engine, folder: folder, effort: effort, report: report).run()
    }
    if works.contains(.commands), let saver = options.saver {
      try CommandBenchmark(engine: engine, folder: folder, effort: effort, report: report, saver: saver).run()
    }
  }

  /// A folder that is removed with all that is in it.
  private static func withFolder(
    _ options: Options, _ name: String, _ body: (String) async throws -> Void
  ) async throws {
    let folder = "\(options.folder)/saver-benchmark-\(getpid())-\(name)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  /// Does what a process was started for by another part of the benchmark; whether it was.
  private static func isChild(_ arguments: [String]) throws -> Bool {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "--observed-writer": try ObservedWriter(rest)?.run()
    case "--competing-writer": try CompetingWriter.write(rest)
    case "--window": try WindowProcess.follow(rest)
    default: return false
    }
    return true
  }
}
