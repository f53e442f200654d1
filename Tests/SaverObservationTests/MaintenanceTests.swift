import Foundation
import SaverTestKit
import Testing

/// Stores that are backed up, restored and compacted while other processes read, write and watch them.
@Suite(.serialized) struct MaintenanceTests {
  private static let shapes: [WatchShape] = [.all, .filtered, .window, .sections, .count]

  /// Every watcher in every process shows a restored store as a reset; every token from before is told apart; the store
  /// goes on from there.
  @Test(arguments: SharedEngine.allCases)
  func aRestoreIsAReset(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let writer = try stage.open()
    let early = try writer.ask("token", for: "token").words[1]
    try writer.ask("write 1 1 20", for: "written 20")
    let middle = try writer.ask("token", for: "token").words[1]
    try writer.ask("backup \(stage.folder)/copy", for: "copied")
    try writer.ask("write 1 1 30", for: "written 50")
    let late = try writer.ask("token", for: "token").words[1]
    let identity = try writer.ask("open", for: "opened").words[1]
    let inode = try FileManager.default.attributesOfItem(atPath: stage.store)[.systemFileNumber] as? Int
    let watchers = try [
      Watcher(stage.open(), Self.shapes), Watcher(stage.open(), [.page, .offset]), Watcher(writer, [.all]),
    ]
    let restorer = try stage.open()
    for round in 0..<2 {
      let seen = watchers.map { $0.publications.count }
      try restorer.ask("restore \(stage.folder)/copy overwriting", for: "restored")
      let restored = Monotonic.now
      for (watcher, before) in zip(watchers, seen) {
        let instant = try watcher.settle(asking: restorer)
        #expect(instant - restored < 1_000_000_000, "shown \((instant - restored) / 1_000) µs after the restore")
        try watcher.wait("a reset of each") {
          watcher.shapes.allSatisfy { shape in
            watcher.publications.dropFirst(before).contains { $0.shape == shape && $0.kind == "reset:otherBranch" }
          }
        }
      }
      try writer.ask("verify 1 1 20", for: "verified 20")
      for process in [restorer, writer, try stage.open()] {
        for token in [early, middle, late] { try process.ask("standing \(token)", for: "standing otherBranch") }
        try process.ask("integrity", for: "sound")
      }
      // Beyond the numbers of before.
      try writer.ask("write 1 1 40", for: "written 60")
      for watcher in watchers { try watcher.settle(asking: restorer) }
      #expect(watchers[0].latest(.all)?.kind == "change")
      for token in [early, middle, late] { try writer.ask("standing \(token)", for: "standing otherBranch") }
      if round == 0 { try writer.ask("write 2 1 5", for: "written 5") }
    }
    #expect(try stage.open().ask("open", for: "opened").words[1] == identity)
    #expect(try FileManager.default.attributesOfItem(atPath: stage.store)[.systemFileNumber] as? Int == inode)
    #expect(stage.names.filter { $0.hasPrefix(".") } == [])
  }

  /// Backups that are made while others write are each one state, whole, and hold nobody up for long.
  @Test(arguments: SharedEngine.allCases)
  func backupsWhileOthersWrite(_ engine: SharedEngine) throws {
    let seed = Effort.seed("backups while others write, \(engine)")
    let stage = try Stage(engine)
    let writers = try (1...2).map { _ in try stage.open() }
    let copier = try stage.open()
    for (number, writer) in writers.enumerated() { try writer.send("write \(number) \(seed) 100000") }
    for writer in writers { try writer.wait(for: "ack") }
    for round in 0..<Effort.count(12, long: 200) {
      let before = writers.map { $0.acknowledged(after: 0) }
      try copier.ask("backup \(stage.folder)/copy\(round)", for: "copied")
      let reader = try stage.start(base: "\(stage.folder)/copy\(round)")
      try reader.ask("open", for: "opened")
      try reader.ask("integrity", for: "sound")
      // Everything that was acknowledged before it began is in it, and no half of anything.
      for (number, step) in before.enumerated() {
        try reader.send("verify \(number) \(seed) \(step)")
        let answer = try reader.wait("what is there") { ["verified", "wrong"].contains($0.words.first) }
        let found = answer.words.last.flatMap { Int($0) } ?? 0
        #expect(found >= step, "acknowledged \(step): \(answer)")
        if answer.words[0] == "wrong" { try reader.ask("verify \(number) \(seed) \(found)", for: "verified \(found)") }
      }
      try reader.finish()
    }
    for writer in writers { writer.kill() }
    print("\(engine): \(writers.map { $0.acknowledged(after: 0) }) commits meanwhile")
  }

