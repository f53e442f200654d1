import CFloor
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// What the command line costs as a process, beside the shell of SQLite that does the same in SQL.
///
/// The shell works on an SQLite store of its own with the same items, whichever engine ours is on: it writes past our
/// programs, which would have to make good what it leaves out.
struct CommandBenchmark {
  let engine: BenchmarkEngine
  let folder: String
  let effort: Effort
  let report: Report
  let saver: String

  private static let shell = "/usr/bin/sqlite3"
  private static let columns = "id, text, title, tags, created_at"

  private var ours: String { folder + "/command" }
  private var shellStore: String { folder + "/shell.sqlite" }

  func run() throws {
    guard access(Self.shell, X_OK) == 0 else { return report.skip("commands: there is no \(Self.shell)") }
    try fill(engine, ours)
    try fill(.sqlite, folder + "/shell")
    let newest = "ORDER BY created_at DESC, id DESC LIMIT 50"
    let word = BenchmarkData.word
    let like = ["text", "title", "tags"].map { "\($0) LIKE '%\(word)%'" }.joined(separator: " OR ")
    let list = Command("list") { _ in (["list"], "SELECT \(Self.columns) FROM item \(newest)") }
    let search = Command("list --search") { _ in
      (["list", "--search", word], "SELECT \(Self.columns) FROM item WHERE \(like) \(newest)")
    }
    let share = Command("share") { run in
      let text = "https://example.com/shared/\(run)"
      return (["share", text], "INSERT INTO item(text) VALUES ('\(text)')")
    }
    for command in [list, search, share] { try measure(command) }
  }

  /// The same act for both; of its n-th run, our arguments and the shell's statement.
  private struct Command {
    let name: String
    let act: (Int) -> (arguments: [String], statement: String)

    init(_ name: String, _ act: @escaping (Int) -> (arguments: [String], statement: String)) {
      (self.name, self.act) = (name, act)
    }
  }

  private func measure(_ command: Command) throws {
    var (first, whole) = (Times(), Times())
    for run in 0..<effort.commandRuns {
      let (arguments, statement) = command.act(run)
      let floor = try Program.run([Self.shell, shellStore, statement], environment)
      let ours = try Program.run([saver] + arguments, environment)
      first.add(floor: floor.firstOutput, ours: ours.firstOutput)
      whole.add(floor: floor.end, ours: ours.end)
    }
    let isSilent = command.name == "share"
    if !isSilent {
      report.add(
        .latency(
          "saver \(command.name): first output", engine, items: effort.rows, first, floor: "sqlite3 shell",
          target: command.name == "list" ? .speed(1 / 1.2) : nil))
    }
    let isPromised = command.name != "list --search"
    report.add(
      .latency(
        "saver \(command.name): whole process", engine, items: effort.rows, whole, floor: "sqlite3 shell",
        target: isPromised ? .speed(1 / 1.2) : nil))
    let (arguments, statement) = command.act(effort.commandRuns)
    guard let peak = Program.peakMebibytes([saver] + arguments, environment) else {
      return report.skip("saver \(command.name): its memory cannot be told here")
    }
    report.add(
      Finding(
        work: "saver \(command.name): peak memory", engine: engine, items: effort.rows, ours: peak, unit: .mebibytes,
        floor: Program.peakMebibytes([Self.shell, shellStore, statement], environment), floorName: "sqlite3 shell",
        target: isPromised ? .atMost(12) : nil))
  }

  private func fill(_ engine: BenchmarkEngine, _ base: String) throws {
    let store = try engine.openStore(base)
    let data = BenchmarkData(0..<effort.rows)
    try store.write { transaction in
      for item in data.items { try transaction.insert(item) }
    }
  }

  /// Nobody's configuration.
  private var environment: [String] {
    ["HOME=\(folder)", "PATH=/usr/bin:/bin", "TZ=UTC", "SAVER_BACKEND=\(engine.rawValue)", "SAVER_STORE=\(ours)"]
  }
}
