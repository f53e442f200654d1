#if LMDB
import CLMDB
import SaverCore

extension LMDBEngine {
  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    let file = file
    let environment = file.environment
    let stale = environment.clearStaleReaders()
    var inspection = StoreInspection(formatVersion: StoreMeta.formatVersion, files: files(environment))
    if stale > 0 {
      inspection.warnings.append(
        "\(stale) reader slots belonged to processes that were killed; they are free now.")
    }
    if checkingIntegrity {
      // Without LMDB, which would follow a wrong page number wherever it leads.
      inspection.problems = try structuralProblems(environment)
      if !inspection.problems.isEmpty { return inspection }
    }
    try withTransaction(file, writing: false, until: deadline) { transaction in
      inspection.facts = try facts(transaction)
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
  private func structuralProblems(_ environment: Environment) throws -> [String] {
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

  /// The files beside the store that belong to it, as far as they are there.
  private func files(_ environment: Environment) -> [StoreInspection.File] {
    ["", "-lock", "-writer", "-notify"].compactMap { ending in
      guard case .file(let size, _) = FileStatus(path: environment.path + ending) else { return nil }
      return StoreInspection.File(path: environment.path + ending, size: Int(size))
    }
  }

  private func facts(_ transaction: LMDBTransaction) throws -> [(name: String, value: String)] {
    let environment = transaction.environment
    let information = environment.information
    var main = MDB_stat()
    mdb_env_stat(environment.pointer, &main)
    var facts: [(name: String, value: String)] = [
      ("library", LMDBBackend.library),
      ("map size", "\(information.me_mapsize)"),
      ("page size", "\(main.ms_psize)"),
      ("pages", "\(information.me_last_pgno + 1)"),
      ("last transaction", "\(mdb_txn_id(transaction.transaction))"),
      ("reader slots", "\(Environment.readersMax)"),
      ("reader slots used so far", "\(information.me_numreaders)"),
      ("open readers", "\(environment.readers().count)"),
    ]
    // One that cannot be read is a problem, for the check to find.
    if let head = try? transaction.historyHead() {
      facts += [
        ("history token", head.token.description),
        ("history changes", "\(try transaction.entries(of: transaction.tables.history))"),
        ("history transactions", "\(try transaction.entries(of: transaction.tables.transactions))"),
        ("history bytes", "\(try transaction.historyBytes())"),
      ]
    }
    for table in transaction.tables.all {
      facts.append(("rows of \(table.type.name)", "\(try transaction.entries(of: table.rows))"))
    }
    return facts
  }

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
