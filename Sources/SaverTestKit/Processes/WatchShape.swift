import FoundationEssentials
import SaverCore

/// The shapes of queries that are watched in other processes.
public enum WatchShape: String, CaseIterable, Sendable {
  case all, filtered, sorted, window, page, filteredWindow, offset, search, sections, count

  /// Whether it holds both of each two records, or neither.
  var isWhole: Bool {
    switch self {
    case .all, .filtered, .sorted, .sections: true
    case .window, .page, .filteredWindow, .offset, .search, .count: false
    }
  }

  var query: Query<Twin> {
    switch self {
    case .all: Query()
    case .filtered, .count: Query { !$0.isDone && $0.rank >= 3 }
    case .sorted: Query().sorted(by: \.rank, descending: true)
    case .window: Query().sorted(by: \.rank).limit(20)
    case .page: Query().sorted(by: \.rank).after(Self.place).limit(15)
    case .filteredWindow: Query { $0.shelf == "b" }.sorted(by: \.rank, descending: true).limit(10)
    case .offset: Query().sorted(by: \.rank).offset(5).limit(10)
    case .search: Query { $0.search("7", in: $0.text) }.sorted(by: \.text).limit(15)
    case .sections: Query().sorted(by: \.shelf).sorted(by: \.rank)
    }
  }

  /// A place in the middle of the ranks, where there is no record.
  private static let place = Twin(
    id: UUID(uuid: (0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), partner: .version7(), writer: 0, step: 0,
    shelf: "", rank: 20, isDone: false, text: "")

  /// The fingerprint of a fresh result.
  func fingerprint(_ transaction: borrowing some TransactionReading & ~Copyable) throws -> String {
    if self == .count { return "count:\(try transaction.count(query))" }
    return Fingerprint.of(try transaction.fetch(query)).description
  }
}
