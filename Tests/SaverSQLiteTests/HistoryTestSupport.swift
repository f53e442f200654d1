#if SQLite
import Foundation
import SaverCore
import Testing

/// A record of a text and nothing else.
struct Line: Record, Hashable {
  var id: UUID
  var text: String

  static let schema = Schema("line", version: 1, Field("id", \Self.id), Field("text", \.text), make: Line.init)

  init(id: UUID = .version7(), text: String) {
    self.id = id
    self.text = text
  }

  /// One whose id is this byte 16 times: short to write, in a test and in SQL.
  init(_ byte: UInt8, _ text: String) {
    self.init(id: Line.id(byte), text: text)
  }

  static func id(_ byte: UInt8) -> UUID {
    let bytes = (byte, byte, byte, byte, byte, byte, byte, byte)
    return UUID(
      uuid: (
        bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7,
        bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7
      ))
  }

  /// The id as an SQL literal.
  static func sql(_ byte: UInt8) -> String {
    "x'" + id(byte).hexadecimalDigits + "'"
  }
}

extension Store {
  /// The changes after a sequence, each as `update 01 old text`; without the text if the history does not have it.
  func logged(after sequence: Int64 = 0) throws -> [String] {
    try read { transaction in
      var lines: [String] = []
      try transaction.engine.changes(after: sequence) { change, row in
        var line = "\(change.kind) \(change.id.hexadecimalDigits.suffix(2))"
        if row.count > 1, case .text = row[slot: 1].kind {
          line += " " + String(decoding: row[slot: 1].bytes, as: UTF8.self)
          let id: UUID = try row[0]
          #expect(id == change.id)
        }
        lines.append(line)
        return true
      }
      return lines
    }
  }

  func lines() throws -> [String] {
    try read { try $0.fetch(Query<Line>().sorted(by: \.id)).map { "\($0.id.hexadecimalDigits.suffix(2)) \($0.text)" } }
  }

  func head() throws -> HistoryHead { try read { try $0.engine.historyHead() } }
  func token() throws -> HistoryToken { try read { try $0.token() } }
  func standing(of token: HistoryToken) throws -> HistoryToken.Standing { try read { try $0.standing(of: token) } }
  func transactions() throws -> [HistoryTransaction] { try read { try $0.transactions() } }
}

extension EngineWatcher {
  func head() throws -> HistoryHead {
    var head: HistoryHead?
    try read { head = try $0.historyHead() }
    return try #require(head)
  }
}
#endif
