#if LMDB
import CLMDB
import Foundation
import Glibc
import SaverCore
@testable import SaverLMDB
import SaverMemory
import Testing

/// A change, as a test looks at it: the kind, and the text of the old row.
struct SeenChange: Hashable, CustomStringConvertible {
  var kind: HistoryChange.Kind
  var old: String?

  init(_ kind: HistoryChange.Kind, old: String? = nil) {
    self.kind = kind
    self.old = old
  }

  var description: String { "\(kind)\(old.map { " of \($0)" } ?? "")" }
}

extension Store {
  /// The changes after a sequence, with their old rows decoded.
  func seenChanges(after sequence: Int64 = 0) throws -> [SeenChange] {
    try read { transaction in
      var seen: [SeenChange] = []
      try transaction.engine.changes(after: sequence) { change, row in
        seen.append(SeenChange(change.kind, old: row.count == 0 ? nil : try row[1]))
        return true
      }
      return seen
    }
  }

  func head() throws -> HistoryHead {
    try read { try $0.engine.historyHead() }
  }

  func oldest() throws -> Int64 {
    try read { try $0.engine.historyOldest() }
  }

  func transactions() throws -> [HistoryTransaction] {
    try read { try $0.transactions() }
  }
}

@Suite struct LMDBHistoryTests {
  let folder = TestFolder()

  private func transactionNumber(_ store: Store) throws -> Int {
    try #require(store.engine as? LMDBEngine).environment.information.me_last_txnid
  }

  // MARK: What is logged

  @Test func aNewStoreHasNoHistory() throws {
    let store = try folder.open()
    let head = try store.head()
    #expect(try store.oldest() == 1)
    #expect(head.token == .beginning(of: store.identity) && !head.hasUnknownChanges)
    #expect(try store.transactions().isEmpty && store.seenChanges().isEmpty)
    #expect(try store.read { try $0.standing(of: head.token) } == .usable)
  }

