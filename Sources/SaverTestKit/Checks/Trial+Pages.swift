import FoundationEssentials
import SaverCore

extension Trial {
  /// Expects the pages of a query, each asked for by the last record of the one before, to be the whole.
  func expectPages<R: TransparentRecord>(
    of query: Query<R>, size: Int, on store: Store, holding records: [R], fileID: String = #fileID, line: Int = #line
  ) throws {
    var found: [R] = []
    var page = query.limit(size)
    // One more page than there can be: an engine that stands still must not loop for ever.
    for _ in 0...(records.count / size + 1) {
      let next = try store.read { try $0.fetch(page) }
      found += next
      guard let last = next.last else { break }
      let rest = query.after(last)
      let left = try store.read { try $0.count(rest) }
      let wanted = QueryOracle.results(of: rest, in: records).count
      try expectEqual(left, wanted, "the count of what is behind a page of \(query)", fileID: fileID, line: line)
      page = rest.limit(size)
    }
    try expectSame(
      found, QueryOracle.results(of: query, in: records), "the pages of \(query)", fileID: fileID, line: line)
  }
}
