import Foundation
import SaverTestKit
import Testing

/// A program that knows nothing of this library, and writes to its stores.
enum ForeignWriter {
  static let shell = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A Python that has both modules.
  static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
    guard FileManager.default.isExecutableFile(atPath: path) else { return false }
    return (try? run(path, ["-c", "import sqlite3, lmdb"])) != nil
  }

  static var isThere: Bool { shell != nil && python != nil }

  /// Runs a program to its end; returns when that was.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> Int64 {
    let process = try ChildProcess(program, arguments)
    process.endInput()
    let status = try process.waitForEnd()
    guard status == 0 else {
      throw ChildProcess.Failure(description: "\(program) \(arguments): \(process.lines.map(\.text))")
    }
    return Monotonic.now
  }

  @discardableResult
  static func sql(_ stage: Stage, _ statements: String) throws -> Int64 {
    try run(try #require(shell), ["-bail", stage.store, statements])
  }

  @discardableResult
  static func python(_ stage: Stage, _ program: String) throws -> Int64 {
    try run(try #require(python), ["-c", program, stage.store])
  }
}
