import FoundationEssentials
import Observation
import SaverCore

/// Publishes what is due soon, with the names of the lists, and keeps that true: whoever commits, in whichever process.
///
/// Two live queries: the items, and all lists that these items belong to, together; never a query for each item.
@Observable @MainActor
final class TodoStorage {
  /// An item as it is shown.
  struct DueTodo: Hashable {
    var title: String
    var listName: String
  }

  private(set) var dueSoon: [DueTodo] = []
  private(set) var error: (any Error)?

  @ObservationIgnored private let store: Store
  @ObservationIgnored private var todos = RecordList<Todo>()
  @ObservationIgnored private var lists: Query<TodoList>?
  @ObservationIgnored private var todoSubscription: LiveListSubscription<Todo>?
  @ObservationIgnored private var listSubscription: LiveListSubscription<TodoList>?

  /// - Parameter time: what is due before this is due soon.
  init(_ store: Store, before time: Date) {
    self.store = store
    todoSubscription = LiveListSubscription(store, .dueSoon(before: time)) { [weak self] in self?.schedule() }
  }

  /// Called once until the mailboxes are emptied.
  private nonisolated func schedule() {
    Task { @MainActor [weak self] in self?.drain() }
  }

  private func drain() {
    do {
      if let update = try todoSubscription?.take() {
        todos = update.items
        followLists()
        if todos.isEmpty { dueSoon = [] }
      }
      // Items and names are shown together, when the names of all of them are there.
      guard let update = try listSubscription?.take() else { return show() }
      names = Self.names(of: update.items)
      show()
    } catch {
      self.error = error
    }
  }

  @ObservationIgnored private var names: [UUID: String] = [:]

  /// Follows the lists of the items there are now: one query with all their ids.
  private func followLists() {
    let query = Query<TodoList>.lists(of: todos)
    guard query != lists else { return }
    lists = query
    listSubscription = LiveListSubscription(store, query) { [weak self] in self?.schedule() }
  }

  private func show() {
    guard let shown = Self.join(todos, names) else { return }
    dueSoon = shown
  }

  // Loops stand outside of the main actor: a closure formed in its code is checked at each call.

  private nonisolated static func names(of lists: RecordList<TodoList>) -> [UUID: String] {
    Dictionary(uniqueKeysWithValues: lists.map { ($0.id, $0.name) })
  }

  /// `nil` if a name is still missing.
  private nonisolated static func join(_ todos: RecordList<Todo>, _ names: [UUID: String]) -> [DueTodo]? {
    var joined: [DueTodo] = []
    for todo in todos {
      guard let name = names[todo.listID] else { return nil }
      joined.append(DueTodo(title: todo.title, listName: name))
    }
    return joined
  }
}
