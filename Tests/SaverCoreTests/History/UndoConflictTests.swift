import Dispatch
import FoundationEssentials
import SaverCore
import Testing

/// An undo never takes back what is not the user's own.
@Suite struct UndoConflictTests {
  private func row(_ page: Page) -> UndoableOperation.Row { .init(type: "page", id: page.id) }

  @Test func othersActsAreNotTaken() throws {
    let pages = try PageStore()
    try pages.insert(Page(), as: WriteOperation("theirs"))
    try pages.insert(Page(), as: WriteOperation("foreign"))
    try pages.insert(Page(), as: WriteOperation("uncovered"))
    #expect(try pages.undo() == .nothing)
    let other = try pages.store.undo(of: [Page.schema.type], user: PageStore.otherUser)
    #expect(other.doneName == "theirs")
    #expect(try pages.pages.count == 2)
  }

  @Test(arguments: ["theirs", "foreign", "uncovered"]) func changedSince(by name: String) throws {
    let pages = try PageStore()
    let (page, free) = (Page(), Page())
    try pages.insert(page, free)
    try pages.update(page, WriteOperation(name)) { $0.title = "other" }
    try pages.update(page, WriteOperation(name)) { $0.title = "again" }
    let before = try pages.pages
    let changer: UndoConflict.Changer =
      name == "theirs" ? .operation("theirs", user: PageStore.otherUser) : .foreign
    #expect(try pages.undo().conflicts == [.changedSince(row(page), by: changer)])
    #expect(try pages.pages == before)
    #expect(try pages.undoable().map(\.isPossible) == [false])
    // The newest is refused; nothing behind it is taken instead.
    #expect(try pages.undo().conflicts != nil)
  }

  /// What others did to other rows is not in the way, before, between and after.
  @Test func othersRows() throws {
    let pages = try PageStore()
    let (page, theirs) = (Page(), Page())
    let operation = WriteOperation("import")
    try pages.insert(theirs, as: WriteOperation("theirs"))
    try pages.insert(page, as: operation)
    try pages.update(theirs, WriteOperation("theirs")) { $0.size = 2 }
    try pages.update(page, operation) { $0.size = 3 }
    try pages.update(theirs, WriteOperation("uncovered")) { $0.size = 4 }
    #expect(try pages.undo().doneName == "import")
    #expect(try pages.pages == [Page(id: theirs.id, size: 4)])
  }

  @Test func foreignChangesWithin() throws {
    let pages = try PageStore()
    let operation = WriteOperation("import")
    try pages.insert(Page(), as: operation)
    try pages.insert(Page(), as: WriteOperation("foreign"))
    try pages.insert(Page(), as: operation)
    #expect(try pages.undo().conflicts == [.foreignChangesWithin])
  }

  @Test func unknownChanges() throws {
    let pages = try PageStore()
    let page = Page()
    try pages.insert(Page(), as: WriteOperation("unknown"))
    try pages.insert(page)
    #expect(try pages.undoable().map(\.isPossible) == [true])
    try pages.insert(Page(), as: WriteOperation("unknown"))
    try pages.insert(Page())
    #expect(try pages.undo().doneName == "share")
    #expect(try pages.undo().conflicts == [.unknownChanges])

    let unseen = try PageStore(hasUnknownChanges: true)
    try unseen.insert(page)
    #expect(try unseen.undo().conflicts == [.unknownChanges])
  }

  @Test func aRedoGivesWayToOthersAndToOnesOwnActs() throws {
    let pages = try PageStore()
    let page = Page()
    try pages.insert(page)
    try pages.update(page) { $0.title = "edited" }
    try pages.undo()
    try pages.update(page, WriteOperation("other edit")) { $0.title = "mine" }
    let own = UndoConflict.Changer.operation("other edit", user: PageStore.user)
    #expect(try pages.redo().conflicts == [.changedSince(row(page), by: own)])
    #expect(try pages.undo().doneName == "other edit")
    #expect(try pages.redo().doneName == "other edit")
    try pages.undo()
    try pages.delete(page, as: WriteOperation("theirs"))
    let other = UndoConflict.Changer.operation("theirs", user: PageStore.otherUser)
    #expect(try pages.redo().conflicts == [.changedSince(row(page), by: other)])
    #expect(try pages.pages.isEmpty)
  }

  @Test func rowsThatWereNotKept() throws {
    let pages = try PageStore(history: HistoryRetention(keepsRows: false))
    let page = Page()
    try pages.insert(page)
    // An insert needs no old row.
    #expect(try pages.undo().doneName == "share")
    #expect(try pages.redo().conflicts == [.rowNotKept(row(page))])
    try pages.insert(page)
    try pages.delete(page)
    #expect(try pages.undo().conflicts == [.rowNotKept(row(page))])
  }

  @Test func anUnknownType() throws {
    let pages = try PageStore()
    let page = Page()
    try pages.insert(page)
    let outcome = try pages.store.undo(of: [])
    #expect(outcome.conflicts == [.unknownType(row(page))])
    #expect(try pages.pages == [page])
  }

  /// An operation that has lost its beginning is not taken back in part.
  @Test func trimmed() throws {
    let retention = HistoryRetention(changesMax: 10)
    let pages = try PageStore(history: retention)
    let operation = WriteOperation("import")
    for _ in 0..<20 { try pages.insert(Page(), as: operation) }
    // An operation never trims itself: the other user's does.
    for _ in 20..<70 { try pages.insert(Page(), as: WriteOperation("theirs")) }
    #expect(try pages.undoable().isEmpty)
    try pages.insert(Page(), as: operation)
    let list = try pages.undoable()
    #expect(list.map(\.conflicts) == [[.trimmed]])
    #expect(try pages.undo().conflicts == [.trimmed])
    #expect(try pages.pages.count == 71)
    // One that began since is whole.
    try pages.insert(Page())
    #expect(try pages.undo().doneName == "share")
    #expect(retention.canUndo(changes: 10) && !retention.canUndo(changes: 11))
  }

  /// Two who undo at once: each act is taken back once.
  @Test func manyAtOnce() throws {
    let pages = try PageStore()
    for number in 0..<40 { try pages.insert(Page(size: number)) }
    let store = pages.store
    let outcomes = Guarded<[UndoOutcome?]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<10 {
        let outcome = try? store.undo(of: [Page.schema.type])
        outcomes.withLock { $0.append(outcome) }
      }
    }
    #expect(outcomes.withLock { $0.count == 40 && $0.allSatisfy { $0?.doneName == "share" } })
    #expect(try pages.pages.isEmpty)
    #expect(try pages.undo() == .nothing)
  }
}
