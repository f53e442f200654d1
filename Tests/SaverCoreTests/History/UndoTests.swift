import FoundationEssentials
import SaverCore
import SaverTestKit
import Testing

@Suite struct UndoTests {
  @Test func nothingToUndo() throws {
    let pages = try PageStore()
    #expect(try pages.undo() == .nothing)
    #expect(try pages.redo() == .nothing)
    #expect(try pages.undoable().isEmpty)
  }

  /// Each kind of change, backwards, to the last byte.
  @Test func deletesEditsAndInsertsAreTakenBack() throws {
    let pages = try PageStore()
    let (first, second) = (Page(title: nil, tags: []), Page(title: "b", tags: ["x", "y\0z"], size: 7))
    try pages.insert(first, second)
    let shared = try pages.pages
    try pages.update(second) { $0.title = nil }
    let edited = try pages.pages
    try pages.delete(first, second)
    #expect(try pages.pages.isEmpty)

    #expect(try pages.undo().doneName == "delete")
    #expect(try pages.pages == edited)
    #expect(try pages.undo().doneName == "edit")
    #expect(try pages.pages == shared)
    #expect(try pages.undo().doneName == "share")
    #expect(try pages.pages.isEmpty)
    #expect(try pages.undo() == .nothing)

    #expect(try pages.redo().doneName == "share")
    #expect(try pages.pages == shared)
    #expect(try pages.redo().doneName == "edit")
    #expect(try pages.pages == edited)
    #expect(try pages.redo().doneName == "delete")
    #expect(try pages.pages.isEmpty)
    #expect(try pages.redo() == .nothing)
  }

  /// An undo is an operation like any other: in the history, with what it undoes.
  @Test func theUndoIsInTheHistory() throws {
    let pages = try PageStore()
    let operation = WriteOperation("share")
    try pages.insert(Page(), as: operation)
    guard case .done(let taken, let undo) = try pages.undo() else {
      Issue.record("not undone")
      return
    }
    #expect(taken.operation == operation && taken.inserted.count == 1 && taken.updated + taken.deleted == [])
    #expect(undo.undoes == operation.id && undo.name == "undo")
    let transactions = try pages.store.read { try $0.transactions() }
    let last = transactions.last
    #expect(last?.operation == undo && last?.user == PageStore.user)
    guard case .done(let retaken, let redo) = try pages.redo() else {
      Issue.record("not redone")
      return
    }
    #expect(retaken.operation == undo && retaken.name == "share" && redo.undoes == undo.id && redo.name == "redo")
  }

  /// All transactions of one operation are one act; rows that it touched several times go back to where it began.
  @Test func anActOfSeveralTransactions() throws {
    let pages = try PageStore()
    let (old, new, passing) = (Page(title: "old"), Page(title: "new"), Page())
    try pages.insert(old)
    let before = try pages.pages
    let operation = WriteOperation("import")
    try pages.insert(new, passing, as: operation)
    try pages.update(old, operation) { $0.title = "1" }
    try pages.delete(passing, as: operation)
    try pages.update(old, operation) { $0.title = "2" }
    try pages.delete(old, as: operation)
    let description = try #require(try pages.undoable().first)
    #expect(description.name == "import" && description.isPossible)
    #expect(description.inserted.map(\.id) == [new.id] && description.deleted.map(\.id) == [old.id])
    #expect(try pages.undo().doneName == "import")
    #expect(try pages.pages == before)
    #expect(try pages.redo().doneName == "import")
    #expect(try pages.pages.map(\.id) == [new.id])
  }

