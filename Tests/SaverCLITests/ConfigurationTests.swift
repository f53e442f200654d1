import Foundation
import Glibc
import Testing

@Suite struct ConfigurationTests {
  /// What `saver config --format json` says of a key.
  private func setting(_ key: String, _ outcome: Outcome) throws -> [String] {
    let object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    let setting = try #require(object[key] as? [String: Any], "\(key)")
    return ["\(try #require(setting["value"]))", try #require(setting["source"] as? String)]
  }

  private func path(_ sandbox: CommandSandbox) -> String { sandbox.home + "/.config/saver/config.json5" }

  @Test func flagBeforeEnvironmentBeforeFileBeforeDefault() throws {
    let sandbox = try CommandSandbox()
    func config(_ options: String..., environment: [String: String?] = [:]) throws -> Outcome {
      try sandbox.run(["config", "--format", "json"] + options, environment: environment)
    }
    let defaults = try config()
    #expect(try setting("backend", defaults) == [Program.engines[0], "default"])
    #expect(try setting("store", defaults) == [sandbox.home + "/.local/share/saver/items", "default"])
    let file = try sandbox.write(
      "{ backend: 'memory', store: '~/there/x', list: { limit: 7, format: 'plain' } }", to: path(sandbox))
    let fromFile = try config()
    #expect(try setting("backend", fromFile) == ["memory", file])
    #expect(try setting("store", fromFile) == [sandbox.home + "/there/x", file])
    #expect(try setting("list.limit", fromFile) == ["7", file])
    #expect(try setting("share.duplicates", fromFile) == ["bump", "default"])
    let environment = ["SAVER_BACKEND": Program.engines[0], "SAVER_STORE": "/in/environment"]
    let fromEnvironment = try config(environment: environment)
    #expect(try setting("backend", fromEnvironment) == [Program.engines[0], "$SAVER_BACKEND"])
    #expect(try setting("store", fromEnvironment) == ["/in/environment", "$SAVER_STORE"])
    let fromFlags = try config("--backend", "memory", "--store", "/in/flag", environment: environment)
    #expect(try setting("backend", fromFlags) == ["memory", "--backend"])
    #expect(try setting("store", fromFlags) == ["/in/flag", "--store"])

    let other = try sandbox.write("{ list: { limit: 8 } }", to: sandbox.folder + "/other.json5")
    let third = try sandbox.write("{ list: { limit: 9 } }", to: sandbox.folder + "/third.json5")
    #expect(try setting("list.limit", config(environment: ["SAVER_CONFIG": other])) == ["8", other])
    #expect(try setting("list.limit", config("--config", third, environment: ["SAVER_CONFIG": other])) == ["9", third])
    #expect(try sandbox.run("config").stdout.contains("list.limit"))
    #expect(sandbox.files.allSatisfy { !$0.hasSuffix(".sqlite") && !$0.hasSuffix(".lmdb") })
  }

  @Test(arguments: Program.fileEngines) func theFileIsUsed(engine: String) throws {
    let sandbox = try CommandSandbox()
    try sandbox.write(
      "\u{FEFF}// A comment\r\n{ backend: \"\(engine)\", store: '~/mine/items',\r\n list: { limit: 2, format: 'tsv', }, }\r\n",
      to: path(sandbox))
    for text in ["a", "b", "c"] { try sandbox.share(text) }
    #expect(FileManager.default.fileExists(atPath: sandbox.home + "/mine/items." + engine))
    #expect(try sandbox.run("list").lines.map { $0.split(separator: "\t")[1] } == ["c", "b"])
    #expect(try sandbox.run("list", "--all", "--format=plain", "--fields=text").lines == ["c", "b", "a"])
  }

  /// Every sample can be read, and used where its engine is built in.
  @Test(arguments: ["sqlite", "lmdb", "memory", "full"]) func samples(name: String) throws {
    let sandbox = try CommandSandbox()
    let sample = Program.repository + "/Configs/\(name).json5"
    if name == "full" ? !Program.engines.contains("lmdb") : !Program.engines.contains(name) {
      #expect(try sandbox.run("--config", sample, "list").exitCode == 78)
      return
    }
    let outcome = try sandbox.run("--config", sample, "share", "text")
    #expect(outcome.exitCode == 0, "\(outcome.stderr)")
    let config = try sandbox.run("--config", sample, "config", "--format", "json")
    if name != "full" {
      #expect(try setting("backend", config) == [name, sample])
      return
    }
    // Every key stands in the sample, with its default.
    func values(_ outcome: Outcome) throws -> [String: [String: String]] {
      var object = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
      object["file"] = nil
      return try #require(object as? [String: [String: String]])
    }
    let full = try values(config)
    let defaults = try values(try sandbox.run("config", "--format", "json"))
    #expect(full.mapValues { $0["value"] } == defaults.mapValues { $0["value"] })
    #expect(full.allSatisfy { $0.value["source"] == sample }, "\(full)")
    #expect(defaults.allSatisfy { $0.value["source"] == "default" })
  }

  /// Case 40: one message with file, line and key; and nothing is made.
  @Test func badFiles() throws {
    let bad: [(String, [String])] = [
      ("{ backend: \"sqlite }", ["JSON5"]), ("{\n", ["JSON5"]), ("backend: 'sqlite'", ["JSON5"]), ("[]", ["object"]),
      ("{\n  bakend: 'sqlite' }", [":2:", "'bakend'", "'backend'"]),
      ("{\r\n\r\n  list: { limt: 3 } }", [":3:", "'list.limt'", "'limit'"]),
      ("{ list: { limit: 'many' } }", [":1:", "'list.limit'", "whole number"]),
      ("{ list: { limit: 0 } }", ["'list.limit'"]), ("{ list: { limit: 1.5 } }", ["'list.limit'"]),
      ("{ list: 3 }", ["'list'", "object"]), ("{ list: { format: 'xml' } }", ["'list.format'", "jsonl"]),
      ("{ backend: 3 }", ["'backend'"]),
      ("{ backend: 'oracle' }", ["'backend'", "oracle"] + Program.engines.map { "\"\($0)\"" }),
      ("{ store: 7 }", ["'store'"]), ("{ busyTimeoutMilliseconds: -1 }", ["'busyTimeoutMilliseconds'"]),
      ("{ share: { duplicates: 'never' } }", ["'share.duplicates'", "reject"]),
      ("{ history: { keepRows: 1 } }", ["'history.keepRows'", "true or false"]),
      ("{ store: '' }", ["'store'"]), ("{ backend: null }", ["'backend'"]),
    ]
    let sandbox = try CommandSandbox()
    let file = path(sandbox)
    for (content, words) in bad {
      try sandbox.write(content, to: file)
      for arguments in [["share", "text"], ["list"], ["config"]] {
        let outcome = try sandbox.run(arguments)
        #expect(outcome.exitCode == 78 && outcome.stdout == "", "\(content)")
        #expect(outcome.stderr.hasPrefix("saver: \(file)"), "\(outcome.stderr)")
        #expect(outcome.stderr.filter(\.isNewline).count == 1)
        for word in words { #expect(outcome.stderr.contains(word), "\(content): \(outcome.stderr)") }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: sandbox.home + "/.local"))
  }

  @Test func filesThatCannotBeRead() throws {
    let sandbox = try CommandSandbox()
    try sandbox.makeFolder(sandbox.folder + "/folder")
    let invalid = sandbox.folder + "/invalid"
    try Data([0x7B, 0xFF, 0x7D]).write(to: URL(fileURLWithPath: invalid))
    for file in [sandbox.folder + "/folder", sandbox.folder + "/missing", invalid] {
      for arguments in [["--config", file, "share", "x"], ["list", "--config", file]] {
        let outcome = try sandbox.run(arguments)
        #expect(outcome.exitCode == 78 && outcome.stderr.contains(file), "\(outcome.stderr)")
      }
      #expect(try sandbox.run(["share", "x"], environment: ["SAVER_CONFIG": file]).exitCode == 78)
    }
    let unreadable = try sandbox.write("{}", to: sandbox.folder + "/unreadable")
    chmod(unreadable, 0)
    let outcome = try sandbox.runWithoutPrivileges(["--config", unreadable, "share", "x"])
    #expect(outcome.exitCode == 78 && outcome.stderr.contains(unreadable))
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.home).isEmpty)
  }

  /// What is odd, and allowed all the same.
  @Test func oddFiles() throws {
    let sandbox = try CommandSandbox()
    for (content, limit) in [
      ("", "50"), (" \n", "50"), ("\u{FEFF}", "50"), ("{}", "50"), ("\u{FEFF}{ list: { limit: 3 } }", "3"),
      ("{ list: { limit: 3, limit: 4 } }", "3"), ("{\r\n'list': {\r\n\"limit\": 0x10,\r\n},\r\n}\r\n", "16"),
    ] {
      try sandbox.write(content, to: path(sandbox))
      #expect(try setting("list.limit", try sandbox.run("config", "--format=json"))[0] == limit, "\(content)")
    }
    #expect(try sandbox.run(["list"], environment: ["SAVER_CONFIG": "/dev/null"]).exitCode == 0)
  }

  @Test func unknownBackends() throws {
    let sandbox = try CommandSandbox()
    let flag = try sandbox.run("--backend", "oracle", "share", "x")
    let variable = try sandbox.run(["share", "x"], environment: ["SAVER_BACKEND": "oracle"])
    #expect(flag.exitCode == 64 && flag.stderr.contains("--backend"))
    #expect(variable.exitCode == 78 && variable.stderr.contains("$SAVER_BACKEND"))
    for outcome in [flag, variable] {
      #expect(outcome.stderr.contains("oracle"))
      for engine in Program.engines { #expect(outcome.stderr.contains(engine)) }
    }
    #expect(sandbox.files.isEmpty)
  }
}
