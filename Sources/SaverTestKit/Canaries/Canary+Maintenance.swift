extension Canary {
  /// Stores whose care does more than was asked for, or less.
  static let maintenance: [Canary] = [
    broken("backup.overwrites", "Replaces what a backup must not.", caughtBy: ["backup.exists", "backup.links"]) {
      $0.overwritesFiles = true
    },
    broken("restore.overwrites", "Replaces records that a restore must not.", caughtBy: ["restore.notEmpty"]) {
      $0.overwritesRecords = true
    },
    broken(
      "restore.keepsBranch", "Takes a restored store for the branch that it was.",
      caughtBy: ["restore.tokens", "restore.live"]
    ) { $0.keepsBranch = true },
    broken(
      "forget.onlyDeletes", "Deletes what is to be forgotten, like anything else.",
      caughtBy: ["forget.record", "forget.deleted", "forget.bytes"]
    ) { $0.onlyDeletes = true },
    broken(
      "forget.nothing", "Says that it has forgotten what is there.",
      caughtBy: ["forget.record", "forget.entries", "forget.unknown", "forget.live", "forget.undoShared"]
    ) { $0.forgetsNobody = true },
  ]

  private static func broken(
    _ id: String, _ summary: String, caughtBy: [String], _ change: (inout MaintenanceFault) -> Void
  ) -> Canary {
    var fault = Fault()
    change(&fault.maintenance)
    return Canary(id, summary, caughtBy: caughtBy, needsPersistence: true, fault)
  }
}
