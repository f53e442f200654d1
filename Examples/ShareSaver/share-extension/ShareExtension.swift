import SaverKit
import SharedStore

/// What the system starts when somebody shares something: saves the texts, and is gone.
///
///     share-extension BACKEND PATH TEXT…
@main
enum ShareExtension {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    precondition(arguments.count >= 3, "share-extension BACKEND PATH TEXT…")
    let repository = SavedItemRepository(
      try SharedStore.open(arguments[1], at: arguments[2]))
    _ = try await repository.share(arguments.dropFirst(2).map { SharedText($0) })
  }
}
