#if os(Linux)
import Glibc

/// The watches of an inotify instance, and whom each is for.
///
/// The system gives one number for one file, whoever asks and by whatever path: sources of one folder share its watch, and
/// it goes with the last of them.
struct InotifyWatches {
  /// What a source listens to a file for.
  enum Role: CaseIterable {
    case folder, notify, stirring

    /// Not MODIFY on the folder: any log file there would keep us awake.
    var mask: UInt32 {
      switch self {
      case .folder:
        UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
          | UInt32(IN_ONLYDIR)
      case .notify: UInt32(IN_CLOSE_WRITE)
      case .stirring: UInt32(IN_MODIFY)
      }
    }
  }

  struct User: Equatable {
    let member: ObjectIdentifier
    let role: Role
  }

  let instance: Int32
  private let calls: InotifyCalls
  private var users: [Int32: [User]] = [:]

  init(_ instance: Int32, _ calls: InotifyCalls) {
    self.instance = instance
    self.calls = calls
  }

  var count: Int { users.count }

  func users(of watch: Int32) -> [User] { users[watch] ?? [] }

  /// Watches what is at the path now, for a user who had `old` there before.
  ///
  /// - Returns: the watch, or the system's error number negated.
  mutating func set(_ user: User, _ path: String, insteadOf old: Int32?) -> Int32 {
    // Added to the mask that the file may be watched with for somebody else already.
    let watch = calls.addWatch(instance, path, user.role.mask | UInt32(IN_MASK_ADD))
    if let old, old != watch { remove(user, from: old) }
    if watch >= 0, old != watch { users[watch, default: []].append(user) }
    return watch
  }

  mutating func remove(_ user: User, from watch: Int32) {
    users[watch]?.removeAll { $0 == user }
    guard users[watch]?.isEmpty == true else { return }
    users[watch] = nil
    // Fails if the file has gone meanwhile, and the watch with it.
    inotify_rm_watch(instance, watch)
  }

  /// The system has ended a watch, since its file is gone. Numbers are not used again.
  mutating func forget(_ watch: Int32) -> [User] {
    users.removeValue(forKey: watch) ?? []
  }
}
#endif
