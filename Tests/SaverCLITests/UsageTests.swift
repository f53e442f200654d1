import Foundation
import Testing

@Suite struct UsageTests {
  static let commands = ["share", "list", "show", "edit", "delete", "config", "doctor"]

  @Test func helpAndVersionNeedNothing() throws {
    let sandbox = try CommandSandbox()
    let help = try sandbox.run("help")
    #expect(help.exitCode == 0 && help.stderr == "" && help.stdout.contains("Usage: saver"))
    for command in Self.commands { #expect(help.stdout.contains("\n  \(command)"), "\(command)") }
    for arguments in [[], ["--help"], ["-h"]] { #expect(try sandbox.run(arguments).stdout == help.stdout) }
    let version = try sandbox.run("--version")
    #expect(version.exitCode == 0 && version.lines.first?.hasPrefix("saver ") == true)
    #expect(version.lines.count == Program.engines.count + 1 && Program.engines.contains("memory"))
    #expect(sandbox.files.isEmpty)
  }

  @Test(arguments: commands) func helpOnEachCommand(command: String) throws {
    let sandbox = try CommandSandbox()
    let help = try sandbox.run("help", command)
    #expect(help.exitCode == 0 && help.stderr == "" && help.stdout.contains("saver \(command)"))
    #expect(help.lines.allSatisfy { $0.count <= 80 })
    for arguments in [[command, "--help"], ["--help", command], [command, "-h"], [command, "--wrong", "--help"]] {
      let other = try sandbox.run(arguments)
      #expect(other.exitCode == 0 && other.stdout == help.stdout, "\(arguments)")
    }
  }

  @Test func helpWithABrokenConfiguration() throws {
    let sandbox = try CommandSandbox()
    try sandbox.write("{ backend: ", to: sandbox.home + "/.config/saver/config.json5")
    for arguments in [[], ["help"], ["--help"], ["--version"], ["help", "list"], ["list", "--help"]] {
      for environment in [[:], ["SAVER_BACKEND": "none"], ["SAVER_CONFIG": "/missing"], ["HOME": nil]] {
        let outcome = try sandbox.run(arguments, environment: environment)
        #expect(outcome.exitCode == 0 && outcome.stderr == "" && !outcome.output.isEmpty, "\(arguments)")
      }
    }
    #expect(try sandbox.run("list").exitCode == 78)
  }

  @Test func mistakesNameWhatIsWrongAndWhatIsNear() throws {
    let sandbox = try CommandSandbox()
    let mistakes: [([String], [String])] = [
      (["lst"], ["'lst'", "'list'", "See 'saver help'"]),
      (["list", "--limt", "3"], ["--limt", "'--limit'", "See 'saver help list'"]),
      (["share", "--titel", "x", "y"], ["--titel", "'--title'", "See 'saver help share'"]),
      (["list", "--limit"], ["missing value for '--limit'"]),
      (["list", "--limit", "many"], ["'many'", "--limit"]),
      (["list", "--limit", "-1"], ["'-1'", "--limit"]),
      (["list", "--format", "xml"], ["'xml'", "table", "jsonl"]),
      (["list", "--format", "jso"], ["'jso'", "json"]),
      (["list", "text"], ["'text'"]),
      (["edit"], ["ID"]),
      (["show"], ["ID"]),
      (["list", "--store"], ["--store"]),
      (["help", "nothing"], ["'nothing'"]),
      (["list", "--color", "blue"], ["'blue'", "always"]),
      (["list", "--all=yes"], ["--all"]),
      (["share", "--created", "31 February", "x"], ["'31 February'"]),
      (["share", "--created", "2026-02-30", "x"], ["'2026-02-30'"]),
    ]
    for (arguments, words) in mistakes {
      let outcome = try sandbox.run(arguments)
      #expect(outcome.exitCode == 64 && outcome.stdout == "", "\(arguments)")
      #expect(outcome.stderr.hasPrefix("saver: ") && outcome.stderr.contains("See 'saver help"), "\(arguments)")
      for word in words { #expect(outcome.stderr.contains(word), "\(arguments): \(outcome.stderr)") }
    }
    #expect(sandbox.files.isEmpty)
  }

  @Test(arguments: Program.fileEngines) func twoDashesEndTheOptions(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    #expect(try sandbox.run("share", "--", "--title", "-x", "--").exitCode == 0)
    #expect(Set(try sandbox.texts()) == ["--title", "-x", "--"])
    #expect(try sandbox.run("share", "-5", "- a", "-").exitCode == 64)
  }

  @Test(arguments: Program.fileEngines) func globalOptionsBeforeAndAfterTheCommand(engine: String) throws {
    let sandbox = try CommandSandbox()
    let store = sandbox.folder + "/my items"
    let before = try sandbox.run("--backend", engine, "--store", store, "share", "a")
    let after = try sandbox.run("share", "b", "--store=\(store)", "--backend=\(engine)")
    #expect(before.exitCode == 0 && after.exitCode == 0)
    let list = try sandbox.run("--store", store, "list", "--backend", engine, "--format", "plain", "--fields", "text")
    #expect(list.lines == ["b", "a"])
    #expect(FileManager.default.fileExists(atPath: store + "." + engine))
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.home).isEmpty)
  }
}
