import Foundation
import Observation
import SaverCore
import SaverKit
import SharedStore

/// Holds the store open, shows it in two lists, and has another program share into it: the naive list goes stale, the view
/// model stays true.
@main
struct ShareApp {
  static func main() async throws {
    endAfterTooLong()
    var isAsPromised = true
    for backend in SharedStore.registry.names {
      let folder = FileManager.default.temporaryDirectory.appending(path: "share-saver-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      if try await !show(backend, at: folder.appending(path: "items").path) { isAsPromised = false }
    }
    exit(isAsPromised ? 0 : 1)
  }

  @MainActor
  private static func show(_ backend: String, at path: String) async throws -> Bool {
    let repository = SavedItemRepository(try SharedStore.open(backend, at: path))
    let naive = NaiveList(repository)
    let model = SavedItemListViewModel(repository)
    try await naive.load()
    var counts: [Counts] = []

    try await naive.share("shared by the app")
    await reached(1, by: model)
    counts.append(try await Counts(naive, model, repository, backend, path))

    let author = try await run("share-extension", backend, path, "https://swift.org", "a thought")
    await reached(3, by: model)
    counts.append(try await Counts(naive, model, repository, backend, path))

    print(line(backend, ["naive list", "view model", "repository", "fresh snapshot"]))
    print(line("  the app has shared", counts[0].columns))
    print(line("  process \(author) has, too", counts[1].columns))
    return counts == [
      Counts(naive: 1, model: 1, repository: 1, snapshot: 1),
      Counts(naive: 1, model: 3, repository: 3, snapshot: 3),
    ]
  }

  private static func line(_ title: String, _ columns: [String]) -> String {
    ([title] + columns).enumerated()
      .map { $1.padding(toLength: $0 == 0 ? 26 : 15, withPad: " ", startingAt: 0) }.joined()
  }

  /// Waits until the model shows so many items: it says when it changes.
  @MainActor
  private static func reached(_ count: Int, by model: SavedItemListViewModel) async {
    for await shown in Observations({ model.items.count }) where shown == count { return }
  }

  /// Runs a program that was built beside this one; its process number, when it has ended.
  private static func run(_ name: String, _ arguments: String...) async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: name)
    process.arguments = arguments
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return process.processIdentifier
  }

  /// A list that never gets there is a failure, too.
  private static func endAfterTooLong() {
    Task.detached {
      try await Task.sleep(for: .seconds(30))
      print("FAILED: the view model has not followed within 30 s")
      exit(1)
    }
  }
}

/// How many items there are, in four views.
private struct Counts: Equatable {
  var naive: Int
  var model: Int
  var repository: Int
  /// Of a handle that was opened just now.
  var snapshot: Int

  init(naive: Int, model: Int, repository: Int, snapshot: Int) {
    (self.naive, self.model, self.repository, self.snapshot) = (naive, model, repository, snapshot)
  }

  @MainActor
  init(
    _ naive: NaiveList, _ model: SavedItemListViewModel, _ repository: SavedItemRepository, _ backend: String,
    _ path: String
  ) async throws {
    self.naive = naive.items.count
    self.model = model.items.count
    self.repository = try await repository.count()
    snapshot = try SharedStore.open(backend, at: path).read { try $0.count(Query<SavedItem>()) }
  }

  var columns: [String] { [naive, model, repository, snapshot].map { String($0) } }
}
