import Foundation
import Testing

@Suite struct ShowEditTests {
  @Test(arguments: Program.fileEngines) func everythingAboutAnItem(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("two\nlines \u{1B}[2J", "--title", "Title", "--tag", "a", "--tag", "b c")
    let outcome = try sandbox.run("show", id)
    #expect(
      outcome.stdout == """
        id       \(id)
        title    Title
        tags     #a #b c
        created  2026-01-02 03:04:06 +00:00
        updated  2026-01-02 03:04:06 +00:00
        text
          two
          lines \\u{1B}[2J

        """)
    #expect(!outcome.output.contains(0x1B))
    let other = try sandbox.share("other")
    let lines = try sandbox.run("show", other, String(id.suffix(4)), id.uppercased(), "--format", "jsonl")
    #expect(try ListedItem.lines(lines.output).map(\.id) == [other, id, id])
    #expect(try ListedItem.array(try sandbox.run("show", id, "--format=json").output) == [sandbox.items()[1]])
    #expect(try sandbox.run("show", id.replacing("-", with: "")).exitCode == 0)
    let missing = try sandbox.run("show", id, "99999999")
    #expect(missing.exitCode == 1 && missing.stdout == "" && missing.stderr == "saver: there is no item 99999999\n")
    for arguments in [[], [""], ["abc"], ["xyzzy"]] {
      #expect(try sandbox.run(["show"] + arguments).exitCode == 64, "\(arguments)")
    }
  }

  @Test(arguments: Program.engines) func withoutAStoreNoItemIsFound(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for arguments in [["show", "abcd"], ["edit", "abcd", "--title", "x"], ["delete", "abcd"]] {
      let outcome = try sandbox.run(arguments)
      #expect(outcome.exitCode == 1 && outcome.stderr == "saver: there is no item abcd\n" && outcome.stdout == "")
    }
    #expect(sandbox.files.isEmpty)
  }

  @Test(arguments: Program.fileEngines) func errorsAsJSON(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for (arguments, code) in [
      (["show", "abcd", "--format", "json"], "notFound"), (["list", "--format=json", "--wrong"], "usage"),
      (["list", "--format", "json", "--config", "/missing"], "configuration"),
    ] {
      let outcome = try sandbox.run(arguments)
      let object = try #require(try JSONSerialization.jsonObject(with: outcome.diagnostics) as? [String: Any])
      let error = try #require(object["error"] as? [String: String])
      #expect(Set(error.keys) == ["code", "message"] && error["code"] == code)
      #expect(outcome.stdout == "")
    }
  }

  @Test(arguments: Program.fileEngines) func options(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("text", "--title", "Title", "--tag", "a", "--tag", "b")
    let outcome = try sandbox.run(
      "edit", String(id.suffix(8)), "--tag", "c", "--tag", "a", "--untag", "b", "--untag", "none", "--text", "new\ntext"
    )
    #expect(outcome.exitCode == 0 && outcome.stdout == id + "\n" && outcome.stderr == "")
    let item = try sandbox.items()[0]
    #expect(item.text == "new\ntext" && item.title == "Title" && item.tags == ["a", "c"])
    #expect(item.createdAt == "2026-01-02T03:04:06.678Z" && item.updatedAt == "2026-01-02T03:04:07.678Z")
    let json = try sandbox.run("edit", id, "--title", "", "--format", "json")
    #expect(try ListedItem.lines(json.output).first?.title == nil)
    for arguments in [["--text", ""], ["--text", " \n"], ["--tag", ""], ["--title"], ["--text", "a", "b"]] {
      #expect(try sandbox.run(["edit", id] + arguments).exitCode == 64, "\(arguments)")
    }
    #expect(try sandbox.items()[0].text == "new\ntext")
  }

  /// Case 41.
  @Test(arguments: Program.fileEngines) func editors(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("old — 家族\nline")
    // Run by the shell: a script that was just written can be busy for the time in which another test starts a process.
    let prog = try sandbox.write(
      "#!/bin/sh\nprintf '%s|' \"$#\" \"$1\" >\(sandbox.root)/arguments\nfor last; do :; done\n"
        + "cat \"$last\" >\(sandbox.root)/seen\nprintf 'new text\\n' >\"$last\"\n", to: sandbox.root + "/my prog")
    func edit(_ environment: [String: String?]) throws -> Outcome {
      try sandbox.run(["edit", id], environment: environment)
    }
    let edited = try edit(["EDITOR": "sh '\(prog)' --wait"])
    #expect(edited.exitCode == 0 && edited.stdout == id + "\n", "\(edited.stderr)")
    #expect(try String(contentsOfFile: sandbox.root + "/arguments", encoding: .utf8) == "2|--wait|")
    #expect(try String(contentsOfFile: sandbox.root + "/seen", encoding: .utf8) == "old — 家族\nline\n")
    #expect(try sandbox.texts() == ["new text"])

    let unset = try edit([:])
    #expect(unset.exitCode == 64 && unset.stderr.contains("$VISUAL") && unset.stderr.contains("$EDITOR"))
    #expect(try edit(["EDITOR": "", "VISUAL": ""]).exitCode == 64)
    let missing = try edit(["EDITOR": "no-such-editor"])
    #expect(missing.exitCode == 1 && missing.stderr.contains("no-such-editor"))
    let failed = try edit(["EDITOR": "sh -c 'echo lost >\"$1\"; exit 1' sh"])
    #expect(failed.exitCode == 1 && failed.stderr.contains("exit code 1"))
    let killed = try edit(["EDITOR": "sh -c 'kill -9 $$' sh"])
    #expect(killed.exitCode == 1 && killed.stdout == "")
    #expect(try edit(["EDITOR": "truncate -s 0"]).exitCode == 1)
    #expect(try edit(["EDITOR": "sh -c 'printf \"\\377\" >\"$1\"' sh"]).exitCode == 65)
    #expect(try sandbox.texts() == ["new text"])

    let visual = try edit(["VISUAL": "sh -c 'printf visual >\"$1\"' sh", "EDITOR": "false"])
    #expect(visual.exitCode == 0)
    #expect(try sandbox.texts() == ["visual"])
    let before = try sandbox.items()[0]
    #expect(try edit(["EDITOR": "true"]).exitCode == 0)
    #expect(try sandbox.items()[0] == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.root + "/tmp").isEmpty)
  }

  /// Another process can write while the editor is open; if it changed this item, the edit gives way.
  @Test(arguments: Program.fileEngines) func changedWhileTheEditorIsOpen(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("old")
    func edit(_ script: String) throws -> Outcome {
      try sandbox.write("#!/bin/sh\n\(script) && printf mine >\"$1\"\n", to: sandbox.root + "/editor")
      return try sandbox.run(["edit", id], environment: ["EDITOR": "sh \(sandbox.root)/editor"])
    }
    let outcome = try edit("\"$saver\" edit \(id) --title theirs >/dev/null")
    #expect(outcome.exitCode == 1 && outcome.stderr.contains("changed while the editor was open"))
    #expect(try sandbox.items()[0].text == "old")
    #expect(try sandbox.items()[0].title == "theirs")
    #expect(try edit("SAVER_TEST_IDS=99 \"$saver\" share other >/dev/null").exitCode == 0)
    #expect(try sandbox.texts("--sort", "text") == ["mine", "other"])
    let gone = try edit("\"$saver\" delete \(id) >/dev/null")
    #expect(gone.exitCode == 1 && gone.stderr.contains("there is no item"))
    #expect(try sandbox.texts() == ["other"])
  }
}
