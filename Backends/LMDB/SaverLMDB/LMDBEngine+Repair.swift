#if LMDB
import CLMDB
import SaverCore

extension LMDBEngine {
  /// Rows are as they are; of a damaged structure, everything is.
  func repair() throws -> [String] {
    let deadline = deadline
    guard try structuralProblems(environment).isEmpty else { return [] }
    let file = try lockFile(until: deadline)
    var mended: [String] = []
    var isCommitted = false
    do {
      defer { file.environment.lock.release() }
      mended += try StoreFile(path: file.environment.path).clearTemporaries()
      file.environment.clearStaleReaders()
      try withTransaction(file, writing: true, until: deadline) { transaction in
        let sentences = try transaction.mend()
        if sentences.isEmpty { return }
        try transaction.commit()
        isCommitted = true
        mended += sentences
      }
    }
    if isCommitted { NotifyFile.touch(file.notifyPath) }
    return mended
  }
}

extension LMDBTransaction {
  /// Begins a history that contradicts itself anew, and builds the indexes anew that do not tell of all rows; what was
  /// done, in sentences.
  fileprivate func mend() throws -> [String] {
    let check = IntegrityCheck(transaction: self)
    var torn: [String] = []
    try check.checkHistory(&torn)
    // A history that is torn does not say either whether another program has written behind it.
    let isUnknown = try !torn.isEmpty || hasUnknownChanges(after: newestMark())
    let unlike = try tables.all.filter { table in
      try isStale(table) || !check.findings(in: table).indexes.isEmpty
    }
    guard isUnknown || !unlike.isEmpty else { return [] }
    // Whoever has answered queries by the old indexes compares in full. Builds those that are known to be stale, too.
    if torn.isEmpty { try recordMigration(rewritten: []) } else { try restartHistory(WriteOperation("repair")) }
    for table in unlike { try table.rebuildIndexes(transaction, path: path) }
    var mended: [String] = []
    if !torn.isEmpty {
      mended.append("The history was torn and begins anew; what was done before cannot be undone.")
    } else if isUnknown {
      mended.append("The history says now that another program has written.")
    }
    for table in unlike { mended.append("The indexes of '\(table.type.name)' were built anew from the rows.") }
    return mended
  }
}
#endif
