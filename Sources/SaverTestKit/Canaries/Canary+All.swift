import SaverCore

extension Canary {
  /// All canaries; their ids are unique.
  public static let all: [Canary] =
    scanning + ordering + filtering + writing + transacting + history
    + maintenance + copying + repairingSound

  private static let scanning: [Canary] = [
    Canary(
      "scan.dropsLast", "Leaves out the last row of every scan.",
      caughtBy: ["record.insert", "scan.each", "query.limit"],
      Fault(dropsLastRow: true)),
    Canary(
      "scan.ignoresStop", "Goes on when a scan was told to end.", caughtBy: ["scan.stop"], Fault(ignoresStop: true)),
    Canary(
      "scan.swallowsErrors", "Ends a scan quietly when its closure throws.", caughtBy: ["scan.throw"],
      Fault(swallowsErrorsOfScans: true)),
    Canary(
      "scan.ignoresLimit", "Gives more than the limit.", caughtBy: ["query.limit", "query.delete.cut"],
      Fault(selection: { changed($0) { $0.limit = nil } })),
    Canary(
      "scan.ignoresOffset", "Begins at the first result.", caughtBy: ["query.offset", "scan.first"],
      Fault(selection: { changed($0) { $0.offset = 0 } })),
    Canary(
      "scan.ignoresPosition", "Begins every page at the first result.",
      caughtBy: ["query.page.none", "query.page.position"],
      Fault(selection: { changed($0) { $0.after = nil } })),
    Canary(
      "scan.offsetBeforePlace", "Counts an offset from the first result where a page goes on.",
      caughtBy: ["query.page.offset"],
      Fault(selection: { changed($0) { if $0.after != nil { $0.offset = 0 } } })),
    Canary(
      "count.ignoresLimit", "Counts beyond the limit.", caughtBy: ["query.count.limit", "query.limit"],
      Fault(counted: { changed($0) { $0.limit = nil } })),
    Canary(
      "count.ignoresOffset", "Counts what an offset leaves out.", caughtBy: ["query.count.limit", "query.offset"],
      Fault(counted: { changed($0) { $0.offset = 0 } })),
    Canary(
      "count.ignoresFilter", "Counts all rows.", caughtBy: ["query.compare.int", "query.logic.nested"],
      Fault(counted: { changed($0) { $0.filter = .constant(true) } })),
    Canary(
      "count.ignoresPosition", "Counts what is before the place where a page begins.", caughtBy: ["query.page.int"],
      Fault(counted: { changed($0) { $0.after = nil } })),
    Canary(
      "cost.readsEverything", "Reads the whole table for a page.", caughtBy: ["cost.page", "cost.byID", "cost.lookup"],
      Fault(readsEverything: true)),
  ]

  private static let ordering: [Canary] = [
    Canary(
      "order.ignoresDescending", "Sorts upwards whatever was asked for.",
      caughtBy: ["query.order.int", "query.order.nilFirst"],
      Fault(selection: { changed($0) { for index in $0.order.indices { $0.order[index].descending = false } } })),
    Canary(
      "order.forgetsTies", "Leaves records that tie in another order than that of their ids.",
      caughtBy: ["query.order.total", "query.order.bool"],
      Fault(selection: { changed($0) { $0.order[$0.order.count - 1].descending.toggle() } })),
    Canary(
      "order.tiesUpwards", "Sorts ties upwards where the last key is descending.",
      caughtBy: ["query.order.total", "query.order.mixed"],
      Fault(selection: { changed($0) { $0.order[$0.order.count - 1].descending = false } })),
    Canary(
      "order.firstKeyOnly", "Sorts by the first key alone.", caughtBy: ["query.order.mixed", "query.page.mixed"],
      Fault(
        selection: { parts in
          changed(parts) {
            guard $0.order.count > 2, let last = $0.order.last, let first = $0.order.first else { return }
            $0.order = [first, last]
            $0.after = $0.after.map { [$0[0], $0[$0.count - 1]] }
          }
        })),
    Canary(
      "order.lastDirectionForAll", "Sorts all keys in the direction of the last.", caughtBy: ["query.order.mixed"],
      Fault(
        selection: { parts in
          changed(parts) {
            let descending = $0.order.last?.descending ?? false
            for index in $0.order.indices { $0.order[index].descending = descending }
          }
        })),
  ]

  private static func changed(_ parts: SelectionParts, _ change: (inout SelectionParts) -> Void) -> SelectionParts {
    var parts = parts
    change(&parts)
    return parts
  }
}
