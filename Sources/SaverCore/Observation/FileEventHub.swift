/// What tells the sources of a process about file events, and runs their turns.
///
/// Isolation: every function may be called from any thread, also from within a turn.
package protocol FileEventHub: AnyObject, Sendable {
  /// Begins to listen for a member, and to run its turns.
  ///
  /// - Returns: why nothing can be listened to and no turns will come, for people; `nil` if the member has joined.
  func join(_ member: FileWatchMember, _ turn: @escaping @Sendable (WakeReasons) -> Deadline) -> String?
  /// Asks for a turn.
  func wake(_ member: FileWatchMember, _ reasons: WakeReasons)
  /// Begins no further turn for the member, and forgets it.
  func leave(_ member: FileWatchMember)
  /// Listens to what is at the member's paths now.
  func renew(_ member: FileWatchMember)
  /// Why the member does not hear everything, for people.
  func degradation(of member: FileWatchMember) -> String?
}

/// What this system offers.
enum FileEventHubs {
  #if os(Linux)
  static let shared: (any FileEventHub)? = InotifyHub()
  #else
  static let shared: (any FileEventHub)? = nil
  #endif
}
