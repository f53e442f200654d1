import Foundation
import SaverMemory
import Testing

@testable import SaverCore
@testable import SaverTestKit

/// One live window over a store, brought along from commit to commit and compared with fresh fetches.
struct WindowRun<R: Record & Hashable> {
  let store: Store
  var query: Query<R>
  var window: LiveWindow<R>
  var token: HistoryToken

  init(_ query: Query<R>, _ store: Store) throws {
    self.query = query
    self.store = store
    window = LiveWindow(try LiveCondition(query))
    token = .beginning(of: store.identity)
    let (difference, token) = try store.read { transaction in
      (try window.fetch(transaction.engine), try transaction.token())
    }
    self.token = token
    #expect(difference.inserted.map(\.record) == Array(window.list))
  }

  /// What has changed since the last step, as the observer of a store reports it.
  func changes(_ transaction: borrowing ReadTransaction) throws -> ChangeSet {
    var set = ChangeSet()
    try transaction.engine.changes(after: token.sequence) { change, row in
      set.note(change, row)
      return true
    }
    return set
  }

  func write(_ body: (inout WriteTransaction) throws -> Void) throws {
    try store.write { try body(&$0) }
  }

  /// Maintains the window, and expects that it is what a fetch finds.
  mutating func stepAndCheck(_ context: String = "") throws {
    let old = window.list
    let difference = try step()
    try check(difference, from: old, context)
  }

  /// Maintains the window, and returns how many rows were looked at.
  mutating func rowsOfStep() throws -> Int {
    let before = window.counters.rowsFetched
    try step()
    return window.counters.rowsFetched - before
  }

  /// Maintains the window, and says what has changed.
  @discardableResult
  mutating func step() throws -> ListDifference<R> {
    let (difference, token) = try store.read { transaction in
      (try window.maintain(try changes(transaction), transaction.engine), try transaction.token())
    }
    self.token = token
    return difference
  }

  /// Expects that the window is what a fetch finds, and that the difference says how it came to be.
  func check(_ difference: ListDifference<R>, from old: RecordList<R>, _ context: String) throws {
    let fetched = try store.read { try $0.fetch(query) }
    let list = Array(window.list)
    let isSame = list == fetched
    #expect(isSame, "\(context): \(query)")
    #expect(window.list.checkInvariants(), "\(context): \(query)")
    let isApplied = Array(old.applying(difference)) == fetched
    #expect(isApplied, "\(context): \(query)")
    #expect(difference.isEmpty == (Array(old) == list), "\(context): \(query)")
    #expect(window.reserve.count <= window.reserveCountMax)
    var unlimited = query
    unlimited.limit = nil
    if query.limit != nil {
      let total = try store.read { try $0.count(unlimited) }
      #expect(window.hasMore == (total > fetched.count), "\(context): \(query)")
    } else {
      #expect(!window.hasMore)
    }
    if let limit = query.limit, query.offset == 0 {
      let behind = try store.read { try $0.fetch(query.offset(limit).limit(window.reserve.count)) }
      let isReserve = (0..<window.reserve.count).reversed().map { window.reserve.record(at: $0, as: R.self) } == behind
      #expect(isReserve, "\(context): \(query)")
    }
    let exact = ListDifference(from: old, to: window.list)
    #expect(exact.moved.count == difference.moved.count && exact.updated.count == difference.updated.count)
    #expect(exact.count == difference.count, "\(context): \(query)")
  }
}
