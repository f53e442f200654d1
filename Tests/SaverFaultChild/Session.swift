import CSystemFaults
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit
import SaverTestKit

#if SQLite
import SaverSQLite
#endif
#if LMDB
import SaverLMDB
#endif

/// The store that a child works on, and its steps.
final class Session {
  private let backend: any StorageBackend.Type
  private let base: String
  private var opened: Store?
  private var watch: Watch?

  /// `nil` if there is no such engine.
  init?(engine: String, base: String) {
    var backends: [any StorageBackend.Type] = []
    #if SQLite
    backends.append(SQLiteBackend.self)
    #endif
    #if LMDB
    backends.append(LMDBBackend.self)
    #endif
    guard let backend = backends.first(where: { $0.name == engine }) else { return nil }
    self.backend = backend
    self.base = base
  }

  /// Runs one step: its name, and after colons what it needs.
  func run(_ step: String) {
    let parts = step.split(separator: ":").map(String.init)
    let numbers = parts.dropFirst().compactMap { Int($0) }
    do {
      switch parts[0] {
      // open[:CHANGES-MAX]
      case "open": opened = try open(backend, .never, changesMax: numbers.first)
      case "make": opened = try open(backend, .ifMissing, changesMax: numbers.first)
      case "close": close()
      case "wait":
        FaultChild.print("wait", "ok")
        _ = readLine()
        return
      // Several lines of their own: attempts:FIRST:COUNT[:ROWS]
      case "attempts":
        return try Attempts(store(), rows: numbers.count > 2 ? numbers[2] : 3).run(from: numbers[0], count: numbers[1])
      // break:KINDS:ERROR:FIRST:COUNT:PATH
      case "break": system_faults_break(parts[1], parts[5], Int32(numbers[0]), Int32(numbers[1]), Int32(numbers[2]))
      // kill:before|after:CALL
      case "kill":
        let fault = parts[1] == "before" ? SYSTEM_FAULT_KILL_BEFORE : SYSTEM_FAULT_KILL_AFTER
        system_faults_arm(fault, Int32(numbers[0]))
      case "mend": FaultChild.print("mend", "ok", "\(mend())")
      // A child that hangs is ended sooner.
      case "alarm": alarm(UInt32(numbers[0]))
      case let step where Care.steps.contains(step):
        return FaultChild.print(step, "ok", try Care(store: store(), words: Array(parts.dropFirst())).run(step))
      default:
        FaultChild.print(parts[0], "ok", try answer(parts[0], numbers))
        return
      }
      FaultChild.print(parts[0], "ok")
    } catch let error as StorageError {
      FaultChild.print(parts[0], "error", error.code.rawValue, error.path ?? "", error.description)
    } catch {
      FaultChild.print(parts[0], "error", "unexpected", "", "\(error)")
    }
  }

  func close() {
    watch?.end()
    watch = nil
    opened = nil
  }

  /// How many calls have failed; from now on, none does.
  private func mend() -> Int {
    let count = system_faults_broken()
    system_faults_break("", "", 0, 0, 0)
    return Int(count)
  }

  private func open<Backend: StorageBackend>(
    _: Backend.Type, _ creation: StoreLocation.Creation, changesMax: Int? = nil,
    types: [RecordType] = [SavedItem.schema.type], at base: String? = nil
  ) throws -> Store {
    let retention = changesMax.map { HistoryRetention(changesMax: $0) } ?? HistoryRetention()
    return try Backend.open(
      StoreLocation(base: base ?? self.base, creation: creation, history: retention), types: types,
      configuration: Backend.defaultConfiguration)
  }

  private func store() throws -> Store {
    guard let opened else { throw StorageError(.noSuchStore, "The store is not open.") }
    return opened
  }

  // MARK: Steps with an answer

  private func answer(_ step: String, _ numbers: [Int]) throws -> String {
    switch step {
    // A store of an earlier version of the program, and the same after the update.
    case "makeBefore":
      opened = try open(backend, .ifMissing, types: [Migration.Before.schema.type])
      try Migration.fill(store())
      return ""
    case "openAfter":
      opened = try open(backend, .never, types: [Migration.After.schema.type])
      return ""
    default: break
    }
    let store = try store()
    return switch step {
    // Everything there is, as one number.
    case "read": try store.read { Digest(of: try $0.fetch(Query<SavedItem>())).description }
    // What indexes, conditions and orders give.
    case "queries": try store.read { try Self.queries($0) }
    // Which attempts are there, and whether each is there as a whole: commits[:ROWS]
    case "commits": try store.read { try Attempts(store, rows: numbers.first ?? 3).present($0) }
    case "migrated": try store.read { try Migration.problems($0) }
    case "history": try store.read { try HistoryCheck.problems($0) }
    case "identity": store.identity.hexadecimal
    case "write": try Self.write(store)
    case "integrity":
      try store.inspect(checkingIntegrity: true).problems.joined(separator: "; ")
    case "share": try Contender(store, number: numbers[0]).share(forMilliseconds: numbers[1])
    case "import": try Contender(store, number: numbers[0]).importRows(forMilliseconds: numbers[1])
    case "large": try Contender(store, number: numbers[0]).importLarge(megabytes: numbers[1])
    // Makes one backup after another, and looks into each.
    case "backups": try backUp(store, forMilliseconds: numbers[0])
    // Begins to watch; and what is shown as soon as it is what a fetch gives.
    case "watch": try beginWatching(store)
    case "shown": try watch?.settled() ?? "nobody watches"
    default: throw StorageError(.internalError, "There is no step '\(step)'.")
    }
  }

  private func beginWatching(_ store: Store) throws -> String {
    watch = Watch(store)
    return ""
  }

  private func backUp(_ store: Store, forMilliseconds limit: Int) throws -> String {
    let base = base + "-backup"
    return try BackupLoop(store: store, base: base).run(forMilliseconds: limit) { try open(backend, .never, at: base) }
  }

  private static func queries(_ transaction: borrowing ReadTransaction) throws -> String {
    let fields = Fields<SavedItem>()
    var selection = SavedItemSelection()
    selection.limit = 20
    var digest = Digest(of: try transaction.fetch(selection.query))
    selection.search = "row 1"
    selection.sort = .init(.title, descending: false)
    digest.add(try transaction.fetch(selection.query))
    digest.add(try transaction.count(Query<SavedItem> { _ in fields.tags.contains("odd") }))
    digest.add(try transaction.count(Query<SavedItem>()))
    if let first = try transaction.first(Query<SavedItem>()) {
      digest.add([first].compactMap { $0 })
      digest.add(try transaction.record(SavedItem.self, id: first.id).map { [$0] } ?? [])
    }
    return digest.description
  }

  /// Adds an item, changes it, and takes it away again: three commits.
  private static func write(_ store: Store) throws -> String {
    var item = SavedItem(id: UUID.version7(), text: "written", createdAt: .now, updatedAt: .now)
    try store.write { try $0.insert(item) }
    item.text = "rewritten"
    let isUpdated = try store.write { try $0.update(item) }
    let isDeleted = try store.write { try $0.delete(SavedItem.self, id: item.id) }
    return "\(isUpdated) \(isDeleted)"
  }
}
