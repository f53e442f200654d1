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

  /// How many commits pass between two looks at what can be trimmed: a look at each costs a page.
  public static let commitsBetweenTrims = 64
  /// How many changes a transaction that made `count` may trim: more than it adds, and little enough not to be felt.
  public static func trimMax(adding count: Int) -> Int { 2 * count + 64 }
}
