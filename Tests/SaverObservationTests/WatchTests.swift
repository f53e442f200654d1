import Foundation
import Glibc
import SaverTestKit
import Testing

/// Live queries in one process, writers in others.
@Suite(.serialized) struct WatchTests {
  /// Every publication at every token is what a writer found there, whatever the shape of the query; several processes
  /// write, several watch; none goes back, none is torn; at the end all show what there is.
  @Test(arguments: SharedEngine.allCases)
  func agreesWithTheWriters(_ engine: SharedEngine) throws {
    let seed = Effort.seed("writers and watchers, \(engine)")
    let stage = try Stage(engine)
    let writers = try (0..<3).map { _ in try stage.open() }
    let watchers = try [
      Watcher(stage.open(), WatchShape.allCases), Watcher(stage.open(), [.all, .filteredWindow, .page, .count]),
      // One that watches its own process's writes, too.
      Watcher(writers[0], [.window, .filtered, .sections]),
    ]
    let steps = Effort.count(350, long: 3_500)
    for (number, writer) in writers.enumerated() { try writer.send("write \(number) \(seed) \(steps) digests") }
    for writer in writers { try writer.wait(for: "written \(steps)", secondsMax: 900) }
    for watcher in watchers { try watcher.settle(asking: writers[1]) }

    var states: [Substring: [Substring]] = [:]
    for line in writers.flatMap(\.lines) where line.words.first == "at" {
      states[line.words[1]] = Array(line.words.dropFirst(2))
    }
    var (total, compared) = (0, 0)
    for publication in watchers.flatMap(\.publications) {
      total += 1
      guard let state = states[Substring(publication.token)] else { continue }
      compared += 1
      let found = Substring("\(publication.shape.rawValue)=\(publication.fingerprint)")
      #expect(state.contains(found), "\(publication), where a writer found \(state)")
    }
    print("\(engine): \(steps * 3) commits, \(total) publications, \(compared) compared with what a writer found")
    #expect(compared > total / 5)
    print("\(engine): a writer waited for at most \(Self.longestPause(of: writers) / 1_000_000) ms")
    for process in watchers.map(\.process) + writers.dropFirst() { try process.finish() }
  }

  /// The longest time between two commits of one writer, while all of them wrote.
  private static func longestPause(of writers: [ChildProcess]) -> Int64 {
    let acknowledged = writers.map { $0.lines.filter { $0.words.first == "ack" }.map(\.instant) }
    let end = acknowledged.compactMap(\.last).min() ?? 0
    return acknowledged.map { instants in
      zip(instants, instants.dropFirst()).filter { $0.1 <= end }.map { $0.1 - $0.0 }.max() ?? 0
    }.max() ?? 0
  }

  /// A writer is killed at any time, again and again: within a second of it every watcher shows what there is.
  @Test(arguments: SharedEngine.allCases)
  func showsWhatTheKilledHaveLeft(_ engine: SharedEngine) throws {
    let seed = Effort.seed("watchers of writers that are killed, \(engine)")
    var random = RandomGenerator(seed: seed)
    let stage = try Stage(engine)
    let watchers = try (0..<2).map { _ in try Watcher(stage.open(), [.all, .filtered, .window, .count]) }
    let asked = try stage.open()
    var step = 0
    var slowest: Int64 = 0
    let rounds = Effort.count(100, long: 500)
    for _ in 0..<rounds {
      let writer = try stage.open()
      try writer.send("write 1 \(seed) 1000000")
      try writer.wait(for: "ack")
      usleep(UInt32.random(in: 0..<6_000, using: &random))
      writer.kill()
      let killed = Monotonic.now
      try writer.waitForEnd()
      for watcher in watchers { slowest = max(slowest, try watcher.settle(asking: asked) - killed) }
      let line = try asked.ask("verify 1 \(seed) \(writer.acknowledged(after: step))", for: "verified")
      step = try #require(Int(line.words[1]))
    }
    try asked.ask("integrity", for: "sound")
    print("\(engine): \(rounds) kills, \(step) commits, slowest \(slowest / 1_000) µs after the kill")
    #expect(slowest < 1_000_000_000)
    for process in watchers.map(\.process) + [asked] { try process.finish() }
  }

  /// A writer is killed at every system call of a commit: what it has left is shown within a second, also when it was
  /// killed before it could say that it had committed, and when nobody writes afterwards.
  @Test(arguments: SharedEngine.allCases)
  func showsWhatIsLeftAtEachPoint(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let asked = try stage.open()
    try asked.ask("write 1 3 5", for: "written 5")
    let watcher = try Watcher(stage.open(), [.all, .count])
    var step = 5
    var slowest: Int64 = 0
    for fault in ["kill-before", "kill-after"] {
      var call = 1
      while true {
        let writer = try stage.open()
        try writer.ask("arm \(fault) \(call)", for: "armed")
        try writer.send("write 1 3 1")
        writer.endInput()
        try writer.waitForEnd()
        let ended = Monotonic.now
        // On LMDB, those who have the store open may not see what is there; in a copy of the files it is seen. On SQLite
        // what they do not see is not there, and the next writer writes over it; a copy would bring it back.
        let copy = engine.rawValue == "lmdb" ? try stage.copy() : nil
        let truth = try copy?.open() ?? asked
        let wanted = try truth.fetch(.all).fingerprint
        for shape in [WatchShape.all, .count] {
          let instant = try watcher.wait(shape, for: truth.fetch(shape).fingerprint)
          slowest = max(slowest, instant - ended)
        }
        let line = try asked.ask("verify 1 3 \(writer.acknowledged(after: step))", for: "verified")
        step = try #require(Int(line.words[1]))
        #expect(try asked.fetch(.all).fingerprint == wanted, "a commit was hidden: \(fault) call \(call)")
        guard writer.wasKilled else { break }
        call += 1
      }
    }
    print("\(engine): slowest \(slowest / 1_000) µs after the kill")
    #expect(slowest < 1_000_000_000)
    try watcher.process.finish()
    try asked.finish()
  }
}
