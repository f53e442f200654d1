import Foundation
import Glibc
import SaverTestKit
import Testing

/// Stores that are replaced, removed, renamed and put back while they are watched.
@Suite(.serialized) struct ReplacedStoreTests {
  /// A store with another writer's records, closed and complete in one file.
  private func other(_ engine: SharedEngine, steps: Int) throws -> Stage {
    let stage = try Stage(engine)
    let process = try stage.open()
    try process.ask("write 7 7 \(steps)", for: "written \(steps)")
    try process.finish()
    return stage
  }

  private func move(_ source: String, to target: String) throws {
    try #require(rename(source, target) == 0, "cannot rename: errno \(errno)")
  }

  /// Another store is renamed over the one that is watched and that nobody has written to since: a reset, and its content,
  /// complete to its last commit.
  @Test(arguments: SharedEngine.allCases)
  func byAnotherStore(_ engine: SharedEngine) throws {
    for steps in 10...11 {
      let stage = try Stage(engine)
      let first = try stage.open()
      try first.ask("write 1 1 20", for: "written 20")
      // SQLite: the last one out empties the log.
      try first.finish()
      let watcher = try Watcher(stage.open(), [.all, .window, .count])
      let replacement = try other(engine, steps: steps)
      try move(replacement.store, to: stage.store)
      let moved = Monotonic.now
      let asked = try stage.open()
      try asked.ask("verify 7 7 \(steps)", for: "verified \(steps)")
      let instant = try watcher.settle(asking: asked)
      #expect(instant - moved < 2_000_000_000, "shown after \((instant - moved) / 1_000) µs")
      #expect(watcher.latest(.all)?.kind == "reset:otherStore")
      #expect(watcher.latest(.window)?.kind == "reset:otherStore")
      // And it goes on there.
      try asked.ask("write 7 7 1", for: "written \(steps + 1)")
      try watcher.settle(asking: asked)
      #expect(watcher.latest(.all)?.kind == "change")
      try asked.ask("integrity", for: "sound")
      try watcher.process.finish()
      try asked.finish()
    }
  }

  #if SQLite
  /// Beside a log that holds commits of the old store, another store is refused, and neither is written to; when the old
  /// one is back, it goes on.
  @Test func besideALogOfTheOldStore() throws {
    let stage = try Stage(.sqlite)
    let writer = try stage.open()
    try writer.ask("write 1 1 20", for: "written 20")
    let watcher = try Watcher(stage.open(), [.all])
    let shown = watcher.latest(.all)?.fingerprint
    writer.kill()
    try writer.waitForEnd()
    let replacement = try other(.sqlite, steps: 10)
    let (kept, content) = (stage.folder + "/kept", try Data(contentsOf: URL(fileURLWithPath: replacement.store)))
    try move(stage.store, to: kept)
    try move(replacement.store, to: stage.store)
    let refused = try stage.start()
    try refused.send("open")
    let answer = try refused.wait("a refusal") { $0.words.first == "wrong" }
    #expect(answer.text.contains("put in the place") || answer.text.contains("replaced"), "\(answer)")
    try watcher.wait("word that it cannot be read") { watcher.statuses[.all]?.hasPrefix("unavailable") == true }
    #expect(watcher.latest(.all)?.fingerprint == shown)
    #expect(try Data(contentsOf: URL(fileURLWithPath: stage.store)) == content, "the other store was written to")
    try move(kept, to: stage.store)
    let next = try stage.open()
    try next.ask("verify 1 1 20", for: "verified 20")
    try next.ask("write 1 1 1", for: "written 21")
    try watcher.settle(asking: next)
    try next.ask("integrity", for: "sound")
    try watcher.process.finish()
    try next.finish()
  }
  #endif

  /// An earlier copy of a store is put back and goes on by itself: a reset, and tokens of before are told as such.
  @Test(arguments: SharedEngine.allCases)
  func byAnEarlierCopy(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let first = try stage.open()
    try first.ask("write 1 1 20", for: "written 20")
    try first.finish()
    let copy = try stage.copy()
    let second = try stage.open()
    let early = try second.ask("token", for: "token").words[1]
    try second.ask("write 1 1 5", for: "written 25")
    let late = try second.ask("token", for: "token").words[1]
    try second.finish()
    let watcher = try Watcher(stage.open(), [.all, .count])
    try move(copy.store, to: stage.store)
    let asked = try stage.open()
    try watcher.settle(asking: asked)
    #expect(watcher.latest(.all)?.kind == "reset:otherBranch")
    try asked.ask("standing \(late)", for: "standing ahead")
    try asked.ask("standing \(early)", for: "standing usable")
    // Beyond the numbers of before, on another branch.
    try asked.ask("write 2 9 30", for: "written 30")
    try watcher.settle(asking: asked)
    try asked.ask("standing \(late)", for: "standing otherBranch")
    try asked.ask("standing \(early)", for: "standing usable")
    try watcher.process.finish()
    try asked.finish()
  }

  /// A store that is removed, or whose folder is renamed, is told as gone, what was shown stays; put back, it goes on.
  @Test(arguments: SharedEngine.allCases)
  func goneAndPutBack(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let inner = stage.folder + "/inner"
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    func open() throws -> ChildProcess {
      let process = try stage.start(base: inner + "/store")
      try process.ask("open", for: "opened")
      return process
    }
    let writer = try open()
    try writer.ask("write 1 1 10", for: "written 10")
    try writer.finish()
    let watcher = try Watcher(open(), [.all])
    let shown = watcher.latest(.all)?.fingerprint
    let store = inner + "/store." + engine.rawValue
    for (from, to) in [(store, stage.folder + "/elsewhere"), (inner, stage.folder + "/moved")] {
      try move(from, to: to)
      try watcher.wait("word that the store is gone") { watcher.statuses[.all] == "unavailable noSuchStore" }
      #expect(watcher.latest(.all)?.fingerprint == shown)
      try move(to, to: from)
      try watcher.wait("word that it is back") { watcher.statuses[.all] == "live" }
    }
    let next = try open()
    try next.ask("write 1 1 3", for: "written 13")
    try watcher.settle(asking: next)
    #expect(watcher.latest(.all)?.kind == "change")
    try watcher.process.finish()
    try next.finish()
  }
}
