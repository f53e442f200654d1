import Glibc
import SaverTestKit
import Testing

/// A writer that is killed at each system call by which a commit changes files, before it and behind it.
@Suite(.serialized) struct CrashPointTests {
  private static let seed: UInt64 = 4711
  private static let faults = ["kill-before", "kill-after"]

  /// Every point of a commit: it has left no trace, or a complete commit, to those who had the store open and to those
  /// who open it next.
  @Test(arguments: SharedEngine.allCases, [true, false])
  func ofACommit(_ engine: SharedEngine, isKeptOpen: Bool) throws {
    let stage = try Stage(engine)
    let keeper = isKeptOpen ? try stage.open() : nil
    let first = try stage.open()
    try first.ask("write 1 \(Self.seed) 5", for: "written 5")
    try first.finish()

    var step = 5
    var kills = 0
    for fault in Self.faults {
      var call = 1
      while true {
        let writer = try stage.open()
        try writer.ask("arm \(fault) \(call)", for: "armed")
        try writer.send("write 1 \(Self.seed) 1")
        writer.endInput()
        try writer.waitForEnd()
        let acknowledged = writer.acknowledged(after: step)
        let observers = [keeper, try stage.open()].compactMap { $0 }
        for observer in observers {
          let line = try observer.ask("verify 1 \(Self.seed) \(acknowledged)", for: "verified")
          step = try #require(Int(line.words[1]))
          try observer.ask("integrity", for: "sound")
        }
        try observers.last?.finish()
        guard writer.wasKilled else { break }
        kills += 1
        call += 1
      }
      // Nothing of the dead is in the way.
      let next = try stage.open()
      step += 1
      try next.ask("write 1 \(Self.seed) 1", for: "written \(step)")
      try next.finish()
    }
    #expect(kills >= 6, "a commit makes at least three calls")
  }

  /// Every point of making a store: whoever comes next can open it, and makes it if need be.
  @Test(arguments: SharedEngine.allCases)
  func ofMakingAStore(_ engine: SharedEngine) throws {
    var kills = 0
    for fault in Self.faults {
      var call = 1
      while true {
        let stage = try Stage(engine)
        let maker = try stage.start()
        try maker.ask("arm \(fault) \(call)", for: "armed")
        try maker.send("open")
        maker.endInput()
        try maker.waitForEnd()
        let left = stage.names
        let next = try stage.open()
        try next.ask("write 1 \(Self.seed) 3", for: "written 3")
        try next.ask("verify 1 \(Self.seed) 3", for: "verified 3")
        try next.ask("integrity", for: "sound")
        try next.finish()
        let names = stage.names.filter { !$0.hasPrefix("store.\(engine)") && $0 != "store.lock" }
        #expect(names == [], "left by one killed at call \(call), \(fault), which left \(left)")
        guard maker.wasKilled else { break }
        kills += 1
        call += 1
      }
    }
    #expect(kills >= 10)
  }

  /// Every call of a commit fails once: the writer is told, the store is as it was or has the commit, and takes the next.
  @Test(arguments: SharedEngine.allCases, ["no-space", "broken"])
  func ofAFailure(_ engine: SharedEngine, fault: String) throws {
    let stage = try Stage(engine)
    let keeper = try stage.open()
    try keeper.ask("write 1 \(Self.seed) 5", for: "written 5")
    var step = 5
    var call = 1
    var failures = 0
    while true {
      let writer = try stage.open()
      try writer.ask("arm \(fault) \(call)", for: "armed")
      try writer.send("write 1 \(Self.seed) 1")
      let answer = try writer.wait("an answer") { ["written", "failed"].contains($0.words.first) }
      let calls = Int(try writer.ask("calls", for: "calls").words[1]) ?? 0
      try writer.ask("arm none 0", for: "armed")
      if answer.words[0] == "failed" { failures += 1 }
      let acknowledged = answer.words[0] == "written" ? step + 1 : step
      let line = try keeper.ask("verify 1 \(Self.seed) \(acknowledged)", for: "verified")
      step = try #require(Int(line.words[1]))
      try keeper.ask("integrity", for: "sound")
      // The one that failed goes on, and so does another.
      for process in [writer, keeper] {
        step += 1
        try process.ask("write 1 \(Self.seed) 1", for: "written \(step)")
      }
      try writer.ask("verify 1 \(Self.seed) \(step)", for: "verified \(step)")
      try writer.finish()
      guard calls >= call else { break }
      call += 1
    }
    #expect(failures >= 2, "\(failures) of \(call) failing calls were noticed")
  }
}
