import Foundation
import SaverCore
import SaverKit
import Testing

@testable import SaverCLI

/// What is done with a store into which another program has put anything: every step gives an answer or an error of the
/// store's, and writing goes on.
enum ForeignRowExercise {
  /// Uses the store in this process.
  static func run(_ store: Store, _ comment: String) {
    func attempt(_ what: String, _ body: () throws -> Void) {
      do {
        try body()
      } catch let error as StorageError {
        // The schema allows none of this, so that an error of the caller's or of ours would be a wrong word for it.
        #expect(error.code != .internalError && error.code != .invalidQuery, "\(comment), \(what): \(error)")
      } catch {
        Issue.record("\(comment), \(what): \(error)")
      }
    }
    let fields = Fields<SavedItem>()
    var queries = [Query<SavedItem>(), SavedItemSelection().query.limit(5)]
    queries.append(Query<SavedItem>().sorted(by: \.text).limit(3))
    queries.append(Query<SavedItem>().sorted(by: \.title, descending: true))
    for filter in [
      fields.search("a é", in: fields.text, fields.title, fields.tags), fields.tags.contains("a"),
      fields.createdAt >= .distantPast, fields.title == nil, fields.text.hasPrefix("a"), !(fields.updatedAt < .now),
    ] {
      queries.append(Query(filter: filter))
    }
    for query in queries {
      attempt("\(query)") { try store.read { _ = try $0.fetch(query) } }
      attempt("ids of \(query)") { try store.read { _ = try $0.ids(query) } }
      attempt("count of \(query)") { try store.read { _ = try $0.count(query) } }
    }
    attempt("the history") {
      try store.read { transaction in
        let head = try transaction.engine.historyHead()
        _ = try transaction.engine.historyCheck(at: head.token.sequence)
        try transaction.engine.changes(after: 0) { change, row in
          _ = (change.id, row.count)
          return true
        }
        try transaction.engine.transactions(after: 0, newestFirst: true) { _ in true }
      }
    }
    attempt("writing") {
      let now = Date.now.wholeMilliseconds
      var item = SavedItem(id: UUID.version7(), text: "https://example.org/x", createdAt: now, updatedAt: now)
      try store.write { try $0.insert(item) }
      item.title = "changed"
      #expect(try store.write { try $0.update(item) }, "\(comment)")
      #expect(try store.read { try $0.record(SavedItem.self, id: item.id) } == item, "\(comment)")
      #expect(try store.write { try $0.delete(SavedItem.self, id: item.id) }, "\(comment)")
    }
    attempt("changing what is there") {
      let ids = try store.read { try $0.ids(Query<SavedItem>()) }
      for id in ids.prefix(3) {
        try store.write { transaction in
          _ = try transaction.update(SavedItem(id: id, text: "mended", createdAt: .now, updatedAt: .now))
        }
      }
      if let id = ids.last { #expect(try store.write { try $0.delete(SavedItem.self, id: id) }, "\(comment)") }
    }
    attempt("the examination") { _ = try store.inspect(checkingIntegrity: true) }
  }

  /// Uses it through the command line: an exit code, never a signal, and nothing raw for a terminal.
  static func runCommands(_ engine: String, _ base: String, _ comment: String) throws {
    var commands = ListFormat.allCases.map { ["list", "--all", "--format", $0.rawValue] }
    commands += [["list", "--search", "a"], ["list", "--count"], ["doctor"], ["share", "https://example.org/"]]
    commands += [
      ["show", "0000"], ["delete", "00000000-0000-0000-0000-000000000000"], ["list", "--sort", "title:asc"],
    ]
    for command in commands {
      let (lines, end) = try Programs.run(Programs.saver, ["--backend", engine, "--store", base] + command)
      guard case .exited(let code) = end else {
        Issue.record("\(comment), \(command): \(end)\n\(lines.suffix(3))")
        continue
      }
      #expect([0, 1, 65, 69].contains(code), "\(comment), \(command): \(code)\n\(lines.suffix(3))")
      if ["table", "plain"].contains(command.last) {
        #expect(!lines.contains { $0.contains("\u{1b}") }, "\(comment), \(command): an escape sequence is printed raw")
      }
    }
  }
}
