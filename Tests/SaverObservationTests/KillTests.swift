import Foundation
import Glibc
import SaverTestKit
import Testing

/// Writers that are killed at random instants while they insert, update and delete.
@Suite(.serialized) struct KillTests {
  @Test(arguments: SharedEngine.allCases)
  func writersKilledAtAnyTime(_ engine: SharedEngine) throws {
    let seed = Effort.seed("writers killed at any time, \(engine)")
    var random = RandomGenerator(seed: seed)
    let stage = try Stage(engine)
    let keeper = try stage.open()
    let writers = 3
    var steps = [Int](repeating: 0, count: writers)
    var running: [ChildProcess] = []
    func begin(_ writer: Int) throws -> ChildProcess {
      let process = try stage.open()
      try process.send("write \(writer) \(seed) 1000000")
      return process
    }
    for writer in 0..<writers { running.append(try begin(writer)) }
    let rounds = Effort.count(100, long: 1_000)
    for round in 1...rounds {
      let writer = Int.random(in: 0..<writers, using: &random)
      // From before its first commit to behind some.
      let isEarly = Int.random(in: 0..<4, using: &random) == 0
      if !isEarly { try running[writer].wait(for: "ack") }
      usleep(UInt32.random(in: 0..<8_000, using: &random))
      running[writer].kill()
      try running[writer].waitForEnd()
      let acknowledged = running[writer].acknowledged(after: steps[writer])
      let line = try keeper.ask("verify \(writer) \(seed) \(acknowledged)", for: "verified")
      steps[writer] = try #require(Int(line.words[1]))
      if round % 10 == 0 { try keeper.ask("integrity", for: "sound") }
      running[writer] = try begin(writer)
    }
    for process in running { process.kill() }
    for (writer, process) in running.enumerated() {
      try process.waitForEnd()
      let acknowledged = process.acknowledged(after: steps[writer])
      for observer in [keeper, try stage.open()] {
        try observer.ask("verify \(writer) \(seed) \(acknowledged)", for: "verified")
        try observer.ask("integrity", for: "sound")
      }
    }
    print("\(engine): \(rounds + writers) kills, \(steps.reduce(0, +)) commits")
    #expect(steps.allSatisfy { $0 > 0 })
  }

  /// Watchers that are killed, in a snapshot or not, are in nobody's way: neither their places in a table of readers nor
  /// the pages of their snapshots.
  @Test(arguments: SharedEngine.allCases)
  func watchersKilledAtAnyTime(_ engine: SharedEngine) throws {
    let seed = Effort.seed("watchers killed at any time, \(engine)")
    var random = RandomGenerator(seed: seed)
    let stage = try Stage(engine)
    let keeper = try stage.open()
    let writer = try stage.open()
    try writer.send("write 1 \(seed) 1000000")
    for _ in 0..<Effort.count(40, long: 130) {
      let watcher = try stage.open()
      try watcher.send("watch each")
      try watcher.wait(for: "published")
      usleep(UInt32.random(in: 0..<5_000, using: &random))
      watcher.kill()
      try watcher.waitForEnd()
    }
    writer.kill()
    try writer.waitForEnd()
    let line = try keeper.ask("verify 1 \(seed) \(writer.acknowledged(after: 0))", for: "verified")
    let step = try #require(Int(line.words[1]))
    let before = try size(stage)
    try keeper.ask("write 1 \(seed) 1000", for: "written \(step + 1_000)")
    let after = try size(stage)
    print("\(engine): \(before >> 10) KiB before a thousand commits, \(after >> 10) behind them")
    // The log, and what a history of a thousand commits needs.
    #expect(after < before + 16 << 20)
    try keeper.ask("integrity", for: "sound")
    try keeper.finish()
  }

  private func size(_ stage: Stage) throws -> Int {
    try stage.names.reduce(0) { size, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(stage.folder)/\(name)")
      return size + (attributes[.size] as? Int ?? 0)
    }
  }
}
