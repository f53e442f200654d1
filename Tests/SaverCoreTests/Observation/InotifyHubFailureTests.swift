import Foundation
import Glibc
import Testing

@testable import SaverCore

/// What happens when the system refuses file events, or loses some.
@Suite struct InotifyHubFailureTests {
  private let folder = TemporaryFolder()
  private let turns = TurnLog()
  private var storePath: String { folder.path(of: "store") }
  private var notifyPath: String { storePath + "-notify" }

  private func source(_ hub: (any FileEventHub)?) -> FileWakeSource {
    FileWakeSource(storePath: storePath, notifyPath: notifyPath, stirringPath: storePath + "-wal", hub: hub)
  }

  @Test(arguments: [EMFILE, ENOSYS, ENOMEM])
  func withoutAnInstanceTimePasses(_ number: Int32) throws {
    let hub = InotifyHub(InotifyCalls(makeInstance: { -number }))
    let source = source(hub)
    source.start(turns.turn)
    let degradation = try #require(source.degradation)
    #expect(degradation.contains("file events"))
    #expect(degradation.contains("with a delay"))
    turns.askAgain(milliseconds: 1)
    source.wake(.commit)
    turns.wait(for: [.commit, .time])
    source.renew()
    source.stop()
    #expect(!hub.isRunning)
  }

  @Test func aSystemWithoutFileEvents() {
    let source = source(nil)
    source.start(turns.turn)
    #expect(source.degradation != nil)
    source.wake(.request)
    turns.wait(for: .request)
    source.stop()
  }

  @Test func withoutWatchesTimePassesUntilThereAreSome() throws {
    let allows = Flag()
    let hub = InotifyHub(
      InotifyCalls(addWatch: { allows.isSet ? InotifyCalls.systemWatch($0, $1, $2) : -ENOSPC }))
    let source = source(hub)
    source.start(turns.turn)
    #expect(try #require(source.degradation).contains("max_user_watches"))
    turns.askAgain(milliseconds: 1)
    source.wake(.request)
    turns.wait(for: [.request, .time])
    #expect(source.degradation != nil)
    // Each turn tries again.
    allows.set()
    source.wake(.request)
    turns.wait(for: [.request, .place, .stirring])
    #expect(source.degradation == nil)
    close(open(notifyPath, O_WRONLY | O_CLOEXEC))
    turns.wait(for: .commit)
    source.stop()
  }

  @Test func oneRefusedWatchIsDegraded() {
    let hub = InotifyHub(
      InotifyCalls(addWatch: { [notifyPath] in $1 == notifyPath ? -ENOSPC : InotifyCalls.systemWatch($0, $1, $2) }))
    let source = source(hub)
    source.start(turns.turn)
    #expect(source.degradation != nil)
    source.stop()
  }

  @Test func lostEventsAreTold() throws {
    // The queue holds so many events; equal ones in a row are one, so two files take turns.
    let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let queued = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    try #require(queued <= 1 << 20)
    let walPath = storePath + "-wal"
    let wal = open(walPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(wal) }
    let source = source(InotifyHub())
    let entered = DispatchSemaphore(value: 0)
    let goesOn = DispatchSemaphore(value: 0)
    source.start { [turns] reasons in
      if reasons == .request {
        entered.signal()
        goesOn.wait()
      }
      return turns.turn(reasons)
    }
    source.wake(.request)
    entered.wait()
    for _ in 0...(queued / 2 + 1) {
      #expect(pwrite(wal, "x", 1, 0) == 1)
      close(open(notifyPath, O_WRONLY | O_CLOEXEC))
    }
    goesOn.signal()
    turns.wait(for: .overflow)
    // It listens on.
    source.wake(.place)
    turns.wait(for: .place)
    close(open(notifyPath, O_WRONLY | O_CLOEXEC))
    turns.wait(for: .commit)
    source.stop()
  }

  @Test func anInstanceThatSomebodyClosesIsLostNotSpunOn() throws {
    let hub = InotifyHub(
      InotifyCalls(makeInstance: {
        // An ordinary file in its place reads as ended.
        open("/dev/null", O_RDONLY | O_CLOEXEC)
      }))
    let source = source(hub)
    source.start(turns.turn)
    #expect(source.degradation != nil)
    turns.askAgain(milliseconds: 1)
    source.wake(.request)
    turns.wait(for: [.request, .time])
    #expect(source.degradation != nil)
    source.stop()
  }
}
