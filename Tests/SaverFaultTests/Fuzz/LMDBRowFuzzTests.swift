#if LMDB
import CLMDB
import Foundation
import SaverCore
import SaverKit
import SaverLMDB
import Testing

extension FaultTests {
  /// Keys and values that another program has put into the databases of an LMDB store.
  @Suite struct LMDBRowFuzzTests {
    @Test func rows() throws {
      let folder = try FaultFolder()
      let seed = Trials.seed()
      try Trials.run("foreign rows, LMDB", cases: 40, atLeast: 300, weight: 2) { number, random in
        folder.empty()
        let comment = "seed \(seed), case \(number)"
        do {
          let store = try open(folder)
          try store.write { transaction in
            for row in 0..<8 {
              let text = row % 2 == 0 ? "https://example.org/\(row)" : "a text of some length"
              try transaction.insert(
                SavedItem(id: UUID.version7(), text: text, tags: ["a", "é"], createdAt: .now, updatedAt: .now))
            }
          }
        }
        try Self.spoil(folder.file("lmdb"), &random)
        do {
          ForeignRowExercise.run(try open(folder), comment)
        } catch let error as StorageError {
          #expect(error.code != .internalError && error.path == folder.file("lmdb"), "\(comment): \(error)")
        }
        if number % 8 == 0 { try ForeignRowExercise.runCommands("lmdb", folder.base, comment) }
      }
    }

    private func open(_ folder: FaultFolder) throws -> Store {
      try LMDBBackend.open(
        StoreLocation(base: folder.base), types: [SavedItem.schema.type],
        configuration: LMDBBackend.defaultConfiguration)
    }

    /// The names of the databases that are in the file, but for the one in which our schema is, most of the time.
    private static func spoil(_ path: String, _ random: inout some RandomNumberGenerator) throws {
      var opened: OpaquePointer?
      try #require(mdb_env_create(&opened) == 0)
      let environment = try #require(opened)
      defer { mdb_env_close(environment) }
      mdb_env_set_maxdbs(environment, 128)
      mdb_env_set_mapsize(environment, 64 << 20)
      try #require(mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR), 0o600) == 0)
      var transaction: OpaquePointer?
      try #require(mdb_txn_begin(environment, nil, 0, &transaction) == 0)
      var root: MDB_dbi = 0
      try #require(mdb_dbi_open(transaction, nil, 0, &root) == 0)
      let names = try entries(transaction, root).map { String(decoding: $0.key, as: UTF8.self) }.filter {
        $0 != "saver" || random.chance(oneIn: 6)
      }
      for _ in 0..<random.pick([1, 3, 30]) {
        let name = random.chance(oneIn: 2) ? "item" : random.pick(names)
        var database: MDB_dbi = 0
        try #require(mdb_dbi_open(transaction, name, 0, &database) == 0)
        let there = try entries(transaction, database)
        var (key, value) = (random.bytes(random.pick([1, 2, 15, 16, 17, 40, 511])), random.bytes(random.below(60)))
        if let entry = there.randomElement(using: &random) {
          switch random.below(4) {
          case 0: (key, value) = (entry.key, Mutation.bytes(entry.value, &random))
          case 1: (key, value) = (Mutation.bytes(entry.key, &random), entry.value)
          case 2: value = entry.value
          default:
            try delete(entry.key, transaction, database)
            continue
          }
        }
        if key.isEmpty || key.count > 511 { continue }
        try put(key, value, transaction, database)
      }
      try #require(mdb_txn_commit(transaction) == 0)
    }

    private static func entries(
      _ transaction: OpaquePointer?, _ database: MDB_dbi
    ) throws -> [(key: [UInt8], value: [UInt8])] {
      var opened: OpaquePointer?
      try #require(mdb_cursor_open(transaction, database, &opened) == 0)
      defer { mdb_cursor_close(opened) }
      var (key, value) = (MDB_val(), MDB_val())
      var entries: [(key: [UInt8], value: [UInt8])] = []
      while mdb_cursor_get(opened, &key, &value, MDB_NEXT) == 0 {
        entries.append(
          (
            Array(UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)),
            Array(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
          ))
      }
      return entries
    }

    private static func put(
      _ key: [UInt8], _ value: [UInt8], _ transaction: OpaquePointer?, _ database: MDB_dbi
    ) throws {
      var (key, value) = (key, value)
      try key.withUnsafeMutableBytes { key in
        try value.withUnsafeMutableBytes { value in
          var name = MDB_val(mv_size: key.count, mv_data: key.baseAddress)
          var content = MDB_val(mv_size: value.count, mv_data: value.baseAddress)
          try #require(mdb_put(transaction, database, &name, &content, 0) == 0)
        }
      }
    }

    private static func delete(_ key: [UInt8], _ transaction: OpaquePointer?, _ database: MDB_dbi) throws {
      var key = key
      try key.withUnsafeMutableBytes { key in
        var name = MDB_val(mv_size: key.count, mv_data: key.baseAddress)
        try #require(mdb_del(transaction, database, &name, nil) == 0)
      }
    }
  }
}
#endif
