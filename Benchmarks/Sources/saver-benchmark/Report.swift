import FoundationEssentials
import Glibc

/// The table, printed line by line as it comes, and kept for the file.
final class Report {
  private(set) var findings: [Finding] = []
  /// The works at several sizes, shown side by side at the end.
  private(set) var growth: [Finding] = []
  let machine = Machine()

  private static let widths = [50, 8, 11, 16, 11, 20, 10, 0]

  func begin(_ engines: [BenchmarkEngine]) {
    print(engines.map(\.library).joined(separator: ", ") + "; " + machine.text)
    line("work", "engine", "ours", "beside", "", "ratio (spread)", "target", "met")
  }

  func add(_ finding: Finding) {
    findings.append(finding)
    let ratio = finding.ratio.map {
      "\(Decimals.text($0.median)) (\(Decimals.text($0.min)) to \(Decimals.text($0.max)))"
    }
    line(
      finding.work, finding.engine, Decimals.figure(finding.ours, finding.unit), finding.floorName,
      finding.floor.map { Decimals.figure($0, finding.unit) } ?? "", ratio ?? "", finding.target ?? "",
      finding.isMet.map { $0 ? "yes" : "NO" } ?? "")
  }

  func addGrowth(_ finding: Finding) { growth.append(finding) }

  /// Says why something is not in the table.
  func skip(_ what: String) {
    print("skipped: " + what)
    fflush(nil)
  }

  // MARK: The end

  func end(_ json: String?) throws {
    printGrowth()
    let missed = findings.filter { $0.isMet == false }
    print("\(findings.filter { $0.isMet == true }.count) targets met, \(missed.count) missed; \(Machine().load)")
    fflush(nil)
    if let json { try write(json) }
  }

  /// A line for each work, a column for each size: our figure, and its part of the floor's speed.
  private func printGrowth() {
    let sizes = Set(growth.map(\.items)).sorted()
    if sizes.isEmpty { return }
    print("")
    print(left("growth: items", 42) + left("engine", 8) + sizes.map { left("\($0)", 20) }.joined())
    var shown: Set<String> = []
    for finding in growth where shown.insert(finding.work + finding.engine).inserted {
      let cells = sizes.map { size in
        let cell = growth.first { $0.work == finding.work && $0.engine == finding.engine && $0.items == size }
        guard let cell else { return left("", 20) }
        let ratio = cell.ratio.map { " (\(Decimals.text($0.median)))" } ?? ""
        return left(Decimals.figure(cell.ours, cell.unit) + ratio, 20)
      }
      print(left(finding.work, 42) + left(finding.engine, 8) + cells.joined())
    }
    print("")
  }

  private struct File: Encodable {
    let machine: Machine
    let findings: [Finding]
    let growth: [Finding]
  }

  private func write(_ path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let file = File(machine: machine, findings: findings, growth: growth)
    try encoder.encode(file).write(to: URL(filePath: path))
  }

  // MARK: Lines

  private func line(_ cells: String...) {
    print(zip(cells, Self.widths).map { left($0, $1) }.joined())
    // Line by line into a file too.
    fflush(nil)
  }

  private func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
