#if os(Linux)
/// A member of the hub: what it hears, what it has heard, and when it wants its turn.
///
/// A class, because a structure of this size is copied whenever one of its values is changed in a dictionary: that was half
/// of what the hub did for a wake-up.
final class InotifyListener: @unchecked Sendable {
  let member: FileWatchMember
  let turn: @Sendable (WakeReasons) -> Deadline

  // MARK: Mutable state
  // Guarded by the hub's lock.
  var watches: [InotifyWatches.Role: Int32] = [:]
  /// What has happened since the last turn began.
  var reasons: WakeReasons = []
  var deadline = Deadline.distantFuture
  /// Why something is not heard, for people.
  var problem: String?

  init(_ member: FileWatchMember, _ turn: @escaping @Sendable (WakeReasons) -> Deadline) {
    self.member = member
    self.turn = turn
  }

  /// A file that is not there is heard of by its folder.
  var hearsAll: Bool { watches[.folder] != nil && problem == nil }

  func path(of role: InotifyWatches.Role) -> String {
    switch role {
    case .folder: member.folderPath
    case .notify: member.notifyPath
    case .stirring: member.stirringPath
    }
  }
}
#endif
