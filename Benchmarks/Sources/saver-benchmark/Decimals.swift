/// Numbers as the table shows them.
enum Decimals {
  static func figure(_ number: Double, _ unit: Finding.Unit) -> String {
    switch unit {
    case .perSecond: number >= 100_000 ? "\(Int(number / 1_000))k/s" : "\(Int(number))/s"
    case .mebibytes: text(number, digits: 1) + " MiB"
    case .seconds:
      switch number {
      case ..<0.001: text(number * 1e6, digits: number < 0.0001 ? 2 : 1) + " µs"
      case ..<1: text(number * 1_000, digits: number < 0.1 ? 2 : 1) + " ms"
      default: text(number) + " s"
      }
    }
  }

  /// With one or two digits behind the point.
  static func text(_ number: Double, digits: Int = 2) -> String {
    guard number.isFinite else { return "–" }
    if number < 0 { return "-" + text(-number, digits: digits) }
    let power = digits == 1 ? 10 : 100
    let scaled = Int((number * Double(power)).rounded())
    let fraction = String(scaled % power)
    return "\(scaled / power)." + String(repeating: "0", count: digits - fraction.utf8.count) + fraction
  }
}
