/// What a live query has cost so far; for tests.
package struct LiveQueryCounters: Hashable, Sendable {
  /// How often the whole result was fetched or counted.
  package var fullFetches = 0
  /// How often more rows were fetched from behind the window's end.
  package var refills = 0
  /// The rows that the engine has handed over: fetched, or looked up by their ids.
  package var rowsFetched = 0
}