  /// The store is compacted again and again while others read, write and watch: nothing that was acknowledged is lost,
  /// nobody is told of anything but the changes.
  @Test(arguments: SharedEngine.allCases)
  func compactedWhileOthersWork(_ engine: SharedEngine) throws {
    let seed = Effort.seed("compacting while others work, \(engine)")
    let stage = try Stage(engine)
    let writers = try (0..<2).map { _ in try stage.open() }
    let watchers = try [Watcher(stage.open(), Self.shapes), Watcher(stage.open(), [.all, .count])]
    let compactor = try stage.open()
    let idle = try stage.open()
    let steps = Effort.count(150, long: 3_000)
    for (number, writer) in writers.enumerated() { try writer.send("write \(number) \(seed) \(steps)") }
    for writer in writers { try writer.wait(for: "ack") }
    try compactor.send("compact \(Effort.count(10, long: 100))")
    // One comes and goes, and may open the store at any point of it.
    let guest = try stage.start()
    let visits = Effort.count(40, long: 400)
    for visit in 1...visits {
      try guest.ask("open", for: "opened")
      try guest.ask("write 7 \(seed) 1", for: "written \(visit)")
      try guest.ask("close", for: "closed")
    }
    try compactor.wait(for: "compacting ended", secondsMax: 300)
    for writer in writers { try writer.wait(for: "written \(steps)", secondsMax: 300) }
    for watcher in watchers { try watcher.settle(asking: compactor) }
    // One who has only looked on, and has the store open from before, sees the same, at once.
    for shape in Self.shapes { #expect(try idle.fetch(shape) == compactor.fetch(shape)) }
    for (number, process) in [idle, compactor].enumerated() {
      try process.ask("verify \(number) \(seed) \(steps)", for: "verified \(steps)")
      try process.ask("integrity", for: "sound")
    }
    try compactor.ask("verify 7 \(seed) \(visits)", for: "verified \(visits)")
    for watcher in watchers {
      for shape in watcher.shapes {
        let kinds = Set(watcher.publications(of: shape).dropFirst().map(\.kind))
        #expect(kinds.isSubset(of: ["change"]), "\(shape): \(kinds)")
      }
      try watcher.process.finish()
    }
    for process in writers + [idle, compactor] { try process.finish() }
    #expect(stage.names.filter { $0.hasPrefix(".") } == [])
  }

  /// A compaction by which many bytes become free shows nobody anything, and those who have the store open go on.
  @Test(arguments: SharedEngine.allCases)
  func compactedUnderWatchers(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let writer = try stage.open()
    try writer.ask("write 1 1 200", for: "written 200")
    let watcher = try Watcher(stage.open(), Self.shapes)
    try watcher.settle(asking: writer)
    let count = watcher.publications.count
    let reader = try stage.open()
    try reader.ask("pin", for: "pinned")
    let compactor = try stage.start()
    try compactor.ask("open", for: "opened")
    if engine.rawValue == "lmdb" { try compactor.ask("compact", for: "compacted") }
    try reader.ask("go on", for: "unpinned")
    try compactor.ask("compact", for: "compacted")
    try writer.ask("write 1 1 1", for: "written 201")
    try watcher.settle(asking: compactor)
    // The commit, and nothing else.
    for shape in Self.shapes { #expect(watcher.publications(of: shape).count <= 2) }
    #expect(watcher.publications.count <= count + Self.shapes.count)
    try reader.ask("verify 1 1 201", for: "verified 201")
    try reader.ask("integrity", for: "sound")
  }
}
