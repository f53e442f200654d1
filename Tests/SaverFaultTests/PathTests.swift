import Foundation
import Glibc
import Testing

extension FaultTests {
  /// Paths that lead somewhere else than they did, and modes that are in the way.
  @Suite struct PathTests {
    /// Runs `saver`; what it printed, and its exit code.
    private func saver(_ engine: String, _ base: String, _ arguments: String...) throws -> (text: String, code: Int32) {
      let (lines, end) = try Programs.run(
        Programs.saver, ["--backend", engine, "--store", base] + arguments)
      guard case .exited(let code) = end else { return ("\(lines) \(end)", -1) }
      return (lines.joined(separator: "\n"), code)
    }

    // MARK: Links

    @Test(arguments: Programs.engines) func linksLeadToOneStore(engine: String) throws {
      let folder = try FaultFolder()
      let real = try FaultFolder()
      // A link to a folder, and in it a link to the file.
      symlink(real.path, folder.path + "/folder")
      #expect(try saver(engine, folder.path + "/folder/store", "share", "one").code == 0)
      symlink(real.file(engine), folder.file(engine))
      #expect(try saver(engine, folder.base, "share", "two").code == 0)
      // A link in a chain of links, while a process holds the store by its own name.
      symlink(folder.file(engine), folder.path + "/chain.\(engine)")
      let holder = Worker()
      try holder.begin(engine, real.base, ["open", "wait", "write", "read"])
      try holder.wait(for: "wait")
      #expect(try saver(engine, folder.path + "/chain", "share", "three").code == 0)
      try holder.goOn()
      let report = try holder.report()
      #expect(report["write"]?.code == nil && report["read"]?.answer.hasPrefix("3 ") == true, "\(report)")
      #expect(try saver(engine, real.base, "list", "--count").text == "3")
      // Nothing is made beside the links: the store's companions lie beside the store.
      #expect(folder.names == ["folder", "store.\(engine)", "chain.\(engine)"])
    }

    @Test(arguments: Programs.engines) func brokenLinks(engine: String) throws {
      let folder = try FaultFolder()
      symlink(folder.path + "/nowhere/at/all", folder.file(engine))
      symlink(folder.path + "/round.\(engine)", folder.path + "/round.\(engine)")
      for (name, code) in [("store", Int32(73)), ("round", 73)] {
        let outcome = try saver(engine, "\(folder.path)/\(name)", "share", "x")
        #expect(outcome.code == code && outcome.text.contains(folder.path), "\(name): \(outcome)")
      }
      #expect(folder.names == ["store.\(engine)", "round.\(engine)"])
      // A link to a place where a store can be made is as good as a name.
      symlink(folder.path + "/real.\(engine)", folder.path + "/link.\(engine)")
      #expect(try saver(engine, folder.path + "/link", "share", "x").code == 0)
      #expect(try saver(engine, folder.path + "/real", "list", "--count").text == "1")
    }

    // MARK: Modes

    /// Case 29: what may not be used is named, nothing is lost, and it works again afterwards.
    @Test(arguments: Programs.engines) func modes(engine: String) throws {
      let folder = try FaultFolder()
      #expect(try saver(engine, folder.base, "share", "one").code == 0)
      // The modes of files do not bind root: somebody else tries then.
      let isRoot = getuid() == 0
      let somebody: [String] = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
      if isRoot {
        try #require(Programs.find("setpriv") != nil)
        for path in [folder.path] + folder.names.map({ "\(folder.path)/\($0)" }) { chown(path, 65_534, 65_534) }
        let (_, end) = try Programs.run("/usr/bin/env", somebody + ["test", "-x", Programs.saver])
        guard end == .exited(0) else {
          print("faults: modes: skipped, another user cannot run \(Programs.saver)")
          return
        }
      }
      func attempt(_ arguments: String...) throws -> (text: String, code: Int32) {
        let (lines, end) = try Programs.run(
          "/usr/bin/env", somebody + [Programs.saver, "--backend", engine, "--store", folder.base] + arguments)
        guard case .exited(let code) = end else { return ("\(lines) \(end)", -1) }
        return (lines.joined(separator: "\n"), code)
      }
      for (path, mode, back) in [
        (folder.file(engine), mode_t(0o400), mode_t(0o600)), (folder.file(engine), 0o000, 0o600),
        (folder.path, 0o555, 0o700), (folder.path, 0o000, 0o700),
      ] {
        let content = FaultFolder.content(folder.file(engine))
        // What lies beside the store would let it be used without making anything in the folder.
        for name in folder.names where name != "store.\(engine)" { unlink("\(folder.path)/\(name)") }
        chmod(path, mode)
        for arguments in [["list"], ["share", "x"]] {
          let outcome = try attempt(arguments[0], arguments.count > 1 ? arguments[1] : "--all")
          #expect(outcome.code == 77 && outcome.text.contains(folder.path), "\(path) \(mode): \(outcome)")
        }
        chmod(path, back)
        #expect(FaultFolder.content(folder.file(engine)) == content)
        #expect(try attempt("list", "--count").text == "1")
      }
      #expect(try attempt("share", "two").code == 0)
      #expect(try attempt("list", "--count").text == "2")
    }

