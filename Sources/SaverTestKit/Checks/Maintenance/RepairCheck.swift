public import SaverCore

/// What must hold when a store is mended that something has happened to. What happens to it is the business of the engine's
/// own tests: an engine's damage is made with its own means.
public struct RepairCheck: Sendable {
  private let types: [RecordType]
  private let tearsHistory: Bool

  /// - Parameters:
  ///   - types: the record types that the store was opened with.
  ///   - tearsHistory: whether the history contradicts itself then, and has to begin anew.
  public init(_ types: [RecordType], tearsHistory: Bool = false) {
    self.types = types
    self.tearsHistory = tearsHistory
  }

  /// Damages the store, has it mended, and looks at it.
  ///
  /// - Parameters:
  ///   - write: commits a change of a record.
  ///   - damage: happens between two commits.
  /// - Returns: what was mended.
  /// - Throws: ``ConformanceFailure``.
  @discardableResult
  public func run(on store: Store, write: (Store) throws -> Void, damage: () throws -> Void) throws -> [String] {
    var tokens = [try store.read { try $0.token() }]
    try write(store)
    tokens.append(try store.read { try $0.token() })
    try damage()
    try expect(!(try store.inspect(checkingIntegrity: true).problems.isEmpty), "nothing was wrong")
    let content = try store.read { try $0.content(of: types) }

    let mended = try store.repair()
    try expect(!mended.isEmpty, "nothing is said to be mended")
    try expectSound(store, "when it was mended")
    try expect(try store.read { try $0.content(of: types) } == content, "the records are others")
    let next = try store.read { try $0.token() }
    let again = try store.repair()
    try expect(again.isEmpty, "mended a second time: \(again)")
    try expect(try store.read { try $0.token() } == next, "the second time was written")
    // Beyond every number that a token from before can have.
    for _ in 0..<4 { try write(store) }
    for token in tokens {
      let standing = try store.read { try $0.standing(of: token) }
      try expect((standing == .usable) != tearsHistory, "a token from before is \(standing)")
    }
    try expect(try store.read { try $0.standing(of: next) } == .usable, "a token from then cannot be gone on from")
    try expectSound(store, "behind later writes")
    return mended
  }

  private func expectSound(_ store: Store, _ when: String) throws {
    let problems = try store.inspect(checkingIntegrity: true).problems
    try expect(problems.isEmpty, "\(when) there is still: \(problems)")
  }

  private func expect(_ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line) throws {
    guard condition else { throw ConformanceFailure(check: "repair", message: message(), line: line) }
  }
}
