import Foundation
import Glibc
import Testing

/// Case 29: no permission, no space: a clear error that names the path, nothing lost, and all works again afterwards.
@Suite struct ReadOnlyStoreTests {
  /// A store in a folder of a user whom modes bind.
  private func store(_ engine: String) throws -> (sandbox: CommandSandbox, folder: String, options: [String]) {
    let sandbox = try CommandSandbox(engine)
    let folder = sandbox.folder + "/store"
    try sandbox.makeFolder(folder)
    if geteuid() == 0 { chown(folder, 65534, 65534) }
    let options = ["--store", folder + "/items"]
    try #require(try sandbox.runWithoutPrivileges(options + ["share", "kept"]).exitCode == 0)
    return (sandbox, folder, options)
  }

  private func expectRefusal(
    _ sandbox: CommandSandbox, _ options: [String], _ path: String, _ codes: Set<Int32>, _ comment: Comment
  ) throws {
    let outcome = try sandbox.runWithoutPrivileges(options + ["share", "lost"])
    #expect(codes.contains(outcome.exitCode) && outcome.stdout == "", "\(comment): \(outcome.exitCode)")
    #expect(outcome.stderr.contains(path), "\(comment): \(outcome.stderr)")
  }

  private func expectKept(_ sandbox: CommandSandbox, _ options: [String]) throws {
    let shared = try sandbox.runWithoutPrivileges(options + ["share", "again"])
    #expect(shared.exitCode == 0, "\(shared.stderr)")
    let list = try sandbox.runWithoutPrivileges(options + ["list", "--format=plain", "--fields=text"])
    #expect(list.lines == ["again", "kept"])
    #expect(try sandbox.runWithoutPrivileges(options + ["doctor"]).exitCode == 0)
  }

  @Test(arguments: Program.fileEngines) func aFolderThatCannotBeWritten(engine: String) throws {
    let (sandbox, folder, options) = try store(engine)
    chmod(folder, 0o555)
    try expectRefusal(sandbox, ["--store", folder + "/other"], folder, [73, 77], "a new store")
    try expectRefusal(sandbox, ["--store", folder + "/a/b"], folder, [73, 77], "a new folder")
    chmod(folder, 0o700)
    try expectKept(sandbox, options)
  }

  @Test(arguments: Program.fileEngines) func aStoreThatCannotBeWritten(engine: String) throws {
    let (sandbox, folder, options) = try store(engine)
    let file = folder + "/items." + engine
    chmod(file, 0o400)
    try expectRefusal(sandbox, options, file, [77], "mode 400")
    chmod(file, 0)
    try expectRefusal(sandbox, options, file, [77], "mode 0")
    let list = try sandbox.runWithoutPrivileges(options + ["list"])
    #expect(list.exitCode == 77 && list.stderr.contains(file))
    chmod(file, 0o600)
    try expectKept(sandbox, options)
  }

  /// A file system of one megabyte; only where one can be mounted.
  @Test(arguments: Program.fileEngines) func aFullDisk(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let disk = sandbox.root + "/disk"
    try sandbox.makeFolder(disk)
    let mounted = try sandbox.shell("mount -t tmpfs -o size=1m tmpfs \(disk)")
    guard mounted.exitCode == 0 else {
      print("not tested: a full disk: \(mounted.stderr)")
      return
    }
    defer { _ = try? sandbox.shell("umount -l \(disk)") }
    let options = ["--store", disk + "/items"]
    try #require(try sandbox.run(options + ["share", "kept"]).exitCode == 0)
    let big = Data(repeating: UInt8(ascii: "x"), count: 4 << 20)
    let full = try sandbox.run(options + ["share", "-"], stdin: big)
    #expect(full.exitCode == 74 && full.stdout == "" && full.stderr.contains(disk), "\(full.stderr)")
    let list = try sandbox.run(options + ["list", "--format=plain", "--fields=text"])
    #expect(list.lines == ["kept"], "\(list.stderr)")
    let again = try sandbox.run(options + ["share", "again"])
    #expect(again.exitCode == 0, "\(again.stderr)")
    #expect(try sandbox.run(options + ["doctor"]).exitCode == 0)
  }
}
