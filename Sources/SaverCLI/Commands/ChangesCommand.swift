import FoundationEssentials
import SaverCore
import SaverKit

enum ChangesCommand: ToolCommand {
  static let name = "changes"

  static let since = Option("since", .token(), help: "Begins behind this token.")
  static let limit = Option("limit", short: "n", .wholeNumber("COUNT", in: 0...), help: "Prints at most COUNT changes.")
  static let format = Option("format", short: "f", .choice(ChangesFormat.self, "FORMAT"), help: "How it is printed.")

  enum ChangesFormat: String, CaseIterable {
    case plain, jsonl
  }

  static let command = Command(
    name, abstract: "Prints the history of the store: which items were changed, when, and by whom.",
    discussion: """
      In the order in which the changes were made. The last line is the token to go on from, with --since or with \
      'saver watch --since'. What another program wrote has no author, and no time until one of ours writes again.

      If a token is not good here (the history was trimmed beyond it, the store is another one, or was put back), all \
      that the history has is printed, and said so: on standard error, and in jsonl by a first line, {"reset":"…"}.
      """,
    parameters: [since, limit, format])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    guard let store = try context.existingStore() else { return .success }
    let (page, standing) = try store.read { transaction in
      let since = arguments[since]
      let standing = try since.map { try transaction.standing(of: $0) } ?? .usable
      return (try HistoryPage(transaction, standing == .usable ? since : nil, arguments[limit]), standing)
    }
    let isJSON = arguments[format] == .jsonl
    if standing != .usable {
      try context.diagnose("the token \(standing.words); this is all that the history has")
      if isJSON {
        var json = JSONWriter()
        json.object { $0.member("reset", standing.rawValue) }
        json.endLine()
        try context.output.write(json.takeBytes())
      }
    }
    for (change, transaction) in page.entries {
      if isJSON {
        try context.output.write(Self.json(change, transaction))
      } else {
        try context.output.writeLine(Self.line(change, transaction, context.style))
      }
    }
    if isJSON {
      var json = JSONWriter()
      json.object { $0.member("token", page.token.description) }
      json.endLine()
      try context.output.write(json.takeBytes())
    } else {
      try context.output.writeLine(page.token.description)
    }
    return .success
  }

  private static func json(_ change: HistoryChange, _ transaction: HistoryTransaction?) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("sequence", change.sequence)
      json.member("kind", change.kind.rawValue)
      json.member("id", change.kind == .unknown ? nil : change.id.hexadecimalText)
      json.member("time", transaction.map { DateText.rfc3339($0.time) })
      json.member("author", transaction.map { $0.author.text })
    }
    json.endLine()
    return json.takeBytes()
  }

  /// Sequence, kind, id, time, and who, in columns as far as lines that come one by one can have them.
  private static func line(
    _ change: HistoryChange, _ transaction: HistoryTransaction?, _ style: TerminalStyle
  ) -> String {
    let kind = change.kind.rawValue.padding(toLength: 7)
    let id = change.kind == .unknown ? "-" : change.id.hexadecimalText
    let time = transaction.map { DateText.localWithSeconds($0.time) } ?? "-"
    let who =
      transaction.map { transaction in
        guard let operation = transaction.operation, let user = transaction.user else { return "another program" }
        return "\(operation.name) by user \(user)"
      } ?? "another program"
    return "\(change.sequence)".padding(toLength: 7) + " \(kind) \(style.apply(.id, to: id)) "
      + "\(style.apply(.date, to: time)) \(who)"
  }
}

/// A part of the history, each change with the transaction that it belongs to.
private struct HistoryPage {
  /// No transaction: another program's change that has no entry yet.
  var entries: [(HistoryChange, HistoryTransaction?)] = []
  let token: HistoryToken

  /// - Parameter since: a usable token; `nil` is the beginning.
  init(_ transaction: borrowing ReadTransaction, _ since: HistoryToken?, _ limit: Int?) throws {
    guard case .changes(let changes, let token) = try transaction.history(after: since, limit: limit) else {
      preconditionFailure("a token that is usable is so for the whole of a snapshot")
    }
    self.token = token
    var transactions = try transaction.transactions(after: since?.sequence ?? 0)[...]
    for change in changes {
      while let first = transactions.first, first.sequences.upperBound < change.sequence {
        transactions.removeFirst()
      }
      let owner = transactions.first.flatMap { $0.sequences.contains(change.sequence) ? $0 : nil }
      entries.append((change, owner))
    }
  }
}

extension HistoryTransaction.Author {
  /// The process's number, or the word for all other programs.
  fileprivate var text: String {
    switch self {
    case .process(let id): id.hexadecimalText
    case .foreign: "foreign"
    }
  }
}

extension String {
  fileprivate func padding(toLength length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - utf8.count))
  }
}
