import Foundation
import SaverCore
import SaverKit
import Testing

#if SQLite
import SaverSQLite
#endif
#if LMDB
import SaverLMDB
#endif

/// A store that this process shares with others: the command line is what they run.
final class SharedStore: Sendable {
  /// The engines whose stores can be shared.
  static let backends: [any StorageBackend.Type] = {
    var backends: [any StorageBackend.Type] = []
    #if SQLite
    backends.append(SQLiteBackend.self)
    #endif
    #if LMDB
    backends.append(LMDBBackend.self)
    #endif
    return backends
  }()

  static var names: [String] { backends.map { $0.name } }

  let folder: String
  let store: Store
  private let backend: String

  init(_ name: String) throws {
    backend = name
    folder = FileManager.default.temporaryDirectory.appending(path: "saver-kit-\(UUID().uuidString)").path
    store = try Self.open(BackendRegistry(Self.backends).backend(named: name), folder + "/items")
  }

  private static func open<Backend: StorageBackend>(_: Backend.Type, _ path: String) throws -> Store {
    try Backend.open(
      StoreLocation(base: path), types: [SavedItem.schema.type], configuration: Backend.defaultConfiguration)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs a command on the store in another process; suspends until that has ended.
  func saver(_ arguments: String...) async throws {
    try await run(Self.program, ["--backend", backend, "--store", folder + "/items"] + arguments)
  }

  /// Runs a program; suspends until it has ended.
  func run(_ program: String, _ arguments: [String]) async throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ["HOME": folder, "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do {
        try process.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
    try #require(process.terminationStatus == 0, "\(program) \(arguments)")
  }

  /// It lies beside the program that runs the tests.
  private static let program: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders = [own, Bundle.main.bundlePath, CommandLine.arguments[0]].map {
      URL(filePath: $0).deletingLastPathComponent().path
    }
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    let candidates = folders.map { $0 + "/saver" } + [root + "/.build/debug/saver"]
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? candidates[0]
  }()
}
