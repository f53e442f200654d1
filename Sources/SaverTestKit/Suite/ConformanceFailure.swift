/// A promise that an engine does not keep.
public struct ConformanceFailure: Error, Hashable, Sendable {
  /// The id of the check, or `model` for a ``ModelTest``.
  public var check: String
  /// What was expected and what was found.
  public var message: String
  /// Where in the kit the expectation stands.
  public var fileID: String
  public var line: Int

  public init(check: String, message: String, fileID: String = #fileID, line: Int = #line) {
    self.check = check
    self.message = message
    self.fileID = fileID
    self.line = line
  }
}

extension ConformanceFailure: CustomStringConvertible {
  public var description: String { "\(check): \(message) (\(fileID):\(line))" }
}
