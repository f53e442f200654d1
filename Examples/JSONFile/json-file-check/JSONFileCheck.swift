import Dispatch
import Foundation
import JSONFile
import Observation
import SaverCore
import SaverKit
import SaverMemory
import SaverTestKit
import Synchronization

/// Holds the backend to everything that saver promises of a storage engine: the conformance suite, random operations
/// beside the reference, and a list that follows what the command line does in another process.
@main
enum JSONFileCheck {
  static let subject = ConformanceSubject(
    JSONFileBackend.self,
    capabilities: StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: false),
    usesIndexes: false)

  static func main() async throws {
    let results = [try await showsWhatTheCommandLineDoes(), conforms(), agreesWithTheReference()]
    exit(results.contains(false) ? 1 : 0)
  }

  /// Runs the suite, as many checks at once as there are processors: each has stores of its own.
  private static func conforms() -> Bool {
    let checks = ConformanceSuite.checks
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: checks.count) { index in
      do {
        try checks[index].run(on: subject)
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    return failures.withLock { failures in
      for failure in failures { print("FAILED \(failure)") }
      print("\(checks.count - failures.count) of \(checks.count) checks passed")
      return failures.isEmpty
    }
  }

  private static func agreesWithTheReference() -> Bool {
    let seed = UInt64.random(in: 0 ... .max)
    do {
      let reference = try MemoryBackend.open(
        StoreLocation(base: "reference"), types: ModelTest.recordTypes, configuration: MemoryBackend.Configuration())
      try ModelTest(seed: seed, steps: 60).run(on: subject, reference: reference)
      print("60 random operations give what the reference gives (seed \(seed))")
      return true
    } catch {
      print("FAILED with the seed \(seed): \(error)")
      return false
    }
  }

  // MARK: Another process

  @MainActor
  private static func showsWhatTheCommandLineDoes() async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appending(path: "json-file-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "items").path
    let store = try JSONFileBackend.open(
      StoreLocation(base: path), types: [SavedItem.schema.type], configuration: JSONFileBackend.Configuration())
    let model = SavedItemListViewModel(SavedItemRepository(store))
    let isTooLate = Task {
      try await Task.sleep(for: .seconds(30))
      print("FAILED: the view model has not followed within 30 s")
      exit(1)
    }
    for count in 1...3 {
      try await run("json-saver", "--store", path, "share", "number \(count)")
      for await shown in Observations({ model.items.first?.text }) where shown == "number \(count)" { break }
    }
    isTooLate.cancel()
    print("a list here shows \(model.items.count) items that json-saver has shared")
    return model.items.count == 3
  }

  /// Runs a program that was built beside this one.
  private static func run(_ name: String, _ arguments: String...) async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: name)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }
}
