public import FoundationEssentials

extension StorageError {
  /// The error of a record that cannot be stored as it is.
  public init(invalid type: RecordType, _ error: RowError, fileID: String = #fileID, line: Int = #line) {
    let name = error.column < type.fields.count ? type.fields[error.column].name : "column \(error.column)"
    self.init(
      .invalidRecord, "This \(type.name) cannot be stored: '\(name)' \(error.reason).", fileID: fileID, line: line)
  }

  /// The error of a record whose id is taken.
  public static func duplicateID(
    _ id: UUID, _ type: RecordType, fileID: String = #fileID, line: Int = #line
  ) -> StorageError {
    StorageError(
      .duplicateID, "There is a \(type.name) with the id \(id.hexadecimal) already.", fileID: fileID, line: line)
  }
}
