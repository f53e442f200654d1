#if LMDB
import Foundation
import Glibc
import SaverCore
@testable import SaverLMDB
import Testing

private struct Remark: Record, Hashable {
  var id: UUID
  var text: String
  static let schema = Schema(
    "remark", version: 1, Field("id", \Self.id), Field("text", \.text, indexed: true), make: Remark.init(id:text:))
}

/// Another program, which knows nothing of indexes and of the history, writes rows.
@Suite(.enabled(if: Python.isAvailable)) struct LMDBForeignWriterTests {
  let folder = TestFolder()

  /// Puts the first row under another id, deletes the second: neither is in the indexes as it should be.
  private func writeForeign(_ type: String = "sample", id: String = "ff") throws {
    try Python.run(
      """
      e = opened(); d = e.open_db(b'\(type)')
      with e.begin(write=True) as t:
          keys = [bytes(k) for k, v in t.cursor(d)]
          row = bytes(t.get(keys[0], db=d)); id = bytes.fromhex('\(id)' * 16)
          t.put(id, row[:3] + id + row[19:], db=d)
          if len(keys) > 1: t.delete(keys[1], db=d)
      """, folder.store)
  }

  private func fill(_ store: Store, _ count: Int = 4) throws {
    try store.write { transaction in
      for number in 0..<count { try transaction.insert(Sample(text: "\(number)", rank: number)) }
    }
  }

  private static let byRank = Query<Sample>().sorted(by: \.rank)

  private func ranks(_ store: Store) throws -> [Int?] {
    try store.read { try $0.fetch(Self.byRank).map(\.rank) }
  }

  private func index(_ store: Store) throws -> String? {
    try store.read { try $0.explain(Self.byRank).index }
  }

  @Test func listsAreRightBeforeAndAfterOurNextWrite() throws {
    let store = try folder.open()
    try fill(store)
    let before = try store.head()
    #expect(try index(store) == "rank")
    try writeForeign()

    let meanwhile = try store.head()
    #expect(meanwhile.hasUnknownChanges && meanwhile.token == before.token && meanwhile.revision != before.revision)
    #expect(try ranks(store) == [0, 0, 2, 3] && index(store) == nil)
    #expect(try store.read { try $0.count(Query<Sample> { $0.rank == 0 }) } == 2)
    #expect(try store.read { try $0.fetch(Query<Sample> { $0.rank == 1 }).isEmpty })
    // What a write sees before it writes is right as well.
    try store.write { transaction in
      #expect(try transaction.fetch(Self.byRank).map(\.rank) == [0, 0, 2, 3])
      try transaction.insert(Sample(text: "ours", rank: 1))
      #expect(try transaction.fetch(Self.byRank).map(\.rank) == [0, 0, 1, 2, 3])
    }
    #expect(try ranks(store) == [0, 0, 1, 2, 3] && index(store) == "rank")
    #expect(try store.inspect(checkingIntegrity: true).problems == [])

    let after = try store.head()
    #expect(!after.hasUnknownChanges && after.token.sequence == before.token.sequence + 2)
    guard case .changes(let changes, _) = try store.read({ try $0.history(after: before.token) }) else {
      Issue.record("the token is not usable")
      return
    }
    #expect(changes.map(\.kind) == [.unknown, .insert])
    #expect(changes[0].type.isEmpty && changes[0].id == HistoryFormat.noID)
    let entries = try store.read { try $0.transactions(after: before.token.sequence) }
    #expect(entries.map(\.author) == [.foreign, .current] && entries.map(\.operation?.name) == [nil, "write"])
    #expect(entries[0].nonce == 0 && entries[0].user == nil)
  }

  @Test func whatComesBeforeTheFirstWriteOfOursIsFoundToo() throws {
    let store = try folder.open()
    let full = TestFolder()
    let other = try full.open()
    try fill(other)
    // The rows of another store, all in one foreign transaction.
    try Python.run(
      """
      f = lmdb.open(sys.argv[2], subdir=False, max_dbs=64, readonly=True); s = f.open_db(b'sample', create=False)
      e = opened(); d = e.open_db(b'sample')
      with e.begin(write=True) as t, f.begin() as u:
          for k, v in u.cursor(s): t.put(k, v, db=d)
      """, folder.store, full.store)
    #expect(try store.head().hasUnknownChanges && store.head().token.sequence == 0)
    #expect(try ranks(store) == [0, 1, 2, 3])
    try store.write { try $0.insert(Sample(text: "ours", rank: 4)) }
    #expect(try store.seenChanges() == [SeenChange(.unknown), SeenChange(.insert)])
    #expect(try ranks(store) == [0, 1, 2, 3, 4] && index(store) == "rank")
  }

  /// Whoever slept over a foreign commit and our next one is told, although the newest entry agrees again.
  @Test func aForeignCommitBetweenTwoOfOursIsNotPassedOver() throws {
    let store = try folder.open()
    try fill(store)
    var token = try store.head().token
    for turn in 0..<4 {
      for byte in 0...turn { try writeForeign(id: String(0xf0 + byte, radix: 16)) }
      try store.write { try $0.insert(Sample(text: "ours", rank: 9)) }
      guard case .changes(let changes, let next) = try store.read({ try $0.history(after: token) }) else {
        Issue.record("the token is not usable")
        return
      }
      #expect(changes.map(\.kind) == [.unknown, .insert])
      token = next
    }
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  /// A write that changes nothing leaves the foreign changes as they are, or closes them; it does not hide them.
  @Test func aWriteThatChangesNothingHidesNothing() throws {
    let store = try folder.open()
    try fill(store)
    let token = try store.head().token
    try writeForeign()
    try store.write { _ in }
    #expect(try store.write { try $0.fetch(Self.byRank).map(\.rank) } == [0, 0, 2, 3])
    #expect(try store.head().hasUnknownChanges && store.head().token == token)
    #expect(try !store.write { try $0.delete(Sample.self, id: UUID()) })
    #expect(try store.head().hasUnknownChanges == false)
    #expect(try store.read { try $0.transactions(after: token.sequence).map(\.author) } == [.foreign])
    #expect(try ranks(store) == [0, 0, 2, 3] && index(store) == "rank")
    // One that is taken back takes its repair back.
    try writeForeign(id: "ee")
    #expect(
      throws: CancellationError.self,
      performing: {
        try store.write { transaction in
          try transaction.insert(Sample(text: "gone"))
          throw CancellationError()
        }
      })
    #expect(try store.head().hasUnknownChanges)
    #expect(try ranks(store).count == 4)
  }

  /// Who repairs builds the indexes of the types that it knows, and leaves word about the others.
  @Test func indexesOfTypesThatTheRepairerDoesNotKnowAreNotUsed() throws {
    let byText = Query<Remark>().sorted(by: \.text)
    do {
      let both = try folder.open([Sample.schema.type, Remark.schema.type])
      try fill(both)
      try both.write { transaction in
        for text in ["a", "b", "c"] { try transaction.insert(Remark(id: .version7(), text: text)) }
      }
    }
    let samples = try folder.open()
    try writeForeign("remark")
    try samples.write { try $0.insert(Sample(text: "ours")) }
    #expect(try !samples.head().hasUnknownChanges)

    let both = try folder.open([Sample.schema.type, Remark.schema.type])
    #expect(try both.read { try $0.fetch(byText).map(\.text) } == ["a", "a", "c"])
    #expect(try both.read { try $0.explain(byText).index } == nil)
    #expect(try index(both) == "rank")
    try both.write { transaction in
      #expect(try transaction.fetch(byText).map(\.text) == ["a", "a", "c"])
      try transaction.insert(Sample(text: "ours"))
    }
    #expect(try both.read { try $0.fetch(byText).map(\.text) } == ["a", "a", "c"])
    #expect(try both.read { try $0.explain(byText).index } == "text")
    #expect(try both.inspect(checkingIntegrity: true).problems == [])
  }

  // MARK: Copies

  /// A compacted copy begins to count LMDB's transactions anew: at less than its history says.
  @Test func aCompactedCopyIsNotTakenForCurrentByAccident() throws {
    let copy = TestFolder()
    do {
      let store = try folder.open()
      for _ in 0..<6 { try fill(store, 1) }
    }
    try Python.run("e = opened(readonly=True); e.copy(sys.argv[2], compact=True)", folder.store, copy.store)
    let store = try copy.open()
    let head = try store.head()
    #expect(head.token.sequence == 6 && head.hasUnknownChanges)
    #expect(try ranks(store).count == 6)
    // Until its number is the recorded one again.
    for turn in 0..<8 {
      try fill(store, 1)
      #expect(try store.head().hasUnknownChanges == false)
      #expect(try ranks(store).count == 7 + turn)
    }
    #expect(try store.transactions().filter { $0.author == .foreign }.count == 1)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  /// Two copies in which the same foreign change was closed at the same place.
  @Test func foreignEntriesOfTwoBranchesAreToldApart() throws {
    do {
      let store = try folder.open()
      try fill(store)
    }
    try writeForeign()
    let copy = TestFolder()
    try FileManager.default.copyItem(atPath: folder.store, toPath: copy.store)
    let (one, other) = (try folder.open(), try copy.open())
    for store in [one, other] { try store.write { _ = try $0.delete(Sample.self, id: UUID()) } }
    let (first, second) = (try one.head().token, try other.head().token)
    #expect(first.sequence == second.sequence && first.store == second.store && first != second)
    #expect(try one.read { try $0.standing(of: second) } == .otherBranch)
  }

  // MARK: Migrations

  @Test func aTypeThatIsAddedAndAForeignChangeLeaveTheirEntries() throws {
    do {
      let store = try folder.open()
      try fill(store)
    }
    try writeForeign()
    let store = try folder.open([Sample.schema.type, Remark.schema.type])
    #expect(try store.seenChanges(after: 4) == [SeenChange(.unknown), SeenChange(.unknown)])
    #expect(try store.transactions().map(\.author) == [.current, .foreign, .current])
    #expect(try store.transactions()[2].operation == nil)
    #expect(try store.head().hasUnknownChanges == false)
    #expect(try ranks(store) == [0, 0, 2, 3] && index(store) == "rank")
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func rowsOfAnEarlierSchemaAreNotShown() throws {
    do {
      let store = try folder.open([Old.schema.type])
      let old = Old(id: .version7(), text: "before")
      try store.write { try $0.insert(old) }
      try store.write { _ = try $0.delete(Old.self, id: old.id) }
      try store.write { try $0.insert(Old(id: .version7(), text: "stays")) }
    }
    let store = try folder.open([New.schema.type])
    let new = try #require(try store.read { try $0.first(Query<New>()) })
    #expect(new.text == "stays")
    try store.write { _ = try $0.delete(New.self, id: new.id) }
    #expect(
      try store.seenChanges() == [
        SeenChange(.insert), SeenChange(.delete), SeenChange(.insert), SeenChange(.unknown),
        SeenChange(.delete, old: "stays"),
      ])
    // Who does not know the type sees the ids.
    let stranger = try folder.open([Remark.schema.type])
    #expect(try stranger.seenChanges(after: 4) == [SeenChange(.delete), SeenChange(.unknown)])
  }
}

private struct Old: Record {
  var id: UUID
  var text: String
  static let schema = Schema(
    "thing", version: 1, Field("id", \Self.id), Field("text", \.text), make: Old.init(id:text:))
}

private struct New: Record {
  var id: UUID
  var text: String
  var rank: Int
  static let schema = Schema(
    "thing", version: 2, Field("id", \Self.id), Field("text", \.text), Field("rank", \.rank, default: 1, indexed: true),
    make: New.init(id:text:rank:))
}
#endif
