import SaverTestKit
import Testing

/// A process with live queries, and what they have published.
final class Watcher {
  struct Publication: CustomStringConvertible {
    var shape: WatchShape
    /// `initial`, `change`, or `reset:` with the reason.
    var kind: String
    var token: String
    var fingerprint: String
    var count: Int
    /// When the consumer had it: nanoseconds on `CLOCK_MONOTONIC`.
    var instant: Int64

    var description: String { "\(kind) of \(shape.rawValue) at \(token): \(fingerprint), \(count) records" }
  }

  let process: ChildProcess
  let shapes: [WatchShape]
  private(set) var publications: [Publication] = []
  private var latest: [WatchShape: Publication] = [:]
  /// The last status that was told, by shape.
  private(set) var statuses: [WatchShape: String] = [:]
  private var place = 0

  /// Begins to watch, and waits for the first publications.
  ///
  /// - Parameter isForeign: others write past the history.
  init(_ process: ChildProcess, _ shapes: [WatchShape], isForeign: Bool = false) throws {
    self.process = process
    self.shapes = shapes
    for shape in shapes { try process.send("watch \(shape.rawValue)\(isForeign ? " foreign" : "")") }
    try wait("the first publications") { shapes.allSatisfy { self.latest[$0] != nil } }
  }

  func latest(_ shape: WatchShape) -> Publication? { latest[shape] }

  func publications(of shape: WatchShape) -> [Publication] { publications.filter { $0.shape == shape } }

  /// Reads what was printed, until a condition is fulfilled.
  func wait(_ what: String, secondsMax: Int = 60, until condition: () -> Bool) throws {
    let limit = Monotonic.now + Int64(secondsMax) * 1_000_000_000
    read(millisecondsMax: 0)
    while !condition() {
      let left = Int((limit - Monotonic.now) / 1_000_000)
      let hasEnded = process.hasEnded
      try #require(left > 0 && !hasEnded, "no \(what): \(latest.values.map(\.description)), \(problems)")
      try #require(problems.isEmpty)
      read(millisecondsMax: left)
    }
    #expect(problems == [])
  }

  /// Waits until what is shown has a fingerprint; returns when that was published.
  @discardableResult
  func wait(_ shape: WatchShape, for fingerprint: String, secondsMax: Int = 60) throws -> Int64 {
    try wait("\(fingerprint) of \(shape.rawValue)", secondsMax: secondsMax) {
      latest[shape]?.fingerprint == fingerprint
    }
    return latest[shape]?.instant ?? 0
  }

  /// Waits until all show what another process fetches, while nobody writes; returns when the last was published.
  @discardableResult
  func settle(asking other: ChildProcess) throws -> Int64 {
    try shapes.map { try wait($0, for: other.fetch($0).fingerprint) }.max() ?? 0
  }

  private var problems: [String] = []

  private func read(millisecondsMax: Int) {
    for line in process.lines(from: &place, millisecondsMax: millisecondsMax) {
      let words = line.words.map(String.init)
      guard words.count > 1 else { continue }
      let shape = WatchShape(rawValue: words[1])
      switch words[0] {
      case "published":
        guard let shape, words.count == 7 else { continue }
        let publication = Publication(
          shape: shape, kind: words[2], token: words[3], fingerprint: words[4], count: Int(words[5]) ?? -1,
          instant: Int64(words[6]) ?? 0)
        publications.append(publication)
        latest[shape] = publication
      case "status":
        if let shape { statuses[shape] = words.dropFirst(2).joined(separator: " ") }
      case "wrong": problems.append(line.text)
      default: break
      }
    }
  }
}
