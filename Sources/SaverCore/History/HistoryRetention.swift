/// How much history a store keeps. Whichever limit is reached first, whole transactions go, the oldest first; the newest
/// never does.
public struct HistoryRetention: Hashable, Sendable {
  public var changesMax: Int
  public var bytesMax: Int
  /// Whether updates and deletes keep the row as it was. Without it nothing can be undone, and deleted text does not
  /// linger.
  public var keepsRows: Bool

  public init(changesMax: Int = 100_000, bytesMax: Int = 64 << 20, keepsRows: Bool = true) {
    self.changesMax = changesMax
    self.bytesMax = bytesMax
    self.keepsRows = keepsRows
  }

  /// How many changes pass between two looks at what can be trimmed: a look at each commit costs a page. Changes, and
  /// not commits: those of large transactions would add more between two looks than one of them trims.
  public static let changesBetweenTrims = 64

  /// Whether a transaction that took the history from one last sequence to another looks at what can be trimmed. Nobody
  /// has to count: it does at each multiple of ``changesBetweenTrims``.
  public static func isTimeToTrim(from before: Int64, to last: Int64) -> Bool {
    let count = Int64(changesBetweenTrims)
    return last / count != before / count
  }

  /// How many changes a transaction that made `count` may trim: more than came since the last look, and little enough not
  /// to be felt.
  public static func trimMax(adding count: Int) -> Int { 2 * count + changesBetweenTrims }
}
