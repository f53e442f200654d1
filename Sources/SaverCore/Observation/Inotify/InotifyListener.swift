#if os(Linux)
/// A member of the hub: what it hears, what it has heard, and when it wants its turn.
struct InotifyListener {
  let member: FileWatchMember
  let turn: @Sendable (WakeReasons) -> Deadline
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