    // MARK: While it is open

    /// The folder goes away under an open store: an error or an answer, and the same program goes on with a new store.
    @Test(arguments: Programs.engines) func theFolderDisappears(engine: String) throws {
      let folder = try FaultFolder()
      let inner = folder.path + "/inner"
      let worker = Worker()
      try worker.begin(
        engine, inner + "/store",
        ["make", "attempts:1:5", "wait", "attempts:6:1", "read", "close", "open", "make", "attempts:7:1", "commits"])
      try worker.wait(for: "wait")
      try FileManager.default.removeItem(atPath: inner)
      try worker.goOn()
      let report = try worker.report()
      #expect(report.isComplete, "\(report)")
      let write = try #require(report.steps.first { $0.name == "attempt" && $0.code != nil }, "\(report)")
      #expect(write.answer == "6" && write.path.hasPrefix(inner), "\(report)")
      #expect(report["open"]?.code == "noSuchStore", "\(report)")
      #expect(report.last("make")?.code == nil && report["commits"]?.answer == "7", "\(report)")
    }

    /// Another store is put in the place of an open one: whoever writes does so in the one that is there now, complete to
    /// its last commit, and nothing is acknowledged that is lost.
    ///
    /// Not beside SQLite's log of the old one, which would be played into the new: an error, and the file stays as it is.
    @Test(arguments: Programs.engines, [true, false])
    func replacedWhileOpen(engine: String, hasWritten: Bool) throws {
      let (folder, other) = (try FaultFolder(), try FaultFolder())
      try #require(try ChildReport.run(engine, other.base, ["make", "attempts:1:3"]).isComplete)
      let content = FaultFolder.content(other.file(engine))
      let worker = Worker()
      try #require(try worker.run(engine, folder.base, ["make", "attempts:21:3"]).isComplete)
      try worker.begin(
        engine, folder.base,
        ["open"] + (hasWritten ? ["attempts:24:1"] : ["commits"]) + ["wait", "attempts:4:1", "commits", "close"])
      try worker.wait(for: "wait")
      #expect(rename(other.file(engine), folder.file(engine)) == 0)
      try worker.goOn()
      let report = try worker.report()
      #expect(report.isComplete, "\(report)")
      let (seen, written) = (try #require(report.last("commits")), try #require(report.last("attempt")))
      if engine == "sqlite" && hasWritten {
        #expect(written.code == "replacedStore" && written.path == folder.file(engine), "\(report)")
        #expect(FaultFolder.content(folder.file(engine)) == content)
        // The log in the way is moved away, as the message says.
        unlink(folder.file(engine) + "-wal")
      } else {
        #expect(written.code == nil && seen.answer == "1 2 3 4", "\(report)")
      }
      let isAcknowledged = written.code == nil
      let after = try ChildReport.run(
        engine, folder.base, ["open", "commits", "integrity", "attempts:5:1", "history", "commits"])
      #expect(after["commits"]?.answer == "1 2 3" + (isAcknowledged ? " 4" : ""), "\(report)\n\(after)")
      #expect(after["integrity"]?.answer == "" && after["history"]?.answer == "", "\(after)")
    }

    #if SQLite
    /// The last one out takes the log away. Whoever watches then sees what is written to the next one, by whomever.
    @Test(.enabled(if: Programs.find("sqlite3") != nil)) func theLogGoesWithTheLastOneOut() throws {
      let folder = try FaultFolder()
      let (file, shell) = (folder.file("sqlite"), try #require(Programs.find("sqlite3")))
      try #require(try ChildReport.run("sqlite", folder.base, ["make", "write"]).isComplete)
      let (watcher, writer) = (Worker(), Worker())
      for round in 1...4 {
        #expect(!folder.names.contains("store.sqlite-wal"), "round \(round)")
        try watcher.begin("sqlite", folder.base, ["open", "watch", "shown", "wait", "shown", "close", "wait"])
        try watcher.wait(for: "wait")
        if round % 2 == 0 {
          let wrote = try Programs.run(shell, [file, "INSERT INTO item(text) VALUES ('theirs')"])
          #expect(wrote.end == .exited(0), "\(wrote)")
        } else {
          let wrote = try writer.run("sqlite", folder.base, ["open", "attempts:\(round * 10):1:3"])
          #expect(wrote.isComplete && wrote["attempt"]?.code == nil, "\(wrote)")
        }
        #expect(FaultFolder.size(file + "-wal") > 0, "round \(round)")
        try watcher.goOn()
        try watcher.wait(for: "wait")
        // The observer's thread lets go of its connection when it comes to it.
        let limit = Date.now.addingTimeInterval(60)
        while folder.names.contains("store.sqlite-wal"), Date.now < limit { usleep(1_000) }
        #expect(!folder.names.contains("store.sqlite-wal"), "round \(round)")
        try watcher.goOn()
        let report = try watcher.report()
        let shown = try #require(report.last("shown"))
        #expect(report.isComplete && shown.code == nil, "\(report)")
        let updates = shown.answer.split(separator: " ").last.flatMap { Int($0) } ?? 0
        #expect(updates >= 2, "round \(round): it has shown nothing new\n\(report)")
      }
    }
    #endif
  }
}
