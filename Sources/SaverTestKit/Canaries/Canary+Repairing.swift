public import SaverCore

extension Canary {
  /// Stores that are not mended as they should be, for ``RepairCheck``. `caughtBy` names the kinds of damage at which it must
  /// notice: `index`, and `history` for one that is torn.
  public static let repairing: [Canary] = [
    broken("repair.doesNothing", "Says that it has mended, and did not.", ["index", "history"], .doesNothing),
    broken("repair.isSilent", "Mends and says nothing.", ["index", "history"], .isSilent),
    broken("repair.dropsRecord", "Mends and loses a record.", ["index", "history"], .dropsRecord),
    broken("repair.changesDate", "Mends and changes a date.", ["index", "history"], .changesDate),
    broken("repair.losesTokens", "Ends the history for nothing.", ["index"], .losesTokens),
    broken("repair.keepsTokens", "Goes on from tokens of a history that was torn.", ["history"], .keepsTokens),
    broken("repair.neverEnds", "Finds something to mend each time.", ["index", "history"], .neverEnds),
  ]

  /// The store, with the fault.
  ///
  /// - Parameter types: the record types that it was opened with.
  public func breaking(_ store: Store, types: [RecordType]) -> Store {
    var fault = fault
    fault.maintenance.types = types
    return BrokenEngine.store(store, fault)
  }

  /// Faults that a sound store shows, too, which is not to be written to.
  static let repairingSound: [Canary] = [
    broken("repair.soundDropsRecord", "Loses a record of a sound store.", ["store.repair"], .dropsRecord),
    broken("repair.soundChangesDate", "Changes a date of a sound store.", ["store.repair"], .changesDate),
    broken("repair.soundNeverEnds", "Finds something to mend in a sound store.", ["store.repair"], .neverEnds),
  ]

  private static func broken(_ id: String, _ summary: String, _ caughtBy: [String], _ repair: RepairFault) -> Canary {
    var fault = Fault()
    fault.maintenance.repair = repair
    return Canary(id, summary, caughtBy: caughtBy, needsPersistence: true, fault)
  }
}
