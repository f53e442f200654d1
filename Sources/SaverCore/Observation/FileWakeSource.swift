/// Wakes the observer of a store on local files: by file events, which other processes cause when they commit.
///
/// It listens to three names in one folder. The *store*: made, removed, renamed, replaced. The *notify file*: closed after
/// being opened for writing, which every writer of this library does behind a commit. The *stirring file*: written to,
/// which says that a commit of any program may be about to become visible.
///
/// All sources of a process share one thread and one set of watches (``InotifyHub``). Where file events cannot be had it
/// lets time pass as a ``TimedWakeSource`` does, and says why.
public final class FileWakeSource: WakeSource {
  private let member: FileWatchMember
  private let hub: (any FileEventHub)?
  /// What stands in where there are no file events.
  private let timed = TimedWakeSource()

  // MARK: Mutable state
  /// Why only time passes; `nil` if there are file events. Set once, when the source starts, while others may ask.
  private let timedReason = Guarded<String?>(nil)

  /// - Parameters:
  ///   - storePath: the store's file, with symbolic links resolved.
  ///   - notifyPath: the file that writers touch; made if it is missing. In the store's folder.
  ///   - stirringPath: the file that an engine writes before a commit is visible; may be the store's own, and need not
  ///     be there. In the store's folder.
  public convenience init(storePath: String, notifyPath: String, stirringPath: String) {
    self.init(storePath: storePath, notifyPath: notifyPath, stirringPath: stirringPath, hub: FileEventHubs.shared)
  }

  package init(storePath: String, notifyPath: String, stirringPath: String, hub: (any FileEventHub)?) {
    member = FileWatchMember(storePath: storePath, notifyPath: notifyPath, stirringPath: stirringPath)
    self.hub = hub
  }

  deinit { stop() }

  public func start(_ turn: @escaping @Sendable (WakeReasons) -> Deadline) {
    guard let hub else { return startTimed("This system has no file events.", turn) }
    if let reason = hub.join(member, turn) { startTimed(reason, turn) }
  }

  public func wake(_ reasons: WakeReasons) {
    if isTimed { timed.wake(reasons) } else { hub?.wake(member, reasons) }
  }

  public func stop() {
    if isTimed { timed.stop() } else { hub?.leave(member) }
  }

  public func renew() {
    if !isTimed { hub?.renew(member) }
  }

  public var degradation: String? {
    let reason = timedReason.withLock { $0 } ?? hub?.degradation(of: member)
    return reason.map { $0 + " Changes by other programs are noticed with a delay." }
  }

  private var isTimed: Bool { timedReason.withLock { $0 != nil } }

  private func startTimed(_ reason: String, _ turn: @escaping @Sendable (WakeReasons) -> Deadline) {
    timedReason.withLock { $0 = reason }
    timed.start(turn)
  }
}
