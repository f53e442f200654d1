public import SaverCore

extension SavedItemRepository {
  /// The end of the history now: whoever reads after this has seen everything up to there.
  ///
  /// A token can be kept, printed and parsed, and handed back to ``history(after:limit:)`` in another process.
  public func token() async throws -> HistoryToken {
    try await read { try $0.token() }
  }

  /// What has changed after a token; all that the history still has, if there is none.
  ///
  /// - Parameter limit: at most so many changes; the token returned goes on behind the last of them.
  public func history(after token: HistoryToken? = nil, limit: Int? = nil) async throws -> HistoryPortion {
    try await read { try $0.history(after: token, limit: limit) }
  }
}
