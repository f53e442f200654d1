#if os(Linux)
import Glibc
@testable import SaverCore
import Testing

@Suite struct WakeTimerTests {
  /// Whether the timer wakes a thread that sleeps for at most so long.
  private func wakes(_ timer: WakeTimer, within milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) == 1
  }

  @Test func itWakesWhenTheTimeHasComeAndNotBefore() throws {
    var timer = try #require(WakeTimer())
    defer { timer.close() }
    #expect(!wakes(timer, within: 0))
    let deadline = Deadline(milliseconds: 20)
    timer.set(deadline)
    #expect(wakes(timer, within: 60_000) && deadline.hasPassed)
    // Until somebody says that he has noticed.
    #expect(wakes(timer, within: 0))
    timer.clear()
    #expect(!wakes(timer, within: 0))
    // The same time again is a time that has passed.
    timer.set(deadline)
    #expect(wakes(timer, within: 60_000))
  }

  @Test func anotherTimeTakesThePlaceOfTheOneBefore() throws {
    var timer = try #require(WakeTimer())
    defer { timer.close() }
    timer.set(Deadline(milliseconds: 3_600_000))
    #expect(!wakes(timer, within: 0))
    timer.set(Deadline(milliseconds: 1))
    #expect(wakes(timer, within: 60_000))
    // What has come is forgotten.
    timer.set(Deadline(milliseconds: 3_600_000))
    #expect(!wakes(timer, within: 0))
    timer.set(Deadline(milliseconds: 0))
    #expect(wakes(timer, within: 60_000))
    timer.set(.distantFuture)
    #expect(!wakes(timer, within: 0))
  }
}
#endif
