#if LMDB
import Foundation
import SaverCore
import SaverLMDB
import Testing

/// What Documentation/LMDB-Format.md says, seen by another program.
@Suite(.enabled(if: Python.isAvailable)) struct LMDBFormatTests {
  let folder = TestFolder()
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Documentation/list-lmdb.py").standardized.path

  private let sample = Sample(
    id: UUID(uuidString: "018bcfe5-6800-7000-8000-0000000000ff")!, text: "a\0b", title: nil, tags: ["x", "é"],
    kind: .link, count: -300, rank: 70_000, score: 0.5, isDone: true, data: Data([0, 255]),
    createdAt: Date(timeIntervalSince1970: 1.5))

  /// The databases with their keys and values, in hexadecimal.
  private func dump() throws -> [String] {
    try Python.run(
      """
      e = opened(readonly=True)
      with e.begin() as t:
          names = [bytes(k) for k, v in t.cursor()]
      for n in names:
          d = e.open_db(n, create=False)
          with e.begin() as t:
              for k, v in t.cursor(d): print(n.decode(), bytes(k).hex(), bytes(v).hex())
      """, folder.store
    ).split(separator: "\n").map(String.init)
  }

  @Test func theBytesAreThoseOfTheDocument() throws {
    let store = try folder.open()
    try store.write { try $0.insert(sample) }
    let lines = try dump()
    let id = "018bcfe56800700080000000000000ff"
    let hex = { (text: String) in
      text.utf8.map { String($0, radix: 16).count == 1 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }
    #expect(lines.contains("saver \(hex("format")) 31"))
    #expect(lines.contains("saver \(hex("identity")) \(store.identity.hexadecimalDigits)"))
    #expect(lines.contains { $0.hasPrefix("saver \(hex("schema:sample")) \(hex("record sample 1\nfield id uuid\n"))") })
    #expect(
      lines.contains(
        "sample \(id) 9bc410\(id)a3610062c092a178a2c3a9a46c696e6bd1fed4ce00011170cb3fe0000000000000c3c40200ffcb3ff8000000000000"
      ))
    #expect(lines.contains("sample.rank 1701117030\(id) "))
    #expect(lines.contains("sample.created_at 21bff800000000000030\(id) "))
    #expect(lines.contains("sample.kind_and_created_at 026c696e6b0021bff800000000000030\(id) "))
    #expect(lines.contains("sample.key 026100ff620030\(id) "))
    #expect(lines.contains("sample.is_done_and_title 270030\(id) "))
    #expect(lines.contains("saver \(hex("created")) 0000000000000001"))
    #expect(lines.contains("history 0000000000000001 94a6\(hex("sample"))c410\(id)00c0"))
    let entry = try #require(lines.first { $0.hasPrefix("transactions 0000000000000001 9c01c408") })
    #expect(entry.contains("\(hex("write"))c0cb") && entry.split(separator: " ")[2].hasPrefix("9c01"))
    #expect(lines.count == 4 + 1 + 8 + 2)
  }

  @Test func aCutKeyHas511Bytes() throws {
    let store = try folder.open()
    var long = sample
    long.title = String(repeating: "t", count: 494)
    try store.write { try $0.insert(long) }
    let beginning = "02" + String(repeating: "74", count: 493)
    #expect(try dump().contains("sample.title \(beginning)31018bcfe56800700080000000000000ff "))
  }

  @Test func theScriptListsAStore() throws {
    let store = try folder.open()
    let samples = [sample] + (0..<20).map { Sample(text: "text \($0)", rank: $0 % 2 == 0 ? nil : -$0 * 500) }
    try store.write { transaction in for sample in samples { try transaction.insert(sample) } }

    func list(_ arguments: String...) throws -> [[String: Any]] {
      try Python.run(Python.path!, [Self.script, folder.store] + arguments).split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
    let all = try list()
    #expect(all.map { $0["id"] as? String } == samples.map(\.id.hexadecimal).sorted())
    let first = try #require(all.first { $0["id"] as? String == sample.id.hexadecimal })
    #expect(first["text"] as? String == sample.text && first["tags"] as? [String] == sample.tags)
    #expect(first["title"] is NSNull && first["kind"] as? String == "link" && first["count"] as? Int == -300)
    #expect(first["is_done"] as? Bool == true && first["data"] as? String == "00ff")
    #expect(first["created_at"] as? Double == 1.5 && first["type"] as? String == "sample")

    let byRank = try list("sample", "--index", "rank", "--reverse")
    let expected = try store.read { try $0.fetch(Query<Sample>().sorted(by: \.rank, descending: true)) }
    #expect(byRank.map { $0["id"] as? String } == expected.map(\.id.hexadecimal))
    #expect(byRank.map { ($0["key"] as? [Any])?.first as? Int } == expected.map(\.rank))
    let byKey = try list("sample", "--index", "key")
    #expect(byKey.contains { ($0["key"] as? [String]) == ["a\0b"] })

    try store.write(WriteOperation("delete")) { _ = try $0.delete(Sample.self, id: sample.id) }
    let history = try list("--history")
    #expect(history.map { $0["sequence"] as? Int } == Array(1...22))
    #expect(history.map { $0["kind"] as? String } == Array(repeating: "insert", count: 21) + ["delete"])
    let last = try #require(history.last)
    #expect((last["old"] as? [String: Any])?["text"] as? String == sample.text)
    let entry = try #require(last["transaction"] as? [String: Any])
    #expect(entry["name"] as? String == "delete" && entry["first"] as? Int == 22 && entry["last"] as? Int == 22)
    #expect(entry["nonce"] as? String == (try store.read { try $0.token() }).description.suffix(16).description)
  }
}
#endif
