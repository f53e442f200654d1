import Glibc

/// The table that is printed, line by line.
struct Report {
  private static let widths = (work: 52, engine: 8, figure: 14)

  func begin() {
    line("work", "engine", "ours", "C floor", "ratio")
  }

  /// A work of `count` rows or commits, shown as so many per second.
  func throughput(_ work: String, _ engine: BenchmarkEngine, _ times: Times, count: Int) {
    line(work, engine.rawValue, perSecond(count, times.ours), perSecond(count, times.floor), ratio(times))
  }

  /// A work done `count` times, shown as the time of one.
  func latency(_ work: String, _ engine: BenchmarkEngine, _ times: Times, count: Int = 1) {
    line(work, engine.rawValue, duration(times.ours, count), duration(times.floor, count), ratio(times))
  }

  /// From commit to publication: quantiles in microseconds, and how ours compares with both floors at the median.
  func observation(
    _ work: String, _ engine: BenchmarkEngine, _ ours: Latencies, onMainActor shown: Latencies, _ requery: Latencies,
    _ history: Latencies
  ) {
    print("\(work), \(engine.rawValue); µs:")
    let all = [
      ("published", ours), ("on the main actor", shown), ("C, query again", requery), ("C, history and row", history),
    ]
    for (name, latencies) in all {
      let figures = [0.5, 0.9, 0.99, 1].map { right(decimal(latencies.quantile($0), digits: 1), 9) }
      print("  " + left(name, 22) + "p50, p90, p99, max" + figures.joined())
    }
    let ratios = [requery, history].map { decimal(ours.quantile(0.5) / $0.quantile(0.5), digits: 2) }
    print("  published, at the median: \(ratios[0]) of the query again, \(ratios[1]) of history and row")
    fflush(nil)
  }

  /// A time beside another that it replaces.
  func times(_ work: String, _ engine: BenchmarkEngine, _ ours: Double, _ other: String, _ seconds: Double) {
    print(
      left(work, Self.widths.work) + left(engine.rawValue, Self.widths.engine) + right(duration(ours, 1), 14)
        + "   \(other) \(duration(seconds, 1)): \(decimal(seconds / ours, digits: 1)) times")
    fflush(nil)
  }

  func time(_ work: String, _ engine: BenchmarkEngine, _ ours: Double, _ note: String) {
    print(
      left(work, Self.widths.work) + left(engine.rawValue, Self.widths.engine) + right(duration(ours, 1), 14)
        + "   \(note)")
    fflush(nil)
  }

  private func line(_ work: String, _ engine: String, _ ours: String, _ floor: String, _ ratio: String) {
    let widths = Self.widths
    print(
      left(work, widths.work) + left(engine, widths.engine) + right(ours, widths.figure) + right(floor, widths.figure)
        + right(ratio, 8))
    // Line by line into a file too.
    fflush(nil)
  }

  private func perSecond(_ count: Int, _ seconds: Double) -> String {
    let rate = Double(count) / seconds
    return rate >= 100_000 ? "\(Int(rate / 1_000))k/s" : "\(Int(rate))/s"
  }

  private func duration(_ seconds: Double, _ count: Int) -> String {
    let microseconds = seconds / Double(count) * 1e6
    return microseconds >= 1_000
      ? decimal(microseconds / 1_000, digits: 1) + " ms" : decimal(microseconds, digits: 1) + " µs"
  }

  private func ratio(_ times: Times) -> String { decimal(times.floor / times.ours, digits: 2) }

  /// With one or two digits behind the point.
  private func decimal(_ number: Double, digits: Int) -> String {
    let power = digits == 1 ? 10 : 100
    let scaled = Int((number * Double(power)).rounded())
    let fraction = String(scaled % power)
    return "\(scaled / power)." + String(repeating: "0", count: digits - fraction.utf8.count) + fraction
  }

  private func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
