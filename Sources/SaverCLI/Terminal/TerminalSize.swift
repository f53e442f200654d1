internal import Glibc

/// How much room a terminal has.
struct TerminalSize: Hashable {
  static let standard = TerminalSize(columns: TerminalWidth.standard, rows: 24)

  var columns: Int
  var rows: Int

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// What the terminal says, or less if `COLUMNS` or `LINES` say so: a shell sets them once, and the terminal may have
  /// become smaller since.
  init(descriptor: Int32 = STDOUT_FILENO, environment: Environment = .process) {
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) != 0 { size = winsize() }
    columns = Self.smaller(Int(size.ws_col), environment["COLUMNS"]) ?? Self.standard.columns
    rows = Self.smaller(Int(size.ws_row), environment["LINES"]) ?? Self.standard.rows
  }

  private static func smaller(_ size: Int, _ variable: String?) -> Int? {
    [size, variable.flatMap { Int($0) } ?? 0].filter { $0 > 0 }.min()
  }
}
