import Foundation
import Glibc
import SaverTestKit
import Testing

/// A process that cares for a store and is killed at any of the system calls by which it changes files.
@Suite(.serialized) struct MaintenanceCrashTests {
  /// Kills a process that performs a command at call after call, until it outlives it, and looks at what is left.
  ///
  /// - Parameter isKeptOpen: another process has the store open all the while, and is asked; otherwise the next one is.
  private func kill(
    _ stage: Stage, _ command: @autoclosure () -> String, isKeptOpen: Bool = true,
    _ look: (ChildProcess, ChildProcess, Int) throws -> Void
  ) throws -> Int {
    let keeper = isKeptOpen ? try stage.open() : nil
    var kills = 0
    for fault in ["kill-before", "kill-after"] {
      var call = 1
      while true {
        let process = try stage.open()
        try process.ask("arm \(fault) \(call)", for: "armed")
        try process.send(command())
        process.endInput()
        try process.waitForEnd(secondsMax: 120)
        let asked = try keeper ?? stage.open()
        try look(asked, process, call)
        if keeper == nil { try asked.finish() }
        guard process.wasKilled else { break }
        kills += 1
        // Every call of the first ones, where files get their names; then some, since a copy is many calls of one kind.
        call += call < 12 ? 1 : Effort.count(7, long: 1)
      }
    }
    try keeper?.finish()
    return kills
  }

  /// What stands in the store: one of these, complete.
  @Test(arguments: SharedEngine.allCases, [true, false])
  func aRestoreIsWholeOrNotAtAll(_ engine: SharedEngine, isKeptOpen: Bool) throws {
    let stage = try Stage(engine)
    let first = try stage.open()
    try first.ask("write 1 1 12", for: "written 12")
    try first.ask("backup \(stage.folder)/a", for: "copied")
    let a = try first.fetch(.all).fingerprint
    try first.ask("write 1 1 13", for: "written 25")
    try first.ask("backup \(stage.folder)/b", for: "copied")
    let b = try first.fetch(.all).fingerprint
    try first.finish()
    var now = b
    let kills = try kill(
      stage, "restore \(stage.folder)/\(now == a ? "b" : "a") overwriting", isKeptOpen: isKeptOpen
    ) { asked, process, call in
      // As a writer: it sees every commit, also one that its writer did not live to show.
      let steps = now == a ? [12, 25] : [25, 12]
      try asked.send("verify 1 1 \(steps[0])")
      let answer = try asked.wait("what is there") { ["verified", "wrong"].contains($0.words.first) }
      if answer.words[0] == "wrong" { try asked.ask("verify 1 1 \(steps[1])", for: "verified \(steps[1])") }
      now = try asked.fetch(.all).fingerprint
      #expect(now == a || now == b, "call \(call)")
      if !process.wasKilled { #expect(answer.words[0] == "wrong", "a restore that ended has not restored") }
      try asked.ask("integrity", for: "sound")
    }
    #expect(kills > 10)
    print("\(engine): \(kills) restores were killed")
    let last = try stage.open()
    try last.ask("restore \(stage.folder)/a overwriting", for: "restored")
    #expect(stage.names.filter { $0.hasPrefix(".store") } == [])
  }

  /// Under the name that was asked for there is nothing, or a complete backup.
  @Test(arguments: SharedEngine.allCases)
  func aBackupIsWholeOrNotThere(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let first = try stage.open()
    try first.ask("write 1 1 12", for: "written 12")
    let wanted = try first.fetch(.all).fingerprint
    let path = stage.folder + "/copy." + engine.rawValue
    var complete = 0
    let kills = try kill(stage, "backup \(path)") { _, process, call in
      guard access(path, F_OK) == 0 else {
        #expect(process.wasKilled, "a backup that ended is not there")
        return
      }
      complete += 1
      let reader = try stage.start(base: stage.folder + "/copy")
      try reader.ask("open", for: "opened")
      #expect(try reader.fetch(.all).fingerprint == wanted, "killed at call \(call)")
      try reader.ask("integrity", for: "sound")
      try reader.finish()
      for name in stage.names where name.hasPrefix("copy") { unlink(stage.folder + "/" + name) }
    }
    #expect(kills > 5 && complete >= 2)
    // What the killed have left goes with the next.
    try first.ask("backup \(path)", for: "copied")
    #expect(stage.names.filter { $0.hasPrefix(".copy") } == [])
  }

  /// Nothing is lost by a compaction or by forgetting that is killed, to those who have the store open and to those who
  /// open it next.
  @Test(arguments: SharedEngine.allCases, [true, false])
  func nothingElseIsLost(_ engine: SharedEngine, isKeptOpen: Bool) throws {
    for command in ["compact", "forget 2"] {
      let stage = try Stage(engine)
      let first = try stage.open()
      try first.ask("write 1 1 30", for: "written 30")
      try first.ask("write 2 1 1", for: "written 1")
      try first.finish()
      var step = 30
      let kills = try kill(stage, command, isKeptOpen: isKeptOpen) { asked, _, call in
        try asked.ask("verify 1 1 \(step)", for: "verified \(step)")
        try asked.ask("integrity", for: "sound")
        // Who has the store open and who opens it next write to one store.
        step += 1
        try asked.ask("write 1 1 1", for: "written \(step)")
        let next = try stage.open()
        try next.ask("verify 1 1 \(step)", for: "verified \(step)")
        step += 1
        try next.ask("write 1 1 1", for: "written \(step)")
        try next.finish()
      }
      #expect(kills > 5)
      print("\(engine): \(command) was killed \(kills) times")
    }
  }
}
