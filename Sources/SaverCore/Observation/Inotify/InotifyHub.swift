#if os(Linux)
import Glibc

/// The one inotify instance of the process, and the thread that reads it and runs the turns.
///
/// A user has 128 instances for all programs, so a process takes one, while anybody listens; the thread and the instance
/// end with the last member. The thread sleeps in `poll` until an event, a wake-up, or the earliest deadline of a member.
package final class InotifyHub: FileEventHub {
  private let calls: InotifyCalls

  // MARK: Mutable state
  /// Held for bookkeeping and system calls that do not wait; never while a turn runs or anything of a member's is released.
  private let state = Guarded(State())

  package init(_ calls: InotifyCalls = InotifyCalls()) {
    self.calls = calls
  }

  /// How many files are watched, and whether the thread runs: for tests.
  package var watchCount: Int { state.withLock { $0.watches?.count ?? 0 } }
  package var isRunning: Bool { state.withLock { $0.watches != nil } }

  // MARK: Members

  package func join(_ member: FileWatchMember, _ turn: @escaping @Sendable (WakeReasons) -> Deadline) -> String? {
    member.makeNotifyFile()
    return state.withLock { state in
      if state.watches == nil, let reason = begin(&state) { return reason }
      state.listeners[ObjectIdentifier(member)] = InotifyListener(member, turn)
      state.listen(ObjectIdentifier(member))
      return nil
    }
  }

  package func wake(_ member: FileWatchMember, _ reasons: WakeReasons) {
    state.withLock { state in
      guard let listener = state.listeners[ObjectIdentifier(member)] else { return }
      listener.reasons.note(reasons)
      state.endPoll()
    }
  }

  package func leave(_ member: FileWatchMember) {
    // Handed out, so that the turn and all it holds are released without the lock.
    _ = state.withLock { state in
      let listener = state.remove(ObjectIdentifier(member))
      if state.listeners.isEmpty { state.endPoll() }
      return listener
    }
  }

  package func renew(_ member: FileWatchMember) {
    member.makeNotifyFile()
    state.withLock { $0.listen(ObjectIdentifier(member)) }
  }

  package func degradation(of member: FileWatchMember) -> String? {
    state.withLock { $0.listeners[ObjectIdentifier(member)]?.problem }
  }

  // MARK: The thread

  /// Makes the instance and the thread.
  ///
  /// - Returns: why not, for people.
  private func begin(_ state: inout State) -> String? {
    let instance = calls.makeInstance()
    guard instance >= 0 else { return InotifyProblem.ofInstance(-instance) }
    guard let pipe = WakePipe() else {
      let number = errno
      close(instance)
      return InotifyProblem.ofInstance(number)
    }
    guard let timer = WakeTimer() else {
      let number = errno
      close(instance)
      pipe.close()
      return InotifyProblem.ofInstance(number)
    }
    let number = DetachedThread.start { [self] in run(instance, pipe, timer) }
    guard number == 0 else {
      close(instance)
      pipe.close()
      timer.close()
      return InotifyProblem.ofInstance(number)
    }
    state.watches = InotifyWatches(instance, calls)
    state.pipe = pipe
    return nil
  }

  private func run(_ instance: Int32, _ pipe: WakePipe, _ timer: WakeTimer) {
    let events = InotifyEvents()
    var timer = timer
    var descriptors = [pipe.reading, instance, timer.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while let deadline = state.withLock({ $0.beginPoll() }) {
      timer.set(deadline)
      poll(&descriptors, 3, -1)
      if descriptors[2].revents != 0 { timer.clear() }
      let due = state.withLock { state in
        state.isPolling = false
        if state.isSignalled { pipe.drain() }
        state.isSignalled = false
        if descriptors[1].revents != 0, !events.read(from: instance, { state.note($0) }) {
          // Somebody has closed what is not his. Without this the thread would spin.
          descriptors[1].fd = -1
          state.lose("The system's file events have ended.")
        }
        return state.due()
      }
      for member in due { takeTurn(member) }
    }
    // Closing an instance can take milliseconds. Whoever joins now has made another.
    close(instance)
    pipe.close()
    timer.close()
  }

  private func takeTurn(_ member: ObjectIdentifier) {
    guard let (turn, reasons) = state.withLock({ $0.beginTurn(member) }) else { return }
    let deadline = turn(reasons)
    state.withLock { $0.listeners[member]?.deadline = deadline }
  }
}

extension InotifyHub {
  private struct State {
    /// With an instance and a thread there are these two.
    var watches: InotifyWatches?
    var pipe: WakePipe?
    var listeners: [ObjectIdentifier: InotifyListener] = [:]
    /// The thread sleeps, or is about to.
    var isPolling = false
    /// Something lies in the pipe.
    var isSignalled = false

    /// Until when the thread is to sleep, `nil` if it is to end: there is nobody left.
    mutating func beginPoll() -> Deadline? {
      guard !listeners.isEmpty else {
        watches = nil
        pipe = nil
        isSignalled = false
        return nil
      }
      isPolling = true
      var first = Deadline.distantFuture
      for listener in listeners.values {
        if !listener.reasons.isEmpty { return Deadline(nanoseconds: 0) }
        first = min(first, listener.deadline)
      }
      return first
    }

    /// Wakes the thread if it sleeps.
    mutating func endPoll() {
      guard isPolling, !isSignalled, let pipe else { return }
      isSignalled = true
      pipe.signal()
    }

    /// Those for whom it is time.
    mutating func due() -> [ObjectIdentifier] {
      var due: [ObjectIdentifier] = []
      for (member, listener) in listeners {
        if listener.deadline.hasPassed { listener.reasons.insert(.time) }
        if !listener.reasons.isEmpty { due.append(member) }
      }
      return due
    }

    /// Takes the reasons for a turn; `nil` if the member has left.
    mutating func beginTurn(
      _ member: ObjectIdentifier
    ) -> (turn: @Sendable (WakeReasons) -> Deadline, reasons: WakeReasons)? {
      guard let listener = listeners[member] else { return nil }
      // Something was not there, or was refused, when it was to be watched.
      if !listener.hearsAll {
        listen(member)
        if listener.hearsAll { listener.reasons.formUnion([.place, .stirring]) }
      }
      let reasons = listener.reasons
      listener.reasons = []
      listener.deadline = .distantFuture
      return (listener.turn, reasons)
    }

    // MARK: Watching

    /// Watches what is at the paths of a member now: the folder first, so that what is made meanwhile is heard of.
    mutating func listen(_ member: ObjectIdentifier) {
      listeners[member]?.problem = nil
      for role in InotifyWatches.Role.allCases { listen(member, role) }
    }

    mutating func listen(_ member: ObjectIdentifier, _ role: InotifyWatches.Role) {
      guard let listener = listeners[member], watches != nil else { return }
      let user = InotifyWatches.User(member: member, role: role)
      let watch = watches?.set(user, listener.path(of: role), insteadOf: listener.watches[role]) ?? -EBADF
      listener.watches[role] = watch >= 0 ? watch : nil
      if watch < 0, let problem = InotifyProblem.ofWatch(-watch) { listener.problem = problem }
    }

    mutating func remove(_ member: ObjectIdentifier) -> InotifyListener? {
      guard let listener = listeners.removeValue(forKey: member) else { return nil }
      for (role, watch) in listener.watches {
        watches?.remove(InotifyWatches.User(member: member, role: role), from: watch)
      }
      return listener
    }

    /// No events come any more.
    mutating func lose(_ problem: String) {
      for member in listeners.keys { listeners[member]?.problem = problem }
    }

    // MARK: Events

    mutating func note(_ event: InotifyEvents.Event) {
      if event.says(IN_Q_OVERFLOW) {
        for member in listeners.keys {
          listen(member)
          listeners[member]?.reasons.note(.overflow)
        }
      } else if event.says(IN_IGNORED) {
        for user in watches?.forget(event.watch) ?? [] {
          listeners[user.member]?.watches[user.role] = nil
          if user.role == .folder { listeners[user.member]?.reasons.note(.place) }
        }
      } else {
        for user in watches?.users(of: event.watch) ?? [] { note(event, for: user) }
      }
    }

    private mutating func note(_ event: InotifyEvents.Event, for user: InotifyWatches.User) {
      switch user.role {
      case .notify:
        if event.says(IN_CLOSE_WRITE) { listeners[user.member]?.reasons.note(.commit) }
      case .stirring:
        if event.says(IN_MODIFY) { listeners[user.member]?.reasons.note(.stirring) }
      case .folder:
        if event.says(IN_DELETE_SELF, IN_MOVE_SELF) {
          listen(user.member)
          listeners[user.member]?.reasons.note(.place)
        } else {
          noteName(event, for: user.member)
        }
      }
    }

    /// A name in the folder now means another file, or none.
    private mutating func noteName(_ event: InotifyEvents.Event, for member: ObjectIdentifier) {
      guard let names = listeners[member]?.member else { return }
      let isMade = event.says(IN_CREATE, IN_MOVED_TO)
      if event.name == names.storeName { listeners[member]?.reasons.note(.place) }
      if event.name == names.notifyName {
        listen(member, .notify)
        // Whoever made it may have closed it before it was watched.
        if isMade { listeners[member]?.reasons.note(.commit) }
      }
      if event.name == names.stirringName {
        listen(member, .stirring)
        if isMade { listeners[member]?.reasons.note(.stirring) }
      }
    }
  }
}
#endif