  /// Other acts between the transactions of one are left alone, and are in the way where they touch a row of it.
  @Test func actsThatOverlap() throws {
    let pages = try PageStore()
    let (mine, other) = (Page(), Page())
    let operation = WriteOperation("import")
    try pages.insert(mine, as: operation)
    try pages.insert(other)
    try pages.insert(Page(), as: operation)
    #expect(try pages.undo().doneName == "import")
    #expect(try pages.pages == [other])
    try pages.redo()
    try pages.update(mine) { $0.title = "edited" }
    try pages.insert(Page(), as: operation)
    // What came after the undo is an act by itself.
    #expect(try pages.undo().doneName == "import")
    #expect(try pages.pages.count == 3)
    #expect(try pages.undo().doneName == "edit")

    let second = WriteOperation("second")
    let page = Page()
    try pages.insert(page, as: second)
    try pages.update(page) { $0.title = "edited" }
    try pages.insert(Page(), as: second)
    let conflicts = try #require(try pages.undo().conflicts)
    #expect(
      conflicts == [
        .changedSince(.init(type: "page", id: page.id), by: .operation("edit", user: PageStore.user))
      ])
  }

  /// What leaves nothing behind is passed over.
  @Test func anActWithoutEffect() throws {
    let pages = try PageStore()
    let (page, passing) = (Page(), Page())
    try pages.insert(page)
    try pages.store.write(WriteOperation("nothing")) {
      try $0.insert(passing)
      try $0.delete(Page.self, id: passing.id)
    }
    #expect(try pages.undoable().map(\.name) == ["share"])
    #expect(try pages.undo().doneName == "share")
    #expect(try pages.pages.isEmpty)
  }

  @Test func theList() throws {
    let pages = try PageStore()
    let page = Page()
    try pages.insert(page, Page())
    try pages.update(page) { $0.size = 2 }
    try pages.delete(page)
    let list = try pages.undoable()
    #expect(list.map(\.name) == ["delete", "edit", "share"])
    // The younger ones would be taken back first: they are not in the way.
    #expect(list.allSatisfy { $0.isPossible })
    #expect(
      list.map { [$0.inserted.count, $0.updated.count, $0.deleted.count] } == [[0, 0, 1], [0, 1, 0], [2, 0, 0]])
    #expect(try pages.store.undoableOperations(of: [Page.schema.type], limit: 2).map(\.name) == ["delete", "edit"])
    try pages.undo()
    #expect(try pages.undoable().map(\.name) == ["edit", "share"])
    #expect(try pages.store.redoableOperations(of: [Page.schema.type]).map(\.name) == ["delete"])
  }

  /// Any acts, undos and redos of one user: an undo is never refused, a redo right after it restores everything, and
  /// undoing all of it leads back to where it began.
  @Test func anySequence() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of the undo test: \(seed)")
    var generator = RandomGenerator(seed: seed)
    for _ in 0..<40 {
      let pages = try PageStore()
      let base = (0..<4).map { Page(title: "base \($0)") }
      try pages.store.write(WriteOperation("theirs")) { for page in base { try $0.insert(page) } }
      let beginning = try pages.pages
      var known = base
      for step in 0..<40 {
        let before = try pages.pages
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3:
          let outcome = try pages.undo()
          #expect(outcome.conflicts == nil)
          if Bool.random(using: &generator), outcome.doneName != nil {
            #expect(try pages.redo().doneName == outcome.doneName)
            #expect(try pages.pages == before)
          }
        case 3: if try pages.redo().doneName == nil { #expect(try pages.pages == before) }
        default:
          let operation = WriteOperation("act \(step)")
          for _ in 0..<Int.random(in: 1...3, using: &generator) {
            try change(&known, pages.store, operation, &generator)
          }
        }
      }
      while (try pages.undo().doneName) != nil {}
      #expect(try pages.undo() == .nothing)
      #expect(try pages.pages == beginning, "seed \(seed)")
    }
  }

  private func change(
    _ known: inout [Page], _ store: Store, _ operation: WriteOperation, _ generator: inout RandomGenerator
  ) throws {
    try store.write(operation) { transaction in
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        var page = Page()
        if Int.random(in: 0..<4, using: &generator) > 0 {
          page = known.randomElement(using: &generator) ?? page
        } else {
          known.append(page)
        }
        page.size = Int.random(in: 0..<1_000_000, using: &generator)
        if Int.random(in: 0..<3, using: &generator) == 0 {
          try transaction.delete(Page.self, id: page.id)
        } else {
          try transaction.save(page)
        }
      }
    }
  }
}
