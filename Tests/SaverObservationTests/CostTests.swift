import Foundation
import SaverTestKit
import Testing

/// What following another process's commits costs, in counts of what the observer and its live queries do.
@Suite(.serialized) struct CostTests {
  /// What an observer has done so far.
  private struct Counters {
    var turns: Int
    var checks: Int
    var failures: Int
    var historyReads: Int
  }

  /// What a live query has cost so far.
  private struct Fetches {
    var whole: Int
    var refills: Int
    var rows: Int
  }

  /// One reading of the history for a commit, shared by all live queries; a few wake-ups: for the touch, for the write to
  /// the log or data file that comes before it, and for the steps of the ladder that this begins. Most of these find out
  /// that there is nothing to look at. Rows are looked up that have changed; a whole fetch comes with changes of more than
  /// 32 rows, which in a list as short as this one is cheaper: a few of these steps are such.
  @Test(arguments: SharedEngine.allCases)
  func aCommitCostsAFewWakeUps(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let writer = try stage.open()
    try writer.ask("write 1 8 100", for: "written 100")
    let shapes: [WatchShape] = [.all, .filtered, .window, .count]
    let watcher = try Watcher(stage.open(), shapes)
    try watcher.settle(asking: writer)
    let before = try counters(watcher.process)
    let fetchesBefore = try shapes.map { try fetches(watcher.process, $0) }
    let began = Monotonic.now
    let commits = 60
    for commit in 1...commits {
      // One after the other: what comes in a burst is read together, and costs less.
      try writer.ask("write 1 8 1", for: "written \(100 + commit)")
      try watcher.settle(asking: writer)
    }
    let after = try counters(watcher.process)
    let fetchesAfter = try shapes.map { try fetches(watcher.process, $0) }
    // Twice a second there is a look without any reason.
    let slowChecks = Int((Monotonic.now - began) / 500_000_000) + 1
    let turns = Double(after.turns - before.turns - slowChecks) / Double(commits)
    let checks = Double(after.checks - before.checks - slowChecks) / Double(commits)
    let reads = after.historyReads - before.historyReads
    print("\(engine): \(turns) turns, \(checks) checks for each commit; \(reads) readings for \(commits) commits")
    #expect(after.failures == before.failures)
    #expect(reads <= commits, "\(reads) readings of the history for \(commits) commits")
    #expect(turns <= 10 && checks <= 3, "\(turns) turns and \(checks) checks for each commit")
    for (shape, (before, after)) in zip(shapes, zip(fetchesBefore, fetchesAfter)) {
      let whole = after.whole - before.whole
      #expect(whole <= 8, "\(shape.rawValue): \(whole) whole fetches for \(commits) commits")
      // A step of the script changes up to eight twins, each of two records, and the writer's counter.
      let rows = Double(after.rows - before.rows) / Double(commits)
      print("\(engine): \(rows) rows for each commit, \(after.refills - before.refills) refills, of \(shape.rawValue)")
      #expect(rows <= 20, "\(shape.rawValue): \(rows) rows for each commit")
    }
    try watcher.process.finish()
    try writer.finish()
  }

  private func counters(_ process: ChildProcess) throws -> Counters {
    let numbers = try process.ask("counters", for: "counters").words.dropFirst().map { try #require(Int($0)) }
    return Counters(turns: numbers[0], checks: numbers[1], failures: numbers[2], historyReads: numbers[3])
  }

  private func fetches(_ process: ChildProcess, _ shape: WatchShape) throws -> Fetches {
    let words = try process.ask("show \(shape.rawValue)", for: "shown \(shape.rawValue)").words
    let numbers = try words.suffix(3).map { try #require(Int($0)) }
    return Fetches(whole: numbers[0], refills: numbers[1], rows: numbers[2])
  }
}
