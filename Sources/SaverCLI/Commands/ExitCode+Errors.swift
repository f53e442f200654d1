import SaverCore
import SaverKit

extension ExitCode {
  /// The exit code that an error stands for.
  init(for error: any Error) {
    self =
      switch error {
      case is UsageError: .usage
      case is ConfigurationError: .configuration
      case let error as OutputError: error.exitCode
      case let error as CommandFailure: error.exitCode
      case is ItemReferenceError: .failure
      case ShareError.emptyText: .usage
      case is ShareError: .failure
      case let error as StorageError: Self.code(error.code)
      default: .inputOutput
      }
  }

  private static func code(_ code: StorageError.Code) -> ExitCode {
    switch code {
    case .noSuchStore: .noInput
    case .cannotCreate, .fileExists: .cannotCreate
    case .notEmpty: .failure
    case .permission: .noPermission
    case .inputOutput, .full, .unknownOutcome: .inputOutput
    case .busy: .busy
    case .damagedRow, .invalidRecord: .badData
    case .invalidConfiguration, .unknownBackend: .configuration
    case .invalidQuery: .usage
    // Foreign, corrupt, of another format or schema, on a file system that cannot carry it.
    default: .unavailable
    }
  }
}

/// What is said of an error: one message, with the word that JSON has for its kind.
struct ErrorMessage {
  let code: String
  let text: String

  init(_ error: any Error, tool: String) {
    switch error {
    case let error as UsageError: (code, text) = ("usage", error.text(tool: tool))
    case let error as ConfigurationError: (code, text) = ("configuration", error.description)
    case let error as OutputError: (code, text) = ("output", error.message ?? "")
    case let error as CommandFailure: (code, text) = (error.code, error.message)
    case let error as ItemReferenceError:
      switch error {
      case .notFound, .vanished: code = "notFound"
      case .ambiguous: code = "ambiguous"
      }
      text = error.description
    case ShareError.emptyText: (code, text) = ("usage", "the text is empty")
    case ShareError.duplicate(let item):
      (code, text) = ("duplicate", "\(item.id.shortText) is this link already; nothing was saved")
    case let error as StorageError: (code, text) = (error.code.rawValue, error.description)
    default: (code, text) = ("failed", "\(error)")
    }
  }

  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("error") { json in
        json.object { json in
          json.member("code", code)
          json.member("message", text)
        }
      }
    }
    json.endLine()
    return json.takeBytes()
  }
}
