import Foundation
import Glibc
import Testing

/// However a watcher is ended, it ends at once, says nothing, and exits 0.
@Suite(.serialized) struct WatchEndTests {
  @Test(arguments: Program.fileEngines, [SIGINT, SIGTERM]) func signals(engine: String, signal: Int32) throws {
    let sandbox = try CommandSandbox(engine)
    let watch = try WatchProcess(sandbox)
    let outcome = try watch.process.end(signal)
    #expect(outcome.exitCode == 0 && outcome.stderr == "" && outcome.lines.count == 1)
    // The store is closed as a command that ends closes it: SQLite leaves one complete file.
    #expect(!FileManager.default.fileExists(atPath: sandbox.storeFile(engine) + "-wal"))
  }

  /// As a shell starts a job in the background, or `nohup`.
  @Test(arguments: Program.fileEngines, [SIGINT, SIGTERM]) func ignoredSignals(engine: String, signal: Int32) throws {
    let sandbox = try CommandSandbox(engine)
    let watch = try sandbox.start(
      ["-c", "trap '' INT TERM; exec \"$saver\" watch --format jsonl"], program: "/bin/sh")
    eventually { watch.output.contains("snapshot") }
    let outcome = try watch.end(signal)
    #expect(outcome.exitCode == 0 && outcome.stderr == "" && outcome.lines.count == 1)
  }

  /// The reader of the pipe goes while nothing happens in the store.
  @Test(arguments: Program.fileEngines) func aClosedPipe(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let outcome = try sandbox.shell("{ \"$saver\" watch --format jsonl; echo $? >status; } | head -1; cat status")
    #expect(outcome.stderr == "" && outcome.lines.count == 2 && outcome.lines[1] == "0", "\(outcome.stdout)")
  }

  /// A reader that does not read holds up the watcher, and not its end.
  @Test(arguments: Program.fileEngines) func aReaderThatDoesNotRead(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let lines = Data(String(repeating: "a text of some length, to fill a pipe\n", count: 5_000).utf8)
    try #require(try sandbox.run(["share", "--lines"], stdin: lines).exitCode == 0)
    let fifo = sandbox.root + "/fifo"
    try #require(mkfifo(fifo, 0o600) == 0)
    let watch = try sandbox.start(
      ["-c", "exec \"$saver\" watch --items --format jsonl >\"\(fifo)\""], program: "/bin/sh")
    let reader = open(fifo, O_RDONLY)
    defer { close(reader) }
    // It has filled the pipe when it waits in the system for room.
    eventually {
      var count: Int32 = 0
      return ioctl(reader, UInt(FIONREAD), &count) == 0 && count > 60_000
    }
    let outcome = try watch.end()
    #expect(outcome.exitCode == 0 && outcome.stderr == "")
  }

  @Test(arguments: Program.fileEngines) func outputThatCannotBeWritten(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let outcome = try sandbox.shell("\"$saver\" watch --format jsonl >/dev/full")
    #expect(outcome.exitCode == 74)
    #expect(outcome.stderr == "saver: cannot write the output: No space left on device\n")
  }

  /// Killed at any time, it is in nobody's way.
  @Test(arguments: Program.fileEngines) func killed(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let watch = try WatchProcess(sandbox)
    #expect(try watch.process.end(SIGKILL).exitCode == 137)
    try sandbox.share("x")
    #expect(try sandbox.run("doctor").exitCode == 0)
  }

  /// The memory engine has nobody to follow, and ends as well.
  @Test func theMemoryEngine() throws {
    let watch = try WatchProcess(try CommandSandbox("memory"))
    #expect(try watch.lines[0].count == 0)
    try watch.end()
  }
}
