/// What went wrong in a store, and what to do about it.
///
/// The code is open: engines and later versions add their own, so a `switch` over it needs a `default`. The message is
/// one sentence for people, or two where the second says what to do; it names the file concerned and never contains
/// anybody's saved text.
public struct StorageError: Error, Sendable {
  public var code: Code
  /// What went wrong and what to do, for people; without the path and without the engine's own text.
  public var message: String
  /// The file or folder concerned.
  public var path: String?
  /// The underlying library's or system's own code (an SQLite result code, an LMDB one, an `errno`) and text.
  public var cause: Cause?
  /// Where in the source the error was made.
  public var location: Location

  public init(
    _ code: Code, _ message: String, path: String? = nil, cause: Cause? = nil,
    fileID: String = #fileID, line: Int = #line
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.cause = cause
    self.location = Location(fileID: fileID, line: line)
  }

  /// A kind of error. Each lists its usual causes.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no store at the path, and the caller asked for an existing one.
    public static let noSuchStore = Code(rawValue: "noSuchStore")
    /// The store, or the folder that holds it, cannot be made: a parent is a file, the name is too long.
    public static let cannotCreate = Code(rawValue: "cannotCreate")
    /// A file that was to be made has the name of one that is there, and that may not be replaced.
    public static let fileExists = Code(rawValue: "fileExists")
    /// The store has records, and what was asked for would replace them.
    public static let notEmpty = Code(rawValue: "notEmpty")
    /// The engine cannot do this, as its capabilities say.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The operating system refuses access: the modes of the file or of its folder (both engines need to write there).
    public static let permission = Code(rawValue: "permission")
    /// Reading or writing failed below the engine: a broken disk, a removed device.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// The disk, the quota, or the engine's configured limit is full. Nothing of the transaction was kept.
    public static let full = Code(rawValue: "full")
    /// Another process held the writer lock or the engine's own lock until the deadline.
    public static let busy = Code(rawValue: "busy")
    /// The file is not a store of this engine: another engine's, another program's, random bytes, empty.
    public static let foreignFile = Code(rawValue: "foreignFile")
    /// The file is a store of this engine and is damaged: truncated, overwritten.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The store was written in a format that this version does not know.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// The store's schema is not the program's and cannot be migrated to it.
    public static let schemaMismatch = Code(rawValue: "schemaMismatch")
    /// Another file was put in the place of the store, and what belongs to the old one would spoil it.
    public static let replacedStore = Code(rawValue: "replacedStore")
    /// The file system cannot carry the engine: a network file system, no shared memory maps.
    public static let unsupportedFileSystem = Code(rawValue: "unsupportedFileSystem")
    /// A row holds what its schema does not allow (another program wrote it): wrong type, invalid UTF-8.
    public static let damagedRow = Code(rawValue: "damagedRow")
    /// A record cannot be stored as it is: a number that is not a number, a value too large.
    public static let invalidRecord = Code(rawValue: "invalidRecord")
    /// A record with this id is there already.
    public static let duplicateID = Code(rawValue: "duplicateID")
    /// A query names an unknown field, or compares a field with a value of another type.
    public static let invalidQuery = Code(rawValue: "invalidQuery")
    /// No backend of this name is built in.
    public static let unknownBackend = Code(rawValue: "unknownBackend")
    /// A value of the backend's configuration is out of its range.
    public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
    /// The commit failed while it was being made durable: after a crash it may be there or not.
    public static let unknownOutcome = Code(rawValue: "unknownOutcome")
    /// The engine reports something that it should not: a bug of ours, or of its library.
    public static let internalError = Code(rawValue: "internalError")
  }

  /// The code and text of the library or system call that failed.
  public struct Cause: Hashable, Sendable {
    /// `"SQLite"`, `"LMDB"`, `"errno"`.
    public var domain: String
    public var code: Int32
    public var text: String

    public init(domain: String, code: Int32, text: String) {
      self.domain = domain
      self.code = code
      self.text = text
    }
  }

  public struct Location: Hashable, Sendable {
    public var fileID: String
    public var line: Int
  }
}

extension StorageError: CustomStringConvertible {
  /// The whole message in one line: `PATH: MESSAGE (SQLite 14: unable to open database file)`.
  public var description: String {
    var text = path.map { "\($0): " } ?? ""
    text += message
    if let cause { text += " (\(cause.domain) \(cause.code): \(cause.text))" }
    return text
  }
}
