internal import Glibc

/// How wide lines may be.
package enum TerminalWidth {
  /// Cells where nothing else is known.
  package static let standard = 80

  /// `COLUMNS` if it is a positive number, else what the terminal says, else 80.
  package static func cells(descriptor: Int32 = STDOUT_FILENO, environment: Environment = .process) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return standard
  }
}
