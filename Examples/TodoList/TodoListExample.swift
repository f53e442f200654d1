import Foundation
import Observation
import SaverCore
import SaverSQLite

/// Follows what is due soon, while this process and another change it.
@main
struct TodoListExample {
  static let now = Date()
  static let tomorrow = now + 86_400
  static let home = TodoList(id: UUID(uuidString: "00000000-0000-7000-8000-000000000001")!, name: "Home")
  static let work = TodoList(id: UUID(uuidString: "00000000-0000-7000-8000-000000000002")!, name: "Work")

  static func main() async throws {
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "add" {
      return try addInAnotherProcess(at: CommandLine.arguments[2])
    }
    endAfterTooLong()
    let folder = FileManager.default.temporaryDirectory.appending(path: "todo-list-\(UUID().uuidString)")
    let isAsPromised = try await follow(at: folder.appending(path: "todos").path)
    try? FileManager.default.removeItem(at: folder)
    exit(isAsPromised ? 0 : 1)
  }

  private static func open(_ path: String) throws -> Store {
    try SQLiteBackend.open(
      StoreLocation(base: path), types: [Todo.schema.type, TodoList.schema.type],
      configuration: SQLiteBackend.defaultConfiguration)
  }

  @MainActor
  private static func follow(at path: String) async throws -> Bool {
    let store = try open(path)
    let milk = Todo(id: .version7(), title: "Milk", dueAt: now + 3_600, isDone: false, listID: home.id)
    let report = Todo(id: .version7(), title: "Report", dueAt: now + 7_200, isDone: false, listID: work.id)
    let later = Todo(id: .version7(), title: "Taxes", dueAt: now + 30 * 86_400, isDone: false, listID: home.id)
    try await Task.detached {
      try store.write(WriteOperation("plan")) { transaction in
        for list in [home, work] { try transaction.insert(list) }
        for todo in [milk, report, later] { try transaction.insert(todo) }
      }
    }.value

    let storage = TodoStorage(store, before: tomorrow)
    await reached("at first", ["Milk (Home)", "Report (Work)"], by: storage)

    try await Task.detached {
      try store.write(WriteOperation("done")) { transaction in
        var milk = milk
        milk.isDone = true
        try transaction.update(milk)
      }
    }.value
    await reached("the milk is there", ["Report (Work)"], by: storage)

    try await runAgain("add", path)
    await reached("another process has planned", ["Call Ada (Friends)", "Report (Office)"], by: storage)
    return try store.read { transaction in
      // The same query as the live list's, and the lists of all its items in one.
      let todos = try transaction.fetch(Query.dueSoon(before: tomorrow))
      let lists = try transaction.fetch(Query.lists(of: todos))
      print("due soon: \(todos.count) items on \(lists.count) lists, with two queries")
      return todos.count == 2 && lists.count == 2
    }
  }

  /// What the other process does: one transaction, seen by the first process whole.
  private static func addInAnotherProcess(at path: String) throws {
    let friends = TodoList(id: .version7(), name: "Friends")
    try open(path).write(WriteOperation("plan")) { transaction in
      try transaction.insert(friends)
      try transaction.insert(
        Todo(id: .version7(), title: "Call Ada", dueAt: now + 60, isDone: false, listID: friends.id))
      try transaction.update(TodoList(id: work.id, name: "Office"))
    }
  }

  /// Waits until the storage publishes this: it says when it changes.
  @MainActor
  private static func reached(_ event: String, _ wanted: [String], by storage: TodoStorage) async {
    for await shown in Observations({ storage.dueSoon }) {
      let shown = shown.map { "\($0.title) (\($0.listName))" }
      guard shown == wanted else { continue }
      return print("\(event): \(shown.joined(separator: ", "))")
    }
  }

  private static func runAgain(_ arguments: String...) async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  private static func endAfterTooLong() {
    Task.detached {
      try await Task.sleep(for: .seconds(30))
      print("FAILED: the storage has not followed within 30 s")
      exit(1)
    }
  }
}
