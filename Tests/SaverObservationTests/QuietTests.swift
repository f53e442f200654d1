import Foundation
import Glibc
import SaverTestKit
import Testing

/// What live queries cost when nothing happens, and when their consumer does not come.
@Suite(.serialized) struct QuietTests {
  /// A consumer that sleeps over thousands of commits gets one publication; memory does not grow with what it missed.
  @Test(arguments: SharedEngine.allCases)
  func aConsumerThatSleeps(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let writer = try stage.open()
    try writer.ask("write 1 8 200", for: "written 200")
    let shapes: [WatchShape] = [.all, .window, .count]
    let watcher = try Watcher(stage.open(), shapes)
    for shape in shapes { try watcher.process.send("stall \(shape.rawValue)") }
    // An answer says that it has heard all that. Memory is at its height once, before it is measured.
    _ = try memory(watcher.process)
    try writer.ask("write 1 8 500", for: "written 700")
    let before = try memory(watcher.process)
    let commits = Effort.count(1_500, long: 10_000)
    try writer.ask("write 1 8 \(commits)", for: "written \(commits + 700)", secondsMax: 600)
    let after = try memory(watcher.process)
    for shape in shapes { #expect(watcher.publications(of: shape).count == 1) }
    for shape in shapes { try watcher.process.send("resume \(shape.rawValue)") }
    try watcher.settle(asking: writer)
    // The first, and one for all that was missed. On a busy machine the observer may still be looking when the consumer
    // wakes up: one for the turn that was under way, and one for what came meanwhile.
    for shape in shapes {
      let count = watcher.publications(of: shape).count
      #expect(count <= 4, "\(count) publications of \(shape.rawValue)")
    }
    print("\(engine): \(after - before) KiB more after \(commits) commits that were slept over, \(after) in all")
    // The address sanitizer keeps what was freed, to notice who uses it.
    if getenv("SAVER_SANITIZER") == nil { #expect(after - before < 16 << 10) }
    try watcher.process.finish()
    try writer.finish()
  }

  /// A watcher that is idle uses no time to speak of, and holds no snapshot that would keep others from tidying up.
  @Test(arguments: SharedEngine.allCases)
  func anIdleWatcher(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let writer = try stage.open()
    try writer.ask("write 1 8 50", for: "written 50")
    let watcher = try Watcher(stage.open(), WatchShape.allCases)
    try watcher.settle(asking: writer)
    if ForeignWriter.isThere {
      switch engine.rawValue {
      case "sqlite":
        // A reader in a snapshot of before would keep the log from being emptied. Again, because the watcher may be looking
        // at this moment.
        try ForeignWriter.run(
          "/bin/sh",
          [
            "-c",
            """
            for i in $(seq 200); do
              test "$("$1" "$2" 'PRAGMA wal_checkpoint(TRUNCATE)')" = '0|0|0' && exit 0
              sleep 0.05
            done
            exit 1
            """, "sh", ForeignWriter.shell ?? "", stage.store,
          ])
      default:
        try ForeignWriter.python(
          stage,
          """
          import lmdb, sys, time
          store = lmdb.open(sys.argv[1], subdir=False, max_dbs=64, readonly=True)
          for _ in range(200):
            readers = store.readers()
            if all(line.split()[-1] == '-' for line in readers.splitlines()[1:]): sys.exit(0)
            time.sleep(0.05)
          sys.exit(readers)
          """)
      }
    }
    // What the checkpoint has stirred up is over soon.
    let began = Monotonic.now
    let before = try time(watcher.process)
    let seconds = Effort.count(3, long: 60)
    sleep(UInt32(seconds))
    let used = try time(watcher.process) - before
    let elapsed = Double(Monotonic.now - began) / 1e9
    print("\(engine): \(used) µs of processor time in \(elapsed) s")
    // Twenty milliseconds a minute, by an optimised build; this one is not, and a sanitizer's is slower still.
    if getenv("SAVER_SANITIZER") == nil { #expect(Double(used) < elapsed * 4_000) }
    try watcher.process.finish()
    try writer.finish()
  }

  /// A commit that is held open shows nothing; when it is made, it is shown once, whole.
  @Test(arguments: SharedEngine.allCases)
  func aCommitThatIsHeld(_ engine: SharedEngine) throws {
    let stage = try Stage(engine)
    let writer = try stage.open()
    try writer.ask("write 1 8 20", for: "written 20")
    let holder = try stage.open()
    try holder.ask("hold 1 8", for: "holding")
    // Begins to watch in the middle of it.
    let watcher = try Watcher(stage.open(), [.all, .count])
    let shown = watcher.latest(.all)?.fingerprint
    #expect(try shown == writer.fetch(.all).fingerprint)
    try holder.ask("go", for: "written 21")
    let committed = Monotonic.now
    let instant = try watcher.settle(asking: writer)
    #expect(instant - committed < 1_000_000_000)
    #expect(watcher.publications(of: .all).map(\.kind) == ["initial", "change"])
    // The same, and the one that holds it dies.
    try holder.ask("hold 1 8", for: "holding")
    holder.kill()
    try holder.waitForEnd()
    try writer.ask("write 1 8 1", for: "written 22")
    try watcher.settle(asking: writer)
    #expect(watcher.publications(of: .all).count == 3)
    try watcher.process.finish()
    try writer.finish()
  }

  private func memory(_ process: ChildProcess) throws -> Int {
    try #require(Int(try process.ask("usage", for: "usage").words[2]))
  }

  private func time(_ process: ChildProcess) throws -> Int {
    try #require(Int(try process.ask("usage", for: "usage").words[1]))
  }
}
