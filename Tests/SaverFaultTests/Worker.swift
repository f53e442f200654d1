import Foundation
import Glibc
import SaverTestKit

/// A child that works on one store after the other: to start a process for each would cost more than its work.
final class Worker {
  /// After so many cases another process takes over: what one of them spoiled in memory is not carried on for ever.
  private static let casesMax = 50
  private static let secondsMax = 200

  private var process: ChildProcess?
  private var cases = 0
  /// How many of its events have been read.
  private var place = 0
  /// What it has said in this case.
  private var lines: [String] = []

  /// Has a child do the steps on a store, and waits until they are done, or until it has died of them.
  func run(_ engine: String, _ base: String, _ steps: [String]) throws -> ChildReport {
    try begin(engine, base, steps)
    return try report()
  }

  /// Has a child do the steps, and does not wait.
  func begin(_ engine: String, _ base: String, _ steps: [String]) throws {
    if cases >= Self.casesMax || process?.hasEnded ?? false { process = nil }
    if process == nil {
      process = try ChildProcess(Programs.child, [], environment: Programs.environment)
      (cases, place) = (0, 0)
    }
    cases += 1
    lines = []
    try process?.send(([engine, base] + steps).joined(separator: "\t"))
  }

  /// Waits for a line; returns it.
  @discardableResult
  func wait(for line: String) throws -> String {
    guard let found = try read(until: { $0 == line || $0.hasPrefix(line + "\t") }) else {
      throw ChildProcess.Failure(description: "no '\(line)': \(lines.suffix(10))")
    }
    return found
  }

  /// Lets a child go on that waits.
  func goOn() throws { try process?.send("") }

  /// Waits for the end of the steps.
  func report() throws -> ChildReport {
    if try read(until: { $0 == "end\tok" }) != nil { return ChildReport(lines: lines, end: .exited(0)) }
    let status = try process?.waitForEnd() ?? 0
    process = nil
    return ChildReport(lines: lines, end: ProcessEnd(status: status))
  }

  /// Kills it with signal 9; what it had said.
  func kill() throws -> ChildReport {
    process?.kill()
    return try report()
  }

  /// Waits until it has died by itself; kills it if it comes to a step where it waits.
  func waitForEndOrWait() throws -> ChildReport {
    _ = try read(until: { $0.hasPrefix("wait\t") })
    return try kill()
  }

  var processID: pid_t { process?.id ?? 0 }

  /// Reads to the first line that fulfils a condition; `nil` if the process has ended before.
  private func read(until condition: (String) -> Bool) throws -> String? {
    guard let process else { return nil }
    let deadline = Date(timeIntervalSinceNow: Double(Self.secondsMax))
    while true {
      let hasEnded = process.hasEnded
      let start = place
      let new = process.lines(from: &place, millisecondsMax: hasEnded ? 0 : 1_000).map(\.text)
      if let found = new.firstIndex(where: condition) {
        lines += new[...found]
        // The rest is for the next who reads.
        place = start + found + 1
        return new[found]
      }
      lines += new
      if new.isEmpty && hasEnded { return nil }
      if Date.now > deadline { throw ChildProcess.Failure(description: "a child hangs: \(lines.suffix(10))") }
    }
  }
}
