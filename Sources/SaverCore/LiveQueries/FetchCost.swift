/// What it costs to find the whole result of a query, so that it can be weighed against looking changed rows up.
struct FetchCost {
  /// So many changed rows are looked up whatever fetching costs.
  static let changesMin = 32
  /// And never more than so many, which is where the observer of a store stops to tell them.
  static let changesMax = 1_000
  /// To look a changed row up, find its place and edit the list costs as much as some 40 rows that are fetched and
  /// compared, where 1,000 have changed in a list of 100,000 (46 to 59 µs against 1.3 to 1.7 a row). In a window of 50
  /// it is as much as one or two, which ``changesMin`` allows for.
  static let rowsPerChange = 32

  /// The rows and index entries that the engine read when everything was fetched last.
  var rows = 0

  /// Above so many changes it is cheaper to fetch everything.
  var changesMax: Int { min(max(rows / Self.rowsPerChange, Self.changesMin), Self.changesMax) }
}
