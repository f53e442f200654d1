import Dispatch

/// Where work that blocks is done: on threads that are not those of the cooperative pool, as many as are needed.
enum BlockingWork {
  private static let queue = DispatchQueue(label: "saver.blocking-work", attributes: .concurrent)

  /// Runs `body` on such a thread and suspends the caller meanwhile. Not cancelled once it runs: a commit is not to be
  /// torn from its result.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result(catching: body)) }
    }
  }
}
