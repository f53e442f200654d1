import FoundationEssentials
import SaverCore

extension Canary {
  /// Histories that tell something else than what happened.
  static let history: [Canary] = [
    broken(
      "history.losesDeletes", "Does not note deletions.",
      caughtBy: ["history.delete", "history.bulk", "history.deleteByQuery", "live.changes"]
    ) { $0.entry = { $0.kind == .delete ? nil : $0 } },
    broken(
      "history.deletesAreUpdates", "Notes deletions as updates.", caughtBy: ["history.delete", "history.again"]
    ) { $0.entry = { changed($0) { if $0.kind == .delete { $0.kind = .update } } } },
    broken("history.savesAreUpdates", "Notes insertions as updates.", caughtBy: ["history.save", "history.insert"]) {
      $0.entry = { changed($0) { if $0.kind == .insert { $0.kind = .update } } }
    },
    broken("history.oneType", "Notes every change as one of the first type.", caughtBy: ["history.types"]) {
      $0.entry = { changed($0) { $0.type = Note.recordType.name } }
    },
    broken(
      "history.presentRows", "Gives rows as they are for rows as they were.",
      caughtBy: ["history.update", "history.delete", "history.everyType", "live.count"]
    ) { $0.givesPresentRows = true },
    broken("history.noRows", "Keeps no old rows.", caughtBy: ["history.update", "history.large"]) {
      $0.forgetsRows = true
    },
    broken(
      "history.keepsRows", "Keeps old rows that it was told not to keep.", caughtBy: ["history.retention.withoutRows"]
    ) { $0.retention = { changed($0) { $0.keepsRows = true } } },
    broken("history.cutsRows", "Cuts texts of old rows at their first NUL.", caughtBy: ["history.everyType"]) {
      $0.value = { value, _ in
        if case .text(let text) = value { .text(String(text.prefix { $0 != "\0" })) } else { value }
      }
    },
    broken("history.roundsRows", "Keeps 15 digits of the numbers of old rows.", caughtBy: ["history.everyType"]) {
      $0.value = { value, _ in
        if case .double(let double) = value, double.isFinite, double.magnitude < 1e300 {
          .double((double * 1e3).rounded() / 1e3)
        } else {
          value
        }
      }
    },
    broken("history.shortRows", "Keeps 64 KiB of an old row.", caughtBy: ["history.large"]) {
      $0.value = { value, _ in
        if case .text(let text) = value, text.utf8.count > 65_536 { .text(String(text.prefix(65_000))) } else { value }
      }
    },
    broken(
      "history.countsFailures", "Moves its token on for writes that failed or changed nothing.",
      caughtBy: ["history.rolledBack", "history.empty"]
    ) { $0.countsFailedWrites = true },
    broken(
      "history.repeatsPlace", "Gives the change at a token once more.",
      caughtBy: ["history.portions", "history.standing.usable"]
    ) { $0.repeatsPlace = true },
    broken(
      "history.checksBySequence", "Makes its check values of the sequence.", caughtBy: ["history.transaction.nonce"]
    ) {
      $0.transaction = { changed($0) { $0.nonce = UInt64($0.sequences.upperBound) } }
    },
    broken(
      "history.acceptsAll", "Has no check value to speak of.", caughtBy: ["history.standing.otherBranch"]
    ) {
      $0.head = { changed($0) { $0.token.check = 0 } }
      $0.check = { _, _ in 0 }
    },
    broken("history.refusesOld", "Has check values for the newest token alone.", caughtBy: ["history.standing.usable"])
    {
      $0.check = { _, _ in nil }
    },
    broken("history.neverOld", "Does not say that its beginning is gone.", caughtBy: ["history.retention.count"]) {
      $0.oldest = { _ in 1 }
      $0.check = { check, sequence in check ?? UInt64(sequence) }
    },
    broken(
      "history.namelessStore", "Names no store in its tokens.",
      caughtBy: ["history.token", "history.standing.otherStore"]
    ) {
      $0.head = { changed($0) { $0.token.store = UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)) } }
    },
    broken("history.keepsAll", "Trims nothing.", caughtBy: ["history.retention.count", "history.retention.whole"]) {
      $0.retention = { changed($0) { $0.changesMax = .max } }
    },
    broken("history.anySize", "Does not count the bytes of old rows.", caughtBy: ["history.retention.bytes"]) {
      $0.retention = { changed($0) { $0.bytesMax = .max } }
    },
    broken(
      "history.forgetsOperations", "Takes each transaction for an operation of its own, and trims so.",
      caughtBy: ["history.transaction.operation", "history.retention.operation", "history.transaction"]
    ) { $0.forgetsOperation = true },
    broken("history.anonymous", "Does not say who wrote.", caughtBy: ["history.transaction"]) {
      $0.transaction = { changed($0) { $0.author = .foreign } }
    },
    broken(
      "history.losesTransactions", "Has no entries of small transactions.", caughtBy: ["history.transaction.order"]
    ) {
      $0.transaction = { $0.sequences.count == 1 ? nil : $0 }
    },
    broken("history.oneOrder", "Gives transactions in order only.", caughtBy: ["history.transaction.after"]) {
      $0.ignoresOrder = true
    },
    broken("watcher.frozen", "Has one revision for ever.", caughtBy: ["watcher.revision"]) {
      $0.head = { changed($0) { $0.revision = 7 } }
    },
    Canary(
      "watcher.deaf", "Does not wake whoever observes it.", caughtBy: ["watcher.source", "live.changes"],
      Fault(isDeaf: true)),
    broken("watcher.alarmed", "Always takes something unknown for changed.", caughtBy: ["watcher.revision"]) {
      $0.head = { changed($0) { $0.hasUnknownChanges = true } }
    },
    broken(
      "history.forgetsWhenOpened", "Has no history of what was before it was opened.",
      caughtBy: ["history.reopen", "history.reopen.types"], needsPersistence: true
    ) { $0.forgetsWhenOpened = true },
  ]

  private static func broken(
    _ id: String, _ summary: String, caughtBy: [String], needsPersistence: Bool = false,
    _ change: (inout HistoryFault) -> Void
  ) -> Canary {
    var fault = Fault()
    change(&fault.history)
    return Canary(id, summary, caughtBy: caughtBy, needsPersistence: needsPersistence, fault)
  }

  private static func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }
}
