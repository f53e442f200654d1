import FoundationEssentials
import Glibc

@main struct SaverBenchmark {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if try isChild(arguments) { return }
    guard let options = Options(arguments) else {
      print(Options.usage)
      exit(2)
    }
    print(options.engines.map(\.library).joined(separator: ", "))
    let report = Report()
    report.begin()
    for engine in options.engines { try await run(options, engine, report) }
  }

  private static func run(_ options: Options, _ engine: BenchmarkEngine, _ report: Report) async throws {
    let folder = "\(options.folder)/saver-benchmark-\(getpid())-\(engine.rawValue)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (rows, works) = (options.rows, options.works)
    if works.contains(.stores) {
      let data = BenchmarkData(count: rows + EngineBenchmark.commitRounds * EngineBenchmark.commitsPerRound)
      try EngineBenchmark(engine: engine, data: data, rows: rows, folder: folder, report: report).run()
    }
    if works.contains(.latency) {
      let data = BenchmarkData(count: rows)
      try await ObservationBenchmark(engine: engine, data: data, rows: rows, folder: folder, report: report).run()
    }
    if works.contains(.lists) {
      try LiveListBenchmark(engine: engine, folder: folder, report: report)
        .run(unbounded: rows, windowsOver: [1_000, rows, 10 * rows])
    }
  }

  /// Does what a process was started for by another part of the benchmark; whether it was.
  private static func isChild(_ arguments: [String]) throws -> Bool {
    switch arguments.first {
    case "--observed-writer":
      try ObservedWriter(Array(arguments.dropFirst()))?.run()
      return true
    case "--window":
      guard arguments.count == 4, let engine = BenchmarkEngine(rawValue: arguments[1]), let size = Int(arguments[3])
      else { return true }
      try LiveListBenchmark(engine: engine, folder: arguments[2], report: Report()).followWindow(over: size)
      return true
    default: return false
    }
  }
}
