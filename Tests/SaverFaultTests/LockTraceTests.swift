import Foundation
import Glibc
import SaverTestKit
import Testing

/// One call that a process made, as strace prints it, with the names of the libraries that it came through.
private struct TracedCall {
  var text: String
  var libraries: Set<String> = []

  /// Reads what `strace -k` has written: a call's line, and below it a line for each frame of the stack.
  static func read(_ lines: [String]) -> [TracedCall] {
    var calls: [TracedCall] = []
    // A call during which another process made one stands in two pieces, the stack below the second.
    var begun: [Substring: String] = [:]
    for line in lines {
      let process = line.prefix { $0 != " " }
      if line.hasPrefix(" > ") {
        let file = line.dropFirst(3).prefix { $0 != "(" }
        calls[calls.count - 1].libraries.insert(String(file.split(separator: "/").last ?? ""))
      } else if line.hasSuffix("<unfinished ...>") {
        begun[process] = String(line.dropLast("<unfinished ...>".count))
      } else if let beginning = begun[process], let end = line.range(of: " resumed>") {
        begun[process] = nil
        calls.append(TracedCall(text: beginning + line[end.upperBound...]))
      } else {
        calls.append(TracedCall(text: line))
      }
    }
    return calls
  }

  func came(from library: String) -> Bool { libraries.contains { $0.hasPrefix(library) } }
}

/// The program that shows system calls.
enum Strace {
  /// The program, if it may trace here: containers often forbid it.
  static let path: String? = {
    guard let path = Programs.find("strace") else {
      print("faults: strace is missing: the test of who opens the store's files is skipped")
      return nil
    }
    let run = try? Programs.run(path, ["-k", "-o", "/dev/null", "-e", "trace=openat", "/bin/true"])
    if run?.end == .exited(0) { return path }
    print(
      "faults: strace cannot trace here (\(run?.lines.first ?? "")): the test of who opens the store's files is skipped"
    )
    return nil
  }()
}

extension FaultTests {
  /// Case 34. POSIX locks belong to a process and a file: closing any descriptor of the file drops all of them, and the
  /// commits of the engine are lost. So nobody but the engine's library may open and close what it locks: SQLite the store
  /// itself, its log and its shared memory; LMDB its lock file.
  ///
  /// Rule: each call that opens, duplicates or closes a descriptor of one of these files has a frame of the engine's library
  /// in its stack.
  @Suite(.enabled(if: Strace.path != nil, "strace is missing, has no stack traces, or may not trace"))
  struct LockTraceTests {
    /// Runs a program under strace; the calls on descriptors of these files that did not come from the engine's library, and
    /// how many did.
    ///
    /// - Parameter input: lines for its standard input.
    private func foreignCalls(
      _ program: String, _ arguments: [String], input: [String] = [], files: [String], library: String
    ) throws -> (foreign: [String], engine: Int, opened: Int, closed: Int) {
      let output = NSTemporaryDirectory() + "saver-trace-\(UUID().uuidString)"
      defer { unlink(output) }
      let calls = "open,openat,openat2,creat,close,close_range,dup,dup2,dup3"
      // Only calls on these files: a stack for every call takes long.
      let options = ["-f", "-k", "-y", "-o", output, "-e", "trace=\(calls)"] + files.flatMap { ["-P", $0] }
      let process = try ChildProcess(
        try #require(Strace.path), options + [program] + arguments, environment: Programs.environment)
      for line in input { try process.send(line) }
      process.endInput()
      let end = ProcessEnd(status: try process.waitForEnd(secondsMax: 200))
      try #require(end == .exited(0), "\(program) \(arguments): \(process.lines) \(end)")
      let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
      let traced = TracedCall.read(text.split(separator: "\n").map(String.init)).filter { call in
        // The path stands in quotation marks, or in angle brackets behind a descriptor.
        files.contains { call.text.contains("\($0)\"") || call.text.contains("\($0)>") }
      }
      // A descriptor that is only a name (O_PATH) drops no lock.
      let foreign = traced.filter { !$0.came(from: library) && !$0.text.contains("O_PATH") }.map(\.text)
      let succeeded = traced.filter { !$0.text.contains(" = -1 ") }
      let opened = succeeded.count { $0.text.contains("open") }
      return (foreign, traced.count - foreign.count, opened, succeeded.count { $0.text.contains("close(") })
    }

    private func rule(_ engine: String, _ folder: FaultFolder) -> (files: [String], library: String) {
      let file = folder.file(engine)
      return engine == "sqlite"
        ? ([file, file + "-wal", file + "-shm"], "libsqlite3") : ([file + "-lock"], "liblmdb")
    }

    @Test(arguments: Programs.engines) func onlyTheEngineOpensWhatItLocks(engine: String) throws {
      let folder = try FaultFolder()
      let (files, library) = rule(engine, folder)
      var all = 0
      let start = ["--backend", engine, "--store", folder.base]
      // The first makes the store.
      var runs: [(String, [String], [String])] = [["share", "a"], ["list", "--search", "a"], ["doctor"]].map {
        (Programs.saver, start + $0, [])
      }
      let steps = [
        "open", "attempts:1:20", "watch", "attempts:21:20", "shown", "read", "queries", "integrity", "share:1:50",
        "import:2:50", "close", "open", "write",
      ]
      runs.append((Programs.child, [], [([engine, folder.base] + steps).joined(separator: "\t")]))
      // Somebody who watches, while others share and read.
      let output = folder.path + "/watched"
      let script = """
        "$@" watch --format jsonl >'\(output)' & watching=$!
        for turn in 1 2 3; do "$@" share "watched $turn" || exit 1; "$@" list >/dev/null || exit 1; done
        until grep -q 'watched 3' '\(output)'; do kill -0 $watching || exit 1; sleep 0.05; done
        kill $watching; wait $watching
        """
      runs.append(("/bin/sh", ["-c", script, "sh", Programs.saver] + start, []))
      for (program, arguments, input) in runs {
        let found = try foreignCalls(program, arguments, input: input, files: files, library: library)
        #expect(found.foreign.isEmpty, "\(arguments): not by \(library): \(found.foreign)")
        #expect(found.engine > 0 && found.opened > 0, "\(arguments): nothing was traced")
        // Nothing is left open for longer than the store is, and nothing is closed twice.
        #expect(found.opened == found.closed, "\(arguments): \(found.opened) opened, \(found.closed) closed")
        all += found.engine
      }
      print("faults: who opens the store's files, \(engine): \(all) calls, all from \(library)")
    }

    /// The rule would notice a program that breaks it.
    @Test(arguments: Programs.engines) func anotherProgramIsNoticed(engine: String) throws {
      let folder = try FaultFolder()
      let (files, library) = rule(engine, folder)
      for file in files { try folder.write([0], to: file) }
      let found = try foreignCalls("/bin/cat", files, files: files, library: library)
      #expect(found.foreign.count == 2 * files.count && found.engine == 0)
    }
  }
}
