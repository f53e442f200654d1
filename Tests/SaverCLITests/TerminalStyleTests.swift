import Glibc
import SaverCLI
import Testing

@Suite struct TerminalStyleTests {
  @Test(arguments: [
    (ColorChoice.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
    (.auto, true, ["NO_COLOR": ""], true), (.auto, true, ["TERM": "dumb"], false),
    (.auto, true, ["TERM": "xterm"], true),
    (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true), (.never, true, [:], false),
  ])
  func decision(choice: ColorChoice, isTerminal: Bool, variables: [String: String], isColored: Bool) {
    let style = TerminalStyle(choice, isTerminal: isTerminal, environment: Environment(variables))
    #expect(style.isColored == isColored)
  }

  @Test func colours() {
    let style = TerminalStyle(isColored: true)
    #expect(style.apply(.id, to: "x") == "\u{1B}[33mx\u{1B}[0m")
    #expect(style.apply(.error, to: "x").hasSuffix("x\u{1B}[0m"))
    #expect(style.apply(.tag, to: "") == "")
    #expect(style.apply(nil, to: "x") == "x")
    #expect(TerminalStyle(isColored: false).apply(.id, to: "x") == "x")
  }

  @Test(arguments: [("40", 40), ("0", 80), ("-3", 80), ("wide", 80), ("", 80), (nil, 80), ("100000", 100_000)])
  func width(columns: String?, cells: Int) throws {
    // A descriptor that is no terminal.
    let null = open("/dev/null", O_WRONLY)
    defer { close(null) }
    let environment = Environment(columns.map { ["COLUMNS": $0] } ?? [:])
    #expect(TerminalWidth.cells(descriptor: null, environment: environment) == cells)
  }

  @Test func widthOfATerminal() throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    defer { close(terminal) }
    var size = winsize(ws_row: 24, ws_col: 132, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
    #expect(TerminalWidth.cells(descriptor: terminal, environment: Environment([:])) == 132)
    #expect(TerminalWidth.cells(descriptor: terminal, environment: Environment(["COLUMNS": "50"])) == 50)
    #expect(OutputWriter(descriptor: terminal).isTerminal)
  }

  @Test func theProcessEnvironment() {
    #expect(Environment.process["SAVER_SURELY_NOT_SET"] == nil)
    #expect(Environment.process["PATH"] != nil)
    #expect(Environment(["A": ""]).nonEmpty("A") == nil)
  }
}
