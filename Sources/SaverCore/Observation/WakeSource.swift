/// Why a turn is taken. Several reasons may have come together.
public struct WakeReasons: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The time has come that the last turn asked for.
  public static let time = WakeReasons(rawValue: 1)
  /// A commit is complete: a writer that uses this library said so, in this process or another.
  public static let commit = WakeReasons(rawValue: 2)
  /// The store's files were written to: a commit may be about to become visible.
  public static let stirring = WakeReasons(rawValue: 4)
  /// Something happened to the store's own name: made, removed, renamed, replaced.
  public static let place = WakeReasons(rawValue: 8)
  /// Events were lost: anything may have happened.
  public static let overflow = WakeReasons(rawValue: 16)
  /// Asked for from within the process: a query begins, or wants more.
  public static let request = WakeReasons(rawValue: 32)
  /// Beside ``commit`` and ``stirring``: the files were written to once more after the commit. Without it the writing
  /// was part of that commit, or came before it.
  public static let stirredAgain = WakeReasons(rawValue: 64)

  /// Adds what has happened after all that is in the set.
  mutating func note(_ later: WakeReasons) {
    if later.contains(.commit) { remove(.stirredAgain) }
    if later.contains(.stirring), contains(.commit) { insert(.stirredAgain) }
    formUnion(later)
  }
}

/// What wakes the observer of a store: a thread that takes a turn whenever something may have changed.
///
/// A wake-up is a hint, the truth is in the store: one too many costs a check, one too few is made up for by the slow
/// check. A store on local files listens to the file system; a server engine would wait on its connection instead; the
/// portable one only lets time pass.
///
/// Isolation: every function may be called from any thread, also from within a turn.
public protocol WakeSource: AnyObject, Sendable {
  /// Begins to listen, and returns when nothing that happens from now on can be missed.
  ///
  /// - Parameter turn: called on a thread of the source's own, one call at a time. It returns when it wants to be called
  ///   again at the latest. Turns may take long, and never wait for a consumer.
  /// - Precondition: called once.
  func start(_ turn: @escaping @Sendable (WakeReasons) -> Deadline)

  /// Asks for a turn soon.
  func wake(_ reasons: WakeReasons)

  /// Ends the turns: none begins after this has returned. One that runs on another thread may still be running.
  func stop()

  /// Why changes may be noticed late, for people: the system refuses watches. `nil` if all is well.
  var degradation: String? { get }

  /// Called by the observer when the store has got a new place: its folder or files were made again. Listens to those.
  func renew()
}
