#if SQLite
import Foundation
import SaverCore
import SaverSQLite
import Testing

/// Old rows come out of the history as they went in, to the last bit.
@Suite struct SQLiteHistoryRowTests {
  let folder = TestFolder()

  /// The old rows of a store's history, each column as its kind and its bytes.
  private func oldRows(_ store: Store) throws -> [[String]] {
    try store.read { transaction in
      var rows: [[String]] = []
      try transaction.engine.changes(after: 0) { change, row in
        if row.count > 0 { rows.append((0..<row.count).map { Self.description(of: row[slot: $0]) }) }
        return true
      }
      return rows
    }
  }

  private func presentRows(_ store: Store) throws -> [[String]] {
    try store.read { transaction in
      var rows: [[String]] = []
      try transaction.engine.scan(try Selection(Sample.schema.type, filter: .constant(true))) { row in
        rows.append((0..<row.count).map { Self.description(of: row[slot: $0]) })
        return true
      }
      return rows
    }
  }

  private static func description(of slot: Slot) -> String {
    switch slot.kind {
    case .null: "null"
    case .integer: "integer \(slot.integer)"
    case .real: "real \(slot.bits)"
    default: "\(slot.kind) " + slot.bytes.map { String($0, radix: 16) }.joined(separator: " ")
    }
  }

  private static let sample = Sample(
    text: "a\0b – é", title: "", tags: ["x", "a\"\\\n,\u{1}", ""], kind: .link, count: .min, rank: 7,
    score: 0.1 + 0.2, isDone: true, data: Data([0, 1, 255, 0]), createdAt: Date(timeIntervalSince1970: 1e-300))

  @Test func ourOwnRecordComesBackFromTheHistory() throws {
    let store = try folder.open()
    let sample = Self.sample
    try store.write { try $0.insert(sample) }
    try store.write { try $0.update(Sample(id: sample.id, text: "new")) }
    try store.write { try $0.delete(Sample.self, id: sample.id) }
    var old: [Sample] = []
    try store.read { transaction in
      try transaction.engine.changes(after: 0) { _, row in
        if row.count > 0 {
          let kind = Sample.Kind(rawValue: try row[4])
          old.append(
            Sample(
              id: try row[0], text: try row[1], title: try row[2], tags: try row[3], kind: try #require(kind),
              count: try row[5], rank: try row[6], score: try row[7], isDone: try row[8], data: try row[9],
              createdAt: try row[10]))
        }
        return true
      }
    }
    #expect(old == [sample, Sample(id: sample.id, text: "new")])
  }

  @Test(arguments: [
    "UPDATE sample SET text = 'gone'", "DELETE FROM sample",
    "REPLACE INTO sample(id, text) SELECT id, 'gone' FROM sample",
  ])
  func whatAShellOverwritesIsKeptToTheLastBit(statement: String) throws {
    let store = try folder.open()
    try folder.shell(
      """
      INSERT INTO sample(text, title, tags, score, data, created_at, count) VALUES
        (CAST(x'610062' AS TEXT), CAST(x'ff41fe' AS TEXT), '["x"]', 0.1 + 0.2, x'00ff00', 1.7976931348623157e308, -1),
        ('', NULL, 'no list', -9e999, x'', 4.9e-324, 9223372036854775807),
        (CAST(zeroblob(100000) AS TEXT), NULL, '[]', 1e22, zeroblob(70000), 12345678.901234567, 0)
      """)
    let rows = try presentRows(store)
    try #require(rows.count == 3)
    try folder.shell(statement)
    #expect(Set(try oldRows(store)) == Set(rows))
  }

  @Test func rowsOfUnknownTypesAreNotShown() throws {
    let both = try folder.open([Line.schema.type, Sample.schema.type])
    try both.write { transaction in
      try transaction.insert(Line(1, "one"))
      try transaction.insert(Sample(id: Line.id(2), text: "two"))
    }
    try both.write { transaction in
      try transaction.delete(Query<Line>())
      try transaction.delete(Query<Sample>())
    }
    #expect(try both.logged(after: 2) == ["delete 01 one", "delete 02 two"])
    let narrow = try folder.open([Line.schema.type])
    #expect(try narrow.logged(after: 2) == ["delete 01 one", "delete 02"])
    guard case .changes(let changes, _) = try narrow.read({ try $0.history(after: nil) }) else {
      Issue.record("the history is refused")
      return
    }
    #expect(changes.map(\.type) == ["line", "sample", "line", "sample"])
  }

  @Test func aWiderTypeWidensTheHistoryAndKeepsItsChecks() throws {
    let store = try folder.open([Line.schema.type])
    try store.write { try $0.insert(Line(1, "one")) }
    try folder.shell("UPDATE line SET text = 'changed'")
    let token = try store.token()
    let wide = try folder.open([Sample.schema.type])
    try wide.write { try $0.insert(Sample(id: Line.id(2), text: "two", title: "title")) }
    try wide.write { try $0.delete(Query<Sample>()) }
    #expect(try wide.standing(of: token) == .usable)
    #expect(try store.standing(of: token) == .usable)
    #expect(try store.logged() == ["insert 01", "update 01 one", "insert 02", "delete 02"])
  }
}
#endif
