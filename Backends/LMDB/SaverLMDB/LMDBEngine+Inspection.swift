#if LMDB
import CLMDB
import Glibc
import SaverCore

extension LMDBEngine {
  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    let file = file
    let environment = file.environment
    environment.clearStaleReaders()
    let store = StoreFile(path: environment.path)
    var inspection = StoreInspection(
      formatVersion: StoreMeta.formatVersion,
      files: StoreInspection.files(of: store, endings: ["-lock", "-writer", "-notify"]))
    // Each process that has the environment open has a lock on its lock file.
    inspection.noteUsers(of: store, lockedFiles: [store.path + "-lock"])
    // Opening the store clears them already.
    let stale = environment.staleReadersCleared
    if stale > 0 {
      inspection.warnings.append(
        stale == 1
          ? "A reader slot belonged to a process that was killed; it is free now."
          : "\(stale) reader slots belonged to processes that were killed; they are free now.")
    }
    if checkingIntegrity {
      // Without LMDB, which would follow a wrong page number wherever it leads.
      inspection.problems = try structuralProblems(environment)
      if !inspection.problems.isEmpty {
        inspection.isUnreadable = true
        return inspection
      }
    }
    try withTransaction(file, writing: false, until: deadline) { transaction in
      inspection.facts = try facts(transaction)
      inspection.rows = try transaction.tables.all.map { ($0.type.name, try transaction.entries(of: $0.rows)) }
      // A history that cannot be read is a problem, for the check to find.
      inspection.historyBytes = (try? transaction.historyBytes()).map(Int.init)
      if checkingIntegrity { inspection.problems = try IntegrityCheck(transaction: transaction).problems() }
      if (try? transaction.historyHead())?.hasUnknownChanges == true {
        inspection.warnings.append(
          "Another program has written to the store. Queries read all rows until the next write builds the indexes anew."
        )
      }
    }
    inspection.warnings += laggingReaders(environment)
    return inspection
  }

  /// Walks the pages of the newest snapshot. While others commit, it is begun again; under the writer lock in the end.
  func structuralProblems(_ environment: Environment) throws -> [String] {
    for _ in 0..<2 {
      if let problems = try walkPages(environment) { return problems }
    }
    return try environment.lock.withLock(until: deadline) {
      try walkPages(environment) ?? []
    }
  }

  /// - Returns: `nil` if another process committed meanwhile, so that what was read may have been mixed.
  private func walkPages(_ environment: Environment) throws -> [String]? {
    let pages = try PageFile(path: environment.path)
    let meta = pages.meta
    do {
      try pages.requireAllPages()
      try pages.walk()
      return []
    } catch let damage as PageFile.Damage {
      try pages.readMeta()
      return pages.meta == meta ? ["The store is damaged: \(damage.reason)."] : nil
    }
  }

  private func facts(_ transaction: LMDBTransaction) throws -> [(name: String, value: String)] {
    let environment = transaction.environment
    let information = environment.information
    var main = MDB_stat()
    mdb_env_stat(environment.pointer, &main)
    let facts: [(name: String, value: String)] = [
      ("map size", "\(information.me_mapsize)"),
      ("page size", "\(main.ms_psize)"),
      ("pages", "\(information.me_last_pgno + 1)"),
      ("free pages", "\(try freePages(transaction))"),
      ("last transaction", "\(mdb_txn_id(transaction.transaction))"),
      ("reader slots", "\(Environment.readersMax)"),
      ("reader slots used so far", "\(information.me_numreaders)"),
      ("open readers", Self.words(environment.readers())),
    ]
    return facts
  }

  private static func words(_ readers: [(process: Int32, transaction: Int)]) -> String {
    let processes = readers.map { $0.process == getpid() ? "this process" : "process \($0.process)" }
    return readers.isEmpty ? "0" : "\(readers.count) (\(processes.joined(separator: ", ")))"
  }

  /// The pages that the next writers can use: each entry of the free list is a list of them, its length first.
  private func freePages(_ transaction: LMDBTransaction) throws -> Int {
    var pages = 0
    var entries = try IntegrityCheck(transaction: transaction).cursor(Self.freeList)
    while try entries.next() {
      guard entries.value.mv_size >= MemoryLayout<Int>.size, let list = entries.value.mv_data else { continue }
      pages += list.loadUnaligned(as: Int.self)
    }
    return pages
  }

  /// `FREE_DBI` of LMDB's source: the database in which it keeps its free pages.
  private static let freeList: MDB_dbi = 0

  /// Readers that keep pages from being used again.
  private func laggingReaders(_ environment: Environment) -> [String] {
    let last = environment.information.me_last_txnid
    return environment.readers().filter { $0.transaction < last }.map { reader in
      "Process \(reader.process) reads a snapshot that is \(last - reader.transaction) commits old; the store grows"
        + " as long as it does."
    }
  }
}
#endif
