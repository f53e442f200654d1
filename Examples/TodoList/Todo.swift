import FoundationEssentials
import SaverCore

/// Something to be done.
struct Todo: Record, Hashable {
  let id: UUID
  var title: String
  var dueAt: Date
  var isDone: Bool
  /// The ``TodoList`` that it belongs to.
  var listID: UUID

  static let schema = Schema(
    "todo", version: 1,
    Field("id", \Self.id),
    Field("title", \.title),
    Field("due_at", \.dueAt),
    Field("is_done", \.isDone, default: false),
    Field("list_id", \.listID, indexed: true),
    indexes: [Index(\Self.isDone, \.dueAt)],
    make: Todo.init(id:title:dueAt:isDone:listID:))
}

/// A list of things to be done.
struct TodoList: Record, Hashable {
  let id: UUID
  var name: String

  static let schema = Schema(
    "todo_list", version: 1, Field("id", \Self.id), Field("name", \.name), make: TodoList.init(id:name:))
}

extension Query<Todo> {
  /// What is to be done before a time, the most urgent first. Said once, used by whoever needs it: as a list, as a count,
  /// as a live list.
  static func dueSoon(before time: Date) -> Query {
    Query { $0.isDone == false && $0.dueAt < time }.sorted(by: \.dueAt)
  }
}

extension Query<TodoList> {
  /// The lists of these items, all in one query.
  static func lists(of todos: some Sequence<Todo>) -> Query {
    let ids = Set(todos.map(\.listID))
    return Query { $0.id.isIn(ids) }
  }
}
