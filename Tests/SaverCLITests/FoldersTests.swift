import Foundation
import Glibc
import Testing

/// Case 39, and the modes of what is made.
@Suite struct FoldersTests {
  @Test(arguments: Program.fileEngines) func foldersAndModes(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x")
    #expect(CommandSandbox.mode(sandbox.home + "/.local/share/saver") == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.home + "/.local/share/saver")
    #expect(files.contains("items." + engine))
    for file in files { #expect(CommandSandbox.mode(sandbox.home + "/.local/share/saver/" + file) == 0o600, "\(file)") }

    let own = sandbox.folder + "/own"
    try sandbox.makeFolder(own)
    chmod(own, 0o755)
    let masked = try sandbox.shell(
      "umask 0; \"$saver\" --store \(own)/items share x && \"$saver\" --store \(own)/a/b/c share x")
    #expect(masked.exitCode == 0, "\(masked.stderr)")
    #expect(CommandSandbox.mode(own) == 0o755)
    #expect(CommandSandbox.mode(own + "/items." + engine) == 0o600)
    #expect(CommandSandbox.mode(own + "/a/b") == 0o700 && CommandSandbox.mode(own + "/a/b/c." + engine) == 0o600)
  }

  /// A command closes its store before it ends: no log is left for the next one to recover.
  @Test(arguments: Program.fileEngines) func noLogIsLeft(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for number in 1...10 {
      for arguments in [["share", "item \(number)"], ["list"], ["list", "--format=json"], ["show", "ffff"]] {
        _ = try sandbox.run(arguments)
        let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.home + "/.local/share/saver")
        #expect(files.allSatisfy { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }, "\(arguments): \(files)")
      }
    }
  }

  @Test(arguments: Program.fileEngines) func variablesThatCountAsUnset(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x")
    for value in ["", "relative/path", "."] {
      let environment = ["XDG_DATA_HOME": value, "XDG_CONFIG_HOME": value]
      #expect(try sandbox.run(["list", "--count"], environment: environment).stdout == "1\n", "\(value)")
    }
    let data = sandbox.root + "/not/there/yet"
    #expect(try sandbox.run(["list", "--count"], environment: ["XDG_DATA_HOME": data]).stdout == "0\n")
    #expect(!FileManager.default.fileExists(atPath: sandbox.root + "/not"))
    #expect(try sandbox.run(["share", "y"], environment: ["XDG_DATA_HOME": data]).exitCode == 0)
    #expect(FileManager.default.fileExists(atPath: data + "/saver/items." + engine))
    let unwritable = try sandbox.run(["share", "y"], environment: ["XDG_DATA_HOME": "/dev/null/x"])
    #expect(unwritable.exitCode == 73 && unwritable.stderr.contains("/dev/null/x"), "\(unwritable.stderr)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder).isEmpty)
  }

  @Test(arguments: Program.fileEngines) func withoutAHome(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for script in [
      "env -i \"$saver\" list", "env -i \"$saver\" share x", "env -i HOME= \"$saver\" list", "env -i \"$saver\" doctor",
      "env -i HOME=relative \"$saver\" share x", "env -i \"$saver\" --store '~/x' share x",
    ] {
      let outcome = try sandbox.shell(script)
      #expect(outcome.exitCode == 78 && outcome.stdout == "" && outcome.stderr.contains("HOME"), "\(script)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder).isEmpty)
    let explicit = try sandbox.shell("env -i \"$saver\" --backend \(engine) --store \"$PWD/items\" share x")
    #expect(explicit.exitCode == 0)
    #expect(try sandbox.shell("env -i \"$saver\" config").exitCode == 0)
    let relative = try sandbox.shell("env -i \"$saver\" --backend \(engine) --store items list --count")
    #expect(relative.stdout == "1\n")
  }

  @Test(arguments: Program.fileEngines) func aFolderThatCannotBeEntered(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let folder = sandbox.root + "/closed"
    try sandbox.makeFolder(folder)
    chmod(folder, 0)
    for arguments in [["share", "x"], ["list"]] {
      let outcome = try sandbox.runWithoutPrivileges(["--store", folder + "/items"] + arguments)
      #expect(outcome.exitCode == 77 && outcome.stderr.contains(folder), "\(arguments): \(outcome.stderr)")
    }
    chmod(folder, 0o700)
  }
}

extension CommandSandbox {
  /// Runs the program as a user whom file modes bind; a test of modes says nothing about the superuser.
  func runWithoutPrivileges(_ arguments: [String]) throws -> Outcome {
    guard geteuid() == 0 else { return try run(arguments) }
    for folder in [root, home, folder] where CommandSandbox.mode(folder) == 0o700 { chmod(folder, 0o755) }
    return try start(
      ["--reuid=65534", "--regid=65534", "--clear-groups", Program.path] + arguments, program: "/usr/bin/setpriv"
    ).wait()
  }
}
