/// What an observer has done: for tests and measurements.
package struct ObserverCounters: Hashable, Sendable {
  package var turns = 0
  /// Snapshots that were asked for news.
  package var checks = 0
  package var failures = 0
  /// Times that changes were read from the history.
  package var historyReads = 0
  package var rehearsals = 0

  func adding(_ other: ObserverCounters) -> ObserverCounters {
    ObserverCounters(
      turns: turns + other.turns, checks: checks + other.checks, failures: failures + other.failures,
      historyReads: historyReads + other.historyReads, rehearsals: rehearsals + other.rehearsals)
  }
}
