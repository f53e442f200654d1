import Foundation
import Glibc
import Testing

/// The list that draws itself again.
@Suite(.serialized) struct WatchTerminalTests {
  private static let enter = "\u{1B}[?1049h"
  private static let leave = "\u{1B}[?1049l"

  @Test(arguments: Program.fileEngines) func aListThatRedraws(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("first \u{1B}[2J with a text that is longer than the terminal is wide", "--tag", "t")
    let watch = try TerminalProcess(sandbox, ["watch"], columns: 40, rows: 4)
    watch.expect("first")
    #expect(watch.output.hasPrefix(Self.enter))
    #expect(watch.picture[0] == "1 item" && watch.picture.count == 2 && watch.picture[1].count <= 40)
    #expect(!watch.output.contains("\u{1B}[2J"))
    for text in ["second", "third", "fourth"] { try sandbox.share(text) }
    watch.expect("fourth")
    // As many as there is room for, below the heading.
    #expect(watch.picture.count == 4 && watch.picture[0].hasPrefix("4 items"), "\(watch.picture)")
    #expect(watch.picture[1].contains("fourth") && watch.picture[3].contains("second"))

    watch.forget()
    watch.resize(columns: 100, rows: 10)
    watch.expect("first")
    #expect(watch.picture.count == 5 && watch.picture[0] == "4 items")
    #expect(watch.picture[4].count > 40 && watch.picture[4].contains("#t"))

    try #require(try sandbox.run("delete", id).exitCode == 0)
    watch.expect("3 items")
    #expect(watch.picture.count == 4)
    #expect(try watch.end(SIGINT) == 0)
    #expect(watch.output.hasSuffix(Self.leave))
  }

  /// Stopped and told to go on (Ctrl-Z, `fg`): the terminal is given back, and taken again.
  @Test func suspended() throws {
    let sandbox = try CommandSandbox("sqlite")
    try sandbox.share("x")
    let watch = try TerminalProcess(sandbox, ["watch"], columns: 80, rows: 24)
    watch.expect("1 item")
    kill(watch.id, SIGTSTP)
    watch.expect(Self.leave)
    eventually("a stopped process") {
      let status = try? String(contentsOfFile: "/proc/\(watch.id)/status", encoding: .utf8)
      return status?.contains("State:\tT") == true
    }
    watch.forget()
    try sandbox.share("y")
    kill(watch.id, SIGCONT)
    watch.expect(Self.enter)
    watch.expect("2 items")
    #expect(try watch.end(SIGTERM) == 0)
  }

  /// A terminal that understands nothing gets lines.
  @Test func aDumbTerminal() throws {
    let sandbox = try CommandSandbox("sqlite")
    try sandbox.share("x")
    let watch = try TerminalProcess(sandbox, ["watch"], columns: 80, rows: 24, term: "dumb")
    watch.expect("snapshot 1 ")
    try sandbox.share("y")
    watch.expect("inserted ")
    #expect(try watch.end(SIGINT) == 0)
    #expect(!watch.output.contains("\u{1B}"))
  }
}
