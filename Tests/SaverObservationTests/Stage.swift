import Foundation
import Glibc
import SaverTestKit
import Testing

/// The engines whose stores several processes can share.
enum SharedEngine: String, CaseIterable, CustomStringConvertible {
  #if SQLite
  case sqlite
  #endif
  #if LMDB
  case lmdb
  #endif

  var description: String { rawValue }
}

/// How much is tried: `SAVER_LONG_TESTS=1` asks for all of it.
enum Effort {
  static let isLong = ProcessInfo.processInfo.environment["SAVER_LONG_TESTS"] == "1"

  static func count(_ ordinary: Int, long: Int) -> Int { isLong ? long : ordinary }

  /// A seed that a failure can be repeated with: `SAVER_SEED`, or a new one.
  static func seed(_ what: String) -> UInt64 {
    let given = ProcessInfo.processInfo.environment["SAVER_SEED"].flatMap { UInt64($0) }
    let seed = given ?? .random(in: 0...UInt64(UInt32.max))
    print("\(what): SAVER_SEED=\(seed)")
    return seed
  }
}

/// A folder with a store in it, and the processes that play there. All of it is gone when the test lets go.
final class Stage {
  let engine: SharedEngine
  let folder: String
  var base: String { folder + "/store" }
  var store: String { base + "." + engine.rawValue }

  init(_ engine: SharedEngine) throws {
    self.engine = engine
    folder = FileManager.default.temporaryDirectory.path + "/saver-observation-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Starts a process.
  func start(base: String? = nil) throws -> ChildProcess {
    let child = try ChildProcess(Self.program, [engine.rawValue, base ?? self.base])
    try child.wait(for: "ready")
    return child
  }

  /// Starts a process that has the store open.
  func open(_ options: String = "") throws -> ChildProcess {
    let child = try start()
    try child.ask("open \(options)", for: "opened")
    return child
  }

  /// A copy of the store, its locks and its watched file excepted. None of the processes here has the store open itself.
  func copy() throws -> Stage {
    let stage = try Stage(engine)
    for name in names where [store, store + "-wal"].contains("\(folder)/\(name)") {
      try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(stage.folder)/\(name)")
    }
    return stage
  }

  /// The names in the folder.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  /// It lies beside the program that runs the tests.
  private static let program: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders = [own, Bundle.main.bundlePath, CommandLine.arguments[0]].map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().path
    }
    let repository = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    let candidates = folders.map { $0 + "/saver-test-child" } + [repository + "/.build/debug/saver-test-child"]
    return candidates.first { access($0, X_OK) == 0 } ?? candidates[0]
  }()
}

extension ChildProcess {
  /// The last step that a writer has acknowledged; those of before if it has none.
  func acknowledged(after step: Int) -> Int {
    lines.last { $0.words.first == "ack" }.flatMap { Int($0.words[1]) } ?? step
  }

  /// The fingerprint of a fresh result, and the token of its snapshot.
  func fetch(_ shape: WatchShape) throws -> (token: String, fingerprint: String) {
    let words = try ask("fetch \(shape.rawValue)", for: "fetched").words
    return (String(words[1]), String(words[2]))
  }

  /// Lets it end, and expects it to do so without complaint.
  func finish() throws {
    endInput()
    let status = try waitForEnd()
    #expect(status == 0)
  }
}
