import Foundation

/// What a child said of each of its steps, and how it ended.
struct ChildReport: CustomStringConvertible {
  /// One line of a child.
  struct Step: Equatable {
    var name: String
    /// The code of the error, or `nil` if it went well.
    var code: String?
    /// The file that the error names.
    var path = ""
    /// The error's message.
    var message = ""
    /// What the step found; the number of an attempt that failed.
    var answer = ""

    /// The child has no store open, and an earlier step said why.
    var isWithoutStore: Bool { code == "noSuchStore" && path.isEmpty }
  }

  var steps: [Step] = []
  var end: ProcessEnd
  /// Lines that are no step's: the words of a crash.
  var noise: [String] = []

  /// Runs a child of its own on a store.
  static func run(_ engine: String, _ base: String, _ steps: [String]) throws -> ChildReport {
    try Worker().run(engine, base, steps)
  }

  init(lines: [String], end: ProcessEnd) {
    self.end = end
    for line in lines {
      let words = line.components(separatedBy: "\t")
      if words.count >= 2, words[1] == "ok" {
        steps.append(Step(name: words[0], code: nil, answer: words.count > 2 ? words[2] : ""))
      } else if words.count >= 5, words[1] == "error" {
        steps.append(
          Step(
            name: words[0], code: words[2], path: words[3], message: words[4],
            answer: words.count > 5 ? words[5] : ""))
      } else {
        noise.append(line)
      }
    }
  }

  /// The first step of a name; `nil` if the child did not come so far.
  subscript(name: String) -> Step? { steps.first { $0.name == name } }
  /// The last one.
  func last(_ name: String) -> Step? { steps.last { $0.name == name } }

  var isComplete: Bool { end == .exited(0) && steps.last?.name == "end" }

  /// The signal that ended it.
  var signal: Int32? { if case .killed(let signal) = end { signal } else { nil } }

  var description: String {
    let lines = steps.map { step in
      step.code.map { "\(step.name): \($0), \(step.message) \(step.answer)" } ?? "\(step.name): ok \(step.answer)"
    }
    return (lines + noise.prefix(8) + ["\(end)"]).joined(separator: "\n")
  }
}
