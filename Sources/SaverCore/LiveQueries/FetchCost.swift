/// What it costs to find the whole result of a query, so that it can be weighed against looking changed rows up.
struct FetchCost {
  /// So many changed rows are looked up whatever fetching costs.
  static let changesMin = 32
  /// And never more than so many, which is where the observer of a store stops to tell them.
  static let changesMax = 1_000
  /// To look a changed row up, find its place and edit the list costs about as much as this many rows that are fetched
  /// and compared: between 5 and 30 on both engines, for windows and for whole lists.
  static let rowsPerChange = 16

  /// The rows and index entries that the engine read when everything was fetched last.
  var rows = 0

  /// Above so many changes it is cheaper to fetch everything.
  var changesMax: Int { min(max(rows / Self.rowsPerChange, Self.changesMin), Self.changesMax) }
}