  @Test func everyChangeIsThereWithTheRowBeforeIt() throws {
    let store = try folder.open()
    var one = Sample(text: "one", title: "title", tags: ["a", "b"], rank: 7, data: Data([0, 1]))
    let two = Sample(text: "two")
    let operation = WriteOperation("share")
    try store.write(operation) { transaction in
      try transaction.insert(one)
      try transaction.insert(two)
    }
    let before = one
    one.text = "changed"
    let other = WriteOperation("undo", undoes: operation.id)
    try store.write(other) { transaction in
      try transaction.save(one)
      try transaction.delete(Sample.self, id: two.id)
    }
    #expect(
      try store.seenChanges() == [
        SeenChange(.insert), SeenChange(.insert), SeenChange(.update, old: "one"), SeenChange(.delete, old: "two"),
      ])
    try store.read { transaction in
      var olds: [[String?]] = []
      var ids: [UUID] = []
      try transaction.engine.changes(after: 1) { change, row in
        #expect(change.type == "sample")
        ids.append(change.id)
        guard row.count > 0 else { return true }
        let (id, tags, rank, data): (UUID, [String], Int?, Data) = (try row[0], try row[3], try row[6], try row[9])
        #expect(id == change.id && row.count == Sample.schema.type.fields.count)
        olds.append([try row[1], try row[2], "\(tags)", "\(rank ?? 0)", data.base64EncodedString()])
        return true
      }
      let expected = [before, two].map {
        [$0.text, $0.title, "\($0.tags)", "\($0.rank ?? 0)", $0.data.base64EncodedString()]
      }
      #expect(ids == [two.id, one.id, two.id] && olds == expected)
    }
    let transactions = try store.transactions()
    #expect(transactions.map(\.sequences) == [1...2, 3...4])
    #expect(transactions.map(\.operation) == [operation, other])
    #expect(transactions.allSatisfy { $0.author == .current && $0.user == getuid() && $0.nonce != 0 })
    #expect(transactions.allSatisfy { abs($0.time.timeIntervalSinceNow) < 60 })
    let head = try store.head()
    #expect(head.token == HistoryToken(store: store.identity, sequence: 4, check: transactions[1].nonce))
    try store.read { transaction in
      let checks = try (0...5).map { try transaction.engine.historyCheck(at: $0) }
      let nonces = transactions.map(\.nonce)
      #expect(checks == [nil, nonces[0], nonces[0], nonces[1], nonces[1], nil])
      var backwards: [ClosedRange<Int64>] = []
      try transaction.engine.transactions(after: 1, newestFirst: true) {
        backwards.append($0.sequences)
        return true
      }
      #expect(backwards == [3...4, 1...2])
      #expect(try transaction.transactions(after: 2).map(\.sequences) == [3...4])
      #expect(try transaction.transactions(after: 4).isEmpty)
    }
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func whatChangesNothingLeavesNothing() throws {
    let store = try folder.open()
    let sample = Sample(text: "a")
    try store.write { try $0.insert(sample) }
    let (head, number) = (try store.head(), try transactionNumber(store))
    try store.write { _ in }
    try store.write { transaction in
      let isThere = try transaction.update(Sample(text: "b")) || transaction.delete(Sample.self, id: UUID())
      #expect(!isThere)
      #expect(code { try transaction.insert(sample) } == .duplicateID)
    }
    #expect(
      throws: CancellationError.self,
      performing: {
        try store.write { transaction in
          try transaction.insert(Sample(text: "b"))
          throw CancellationError()
        }
      })
    #expect(try store.head() == head && transactionNumber(store) == number)
    #expect(try store.seenChanges().count == 1)
  }

  @Test func withoutRowsOnlyTheIDsAreKept() throws {
    let store = try folder.open(history: HistoryRetention(keepsRows: false))
    var sample = Sample(text: "a text that should not linger")
    try store.write { try $0.insert(sample) }
    sample.text = "b"
    try store.write { try $0.update(sample) }
    try store.write { try $0.delete(Sample.self, id: sample.id) }
    #expect(try store.seenChanges() == [SeenChange(.insert), SeenChange(.update), SeenChange(.delete)])
    #expect(try store.head().token.sequence == 3)
  }

  /// An old row is copied before anything can move it: also one that this transaction wrote, and large ones.
  @Test func rowsOfThisVeryTransactionAreKept() throws {
    let store = try folder.open()
    let sizes = [3, 900, 1_900, 2_100, 9_000, 70_000]
    var samples = sizes.map { Sample(text: String(repeating: "x", count: $0)) }
    try store.write { transaction in
      for sample in samples { try transaction.insert(sample) }
      for round in 0..<3 {
        for index in samples.indices {
          samples[index].text = String(repeating: "\(round)", count: sizes[(index + round) % sizes.count])
          try transaction.update(samples[index])
        }
      }
      for sample in samples { try transaction.delete(Sample.self, id: sample.id) }
    }
    let olds = try store.seenChanges().compactMap(\.old)
    let expected =
      sizes.map { String(repeating: "x", count: $0) }
      + (0..<3).flatMap { round in
        sizes.indices.map { String(repeating: "\(round)", count: sizes[($0 + round) % sizes.count]) }
      }
    #expect(olds == expected)
  }

  // MARK: Cost

  @Test func aBulkInsertAppendsFullPages() throws {
    let store = try folder.open()
    let number = try transactionNumber(store)
    try store.write { transaction in for _ in 0..<20_000 { try transaction.insert(Sample(text: "a")) } }
    #expect(try transactionNumber(store) == number + 1)
    let engine = try #require(store.engine as? LMDBEngine)
    try engine.withTransaction(writing: false, until: engine.deadline) { transaction in
      var statistics = MDB_stat()
      #expect(mdb_stat(transaction.transaction, transaction.tables.history, &statistics) == 0)
      // A node's header and place 10 bytes, key 8, value 28: 86 to a page of 4,080.
      #expect(statistics.ms_entries == 20_000 && statistics.ms_leaf_pages <= 20_000 / 85 + 1)
      let (bytes, count) = (
        try transaction.historyBytes(), try transaction.entries(of: transaction.tables.transactions)
      )
      #expect(bytes == 20_000 * (8 + 28) && count == 1)
    }
  }

  // MARK: Tokens

  @Test func portionsGoOnFromToken() throws {
    let store = try folder.open()
    for turn in 0..<10 {
      try store.write { transaction in for _ in 0...turn { try transaction.insert(Sample(text: "a")) } }
    }
    var token: HistoryToken?
    var sequences: [Int64] = []
    while true {
      guard case .changes(let changes, let next) = try store.read({ try $0.history(after: token, limit: 7) }) else {
        Issue.record("a token of the history is not usable in it")
        return
      }
      sequences += changes.map(\.sequence)
      token = next
      if changes.isEmpty { break }
    }
    #expect(sequences == Array(1...55))
    #expect(try token == store.head().token)
  }

  @Test func tokensOfOtherHistoriesAreToldApart() throws {
    let store = try folder.open()
    try store.write { try $0.insert(Sample(text: "shared")) }
    let shared = try store.head().token
    let copy = TestFolder()
    try FileManager.default.copyItem(atPath: folder.store, toPath: copy.store)
    let branch = try copy.open()
    #expect(branch.identity == store.identity)
    #expect(try branch.read { try $0.standing(of: shared) } == .usable)
    try store.write { try $0.insert(Sample(text: "here")) }
    try store.write { try $0.insert(Sample(text: "here, again")) }
    try branch.write { try $0.insert(Sample(text: "there")) }
    let (here, there) = (try store.head().token, try branch.head().token)
    #expect(try branch.read { try $0.standing(of: here) } == .ahead)
    #expect(try store.read { try $0.standing(of: there) } == .otherBranch)
    try branch.write { try $0.insert(Sample(text: "there, again")) }
    #expect(try branch.read { try $0.standing(of: here) } == .otherBranch)
    #expect(try branch.read { try $0.standing(of: shared) } == .usable)
    let other = try TestFolder().open()
    #expect(try other.read { try $0.standing(of: shared) } == .otherStore)
  }

  // MARK: Retention

  /// The same transactions go as in the reference.
  @Test(arguments: [(30, 5), (0, 1), (500, 3), (64, 40)]) func itIsTrimmedAsTheReference(changesMax: Int, each: Int)
    throws
  {
    let retention = HistoryRetention(changesMax: changesMax)
    let store = try folder.open(history: retention)
    let reference = try MemoryBackend.open(
      StoreLocation(base: "", history: retention), types: [Sample.schema.type],
      configuration: MemoryBackend.Configuration())
    let long = WriteOperation("long")
    for turn in 0..<200 {
      for store in [store, reference] {
        try store.write(turn >= 120 && turn < 130 ? long : WriteOperation()) { transaction in
          for number in 0..<each { try transaction.insert(Sample(text: "\(turn) \(number)")) }
        }
      }
      if turn % 64 < 60 && turn % 64 > 3 && turn != 199 { continue }
      #expect(try store.transactions().map(\.sequences) == reference.transactions().map(\.sequences))
      #expect(try store.oldest() == reference.oldest())
      #expect(try store.seenChanges().count == reference.seenChanges().count)
    }
    #expect(try store.head().token.sequence == Int64(200 * each))
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func itIsTrimmedByBytes() throws {
    let store = try folder.open(history: HistoryRetention(bytesMax: 100_000))
    var sample = Sample(text: String(repeating: "x", count: 5_000))
    try store.write { try $0.insert(sample) }
    let first = try store.head().token
    for turn in 1..<300 {
      sample.count = turn
      try store.write { try $0.update(sample) }
    }
    let engine = try #require(store.engine as? LMDBEngine)
    try engine.withTransaction(writing: false, until: engine.deadline) { transaction in
      // At most what comes together between two looks.
      let bytes = try transaction.historyBytes()
      #expect(bytes < 100_000 + 64 * 5_200 && bytes > 50_000)
    }
    #expect(try store.read { try $0.standing(of: first) } == .tooOld)
    guard case .unusable(.tooOld) = try store.read({ try $0.history(after: first) }) else {
      Issue.record("changes that are gone are passed over")
      return
    }
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func neitherTheNewestNorTheRunningOperationGoes() throws {
    let store = try folder.open(history: HistoryRetention(changesMax: 0))
    let operation = WriteOperation("import")
    for _ in 0..<150 { try store.write(operation) { try $0.insert(Sample(text: "a")) } }
    #expect(try store.transactions().count == 150)
    for _ in 0..<150 { try store.write { try $0.insert(Sample(text: "a")) } }
    // Two looks, at the 192nd commit and the 256th.
    #expect(try store.transactions().count == 300 - 2 * HistoryRetention.trimMax(adding: 1))
    #expect(try store.head().token.sequence == 300)
  }

  // MARK: Notify file

  @Test func theNotifyFileIsTouchedOnceBehindACommit() throws {
    let store = try folder.open()
    try store.write { try $0.insert(Sample(text: "makes it")) }
    let watch = inotify_init1(Int32(O_NONBLOCK))
    defer { close(watch) }
    // IN_CLOSE_WRITE
    #expect(inotify_add_watch(watch, folder.store + "-notify", 8) >= 0)
    func events() -> Int {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      return max(read(watch, &buffer, buffer.count), 0) / MemoryLayout<inotify_event>.size
    }
    let sample = Sample(text: "a")
    for _ in 0..<3 {
      try store.write { try $0.insert(Sample(text: "b")) }
      #expect(events() == 1)
    }
    try store.write { try $0.save(sample) }
    #expect(events() == 1)
    try store.write { _ = try $0.delete(Sample.self, id: UUID()) }
    try? store.write { transaction in
      try transaction.insert(Sample(text: "c"))
      throw CancellationError()
    }
    _ = try store.read { try $0.count(Query<Sample>()) }
    #expect(events() == 0)
    try FileManager.default.removeItem(atPath: folder.store + "-notify")
    try store.write { try $0.insert(Sample(text: "d")) }
    #expect(folder.names.contains("store.lmdb-notify"))
  }

  // MARK: Inspection

  @Test func theInspectionTellsOfTheHistory() throws {
    let store = try folder.open()
    try store.write { transaction in for _ in 0..<3 { try transaction.insert(Sample(text: "a")) } }
    let inspection = try store.inspect(checkingIntegrity: true)
    #expect(inspection.formatVersion == 1 && inspection.problems == [])
    #expect(inspection.historyBytes == 3 * (8 + 28))
    #expect(inspection.files.contains { $0.path.hasSuffix("-notify") })
  }

  @Test(
    .enabled(if: Python.isAvailable),
    arguments: [
      ("t.delete(k(2), db=h)", "bytes"), ("t.delete(k(3), db=x)", "belongs to no transaction"),
      ("t.put(k(2), b'\\x94\\xa0', db=h)", "cannot be read"), ("t.put(b'zz', b'', db=h)", "without a sequence"),
      ("t.put(k(2), t.get(k(2), db=h), db=x)", "transaction that cannot be read"),
      ("t.delete(k(2), db=x)", "does not follow"),
    ])
  func damageInTheHistoryIsFound(change: String, problem: String) throws {
    let store = try folder.open()
    for _ in 0..<3 { try store.write { try $0.insert(Sample(text: "a")) } }
    try Python.run(
      """
      e = opened(); h = e.open_db(b'history'); x = e.open_db(b'transactions')
      def k(n): return n.to_bytes(8, 'big')
      with e.begin(write=True) as t: \(change)
      """, folder.store)
    let problems = try store.inspect(checkingIntegrity: true).problems
    #expect(problems.contains { $0.contains(problem) }, "\(problems)")
    // And the store goes on.
    #expect(code { try store.write { try $0.insert(Sample(text: "b")) } } == nil)
    #expect(try store.read { try $0.count(Query<Sample>()) } == 4)
  }

  /// The rows of a store whose history was spoilt can still be read, and nothing is written behind it.
  @Test(
    .enabled(if: Python.isAvailable),
    arguments: ["b''", "b'\\xc0' * 40", "v.replace(b'\\xc4\\x08', b'\\xc4\\x07')", "b'\\x9c' + b'\\x01' * 11"])
  func aSpoiltHistoryIsNoCrash(value: String) throws {
    let store = try folder.open()
    for _ in 0..<3 { try store.write { try $0.insert(Sample(text: "a")) } }
    try Python.run(
      """
      e = opened(); h = e.open_db(b'history'); x = e.open_db(b'transactions')
      with e.begin(write=True) as t:
          k, v = list(t.cursor(x))[-1]; k = bytes(k); v = bytes(v)
          t.put(b'\\x7f' + b'\\xff' * 7, v, db=h); t.put(k, \(value), db=x)
      """, folder.store)
    #expect(try store.read { try $0.fetch(Query<Sample>().sorted(by: \.createdAt)) }.count == 3)
    #expect(code { _ = try store.head() } == .corrupt)
    #expect(code { try store.write { try $0.insert(Sample(text: "b")) } } == .corrupt)
    #expect(code { _ = try store.seenChanges() } == .corrupt)
    #expect(try store.inspect(checkingIntegrity: true).problems.contains { $0.contains("cannot be read") })
  }
}
#endif
