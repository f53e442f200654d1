/// The exit status of the tool; the numbers are those of `sysexits.h` where it has one.
public struct ExitCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Done; also a pipe that its reader closed.
  public static let success = ExitCode(rawValue: 0)
  /// Not found, ambiguous, or a check failed.
  public static let failure = ExitCode(rawValue: 1)
  /// A wrong command line.
  public static let usage = ExitCode(rawValue: 64)
  /// Input data that cannot be read as what it should be.
  public static let badData = ExitCode(rawValue: 65)
  /// An input file that is not there.
  public static let noInput = ExitCode(rawValue: 66)
  /// The engine is not built in, or the store is unusable.
  public static let unavailable = ExitCode(rawValue: 69)
  /// A file or folder cannot be made.
  public static let cannotCreate = ExitCode(rawValue: 73)
  /// Reading or writing failed; a full disk.
  public static let inputOutput = ExitCode(rawValue: 74)
  /// Busy; trying again may help.
  public static let busy = ExitCode(rawValue: 75)
  /// The operating system refuses access.
  public static let noPermission = ExitCode(rawValue: 77)
  /// A wrong configuration.
  public static let configuration = ExitCode(rawValue: 78)
}
