extension Canary {
  /// Copies that are not what the store is, or that touch what they must not.
  static let copying: [Canary] = [
    broken("copy.dropsRecords", "Leaves the last record of each type out.", caughtBy: ["copy.exact"], .dropsRecords),
    broken("copy.changesDates", "Moves dates by a millisecond.", caughtBy: ["copy.exact"], .changesDates),
    broken(
      "copy.readsTheLatest", "Copies what is written meanwhile.", caughtBy: ["copy.snapshot"], .readsTheLatest),
    broken("copy.keepsIdentity", "Gives the copy the store's identity.", caughtBy: ["copy.exact"], .keepsIdentity),
    broken("copy.leavesFiles", "Leaves a file beside the copy.", caughtBy: ["copy.alone"], .leavesFiles),
    broken(
      "copy.keepsHalf", "Leaves a store behind when it is interrupted.", caughtBy: ["copy.interrupted"], .keepsHalf),
    broken("copy.alwaysReplaces", "Replaces what it must not.", caughtBy: ["copy.refused"], .alwaysReplaces),
    broken(
      "copy.replacesTheFile", "Puts another file in the place of the store that is replaced.",
      caughtBy: ["copy.replaced"], .replacesTheFile),
    broken(
      "copy.replacesInSteps", "Empties the store that is replaced in a transaction of its own.",
      caughtBy: ["copy.replaceInterrupted"], .replacesInSteps),
    broken(
      "copy.copiesToItself", "Says that a store was copied to itself.", caughtBy: ["copy.itself"], .copiesToItself),
    broken("copy.canBeUndone", "Begins with something that can be undone.", caughtBy: ["copy.beginning"], .canBeUndone),
  ]

  private static func broken(
    _ id: String, _ summary: String, caughtBy: [String], _ copy: CopyFault
  ) -> Canary {
    var fault = Fault()
    fault.maintenance.copy = copy
    return Canary(id, summary, caughtBy: caughtBy, needsPersistence: true, fault)
  }
}
