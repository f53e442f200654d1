import Testing

@testable import SaverCore

@Suite struct CheckScheduleTests {
  private static let start: Int64 = 1_000_000_000_000
  private static func at(_ milliseconds: Double) -> Int64 { start + Int64(milliseconds * 1_000_000) }

  /// A schedule whose first ladder is over.
  private func quiet() -> CheckSchedule {
    var schedule = CheckSchedule(at: Self.start)
    #expect(schedule.duty(for: .request, at: Self.at(100)).checks)
    schedule.succeeded(.request, isNew: false)
    return schedule
  }

  /// The times, in milliseconds from the first, at which a schedule checks if nothing but time passes.
  private func checks(_ schedule: inout CheckSchedule, from first: Double, until end: Double) -> [Double] {
    var times: [Double] = []
    while schedule.next < Self.at(end) {
      let now = schedule.next
      if schedule.duty(for: .time, at: now).checks {
        times.append(Double(now - Self.at(first)) / 1_000_000)
        schedule.succeeded(.time, isNew: false)
      }
    }
    return times
  }

  @Test func aLadderFollowsTheStart() {
    var schedule = CheckSchedule(at: Self.start)
    #expect(checks(&schedule, from: 0, until: 499) == [1, 5, 20, 100])
  }

  @Test func stirringIsCheckedOnALadder() {
    var schedule = quiet()
    #expect(schedule.duty(for: .stirring, at: Self.at(200)) == CheckSchedule.Duty(rehearses: true))
    #expect(checks(&schedule, from: 200, until: 499) == [1, 5, 20, 100])
  }

  @Test func stirringRestartsTheLadderAtMostEvery5Milliseconds() {
    var schedule = quiet()
    for time in stride(from: 200, to: 200.9, by: 0.1) {
      #expect(!schedule.duty(for: .stirring, at: Self.at(time)).checks, "at \(time)")
    }
    #expect(checks(&schedule, from: 200, until: 499) == [1, 6, 10, 25, 105])
  }

  @Test func stirringWithoutEndIsCheckedOnceIn5Milliseconds() {
    var schedule = quiet()
    var count = 0
    for step in 0..<1_000 {
      if schedule.duty(for: .stirring, at: Self.at(200 + Double(step) / 10)).checks { count += 1 }
    }
    // 100 ms: twenty ladders of which one rung is reached.
    #expect(count == 20)
  }

  /// When there is a rehearsal, in milliseconds after `start`, if the files are written to every 0.05 ms.
  private func rehearsals(_ schedule: inout CheckSchedule, from start: Int, until end: Int) -> [Double] {
    (0..<20 * (end - start)).compactMap { step in
      let time = Double(step) / 20
      return schedule.duty(for: .stirring, at: Self.at(Double(start) + time)).rehearses ? time : nil
    }
  }

  @Test func stirringIsRehearsedForUnlessTheStoreWasJustChecked() {
    var schedule = quiet()
    // It has looked at 100.
    #expect(!schedule.duty(for: .stirring, at: Self.at(100.9)).rehearses)
    #expect(schedule.duty(for: .stirring, at: Self.at(101)).rehearses)
    // A rung of the ladder.
    #expect(schedule.duty(for: .stirring, at: Self.at(101.9)) == CheckSchedule.Duty(checks: true))
    #expect(!schedule.duty(for: .stirring, at: Self.at(102.8)).rehearses)
    #expect(schedule.duty(for: .stirring, at: Self.at(102.9)).rehearses)
    #expect(schedule.duty(for: [.stirring, .commit], at: Self.at(104)) == CheckSchedule.Duty(checks: true))
    schedule.succeeded([.stirring, .commit], isNew: true)
    #expect(!schedule.duty(for: .time, at: Self.at(110)).rehearses)
  }

  @Test func rehearsalsComeMoreAndMoreSeldom() {
    var schedule = quiet()
    // Checks are due at 1 and at 6.
    #expect(rehearsals(&schedule, from: 200, until: 205) == [0, 0.1, 0.3, 0.7, 2, 2.1, 2.3, 2.7, 3.5, 4.5])
    schedule = quiet()
    // However long the files are written to.
    #expect(rehearsals(&schedule, from: 200, until: 300).count <= 200)
  }

  @Test func aCommitEndsTheLadderIfItBringsSomething() {
    var schedule = quiet()
    _ = schedule.duty(for: .stirring, at: Self.at(200))
    #expect(schedule.duty(for: .commit, at: Self.at(200.2)).checks)
    schedule.succeeded(.commit, isNew: false)
    #expect(schedule.next == Self.at(201))
    _ = schedule.duty(for: .stirring, at: Self.at(200.3))
    #expect(schedule.duty(for: .commit, at: Self.at(200.4)).checks)
    schedule.succeeded(.commit, isNew: true)
    #expect(schedule.next == Self.at(500))
  }

  @Test func writingBehindACommitKeepsTheLadder() {
    var schedule = quiet()
    var reasons: WakeReasons = []
    reasons.note(.commit)
    reasons.note(.stirring)
    #expect(reasons == [.commit, .stirring, .stirredAgain])
    #expect(schedule.duty(for: reasons, at: Self.at(200)).checks)
    schedule.succeeded(reasons, isNew: true)
    #expect(checks(&schedule, from: 200, until: 499) == [1, 5, 20, 100])

    reasons.note(.commit)
    #expect(reasons == [.commit, .stirring])
    #expect(schedule.duty(for: reasons, at: Self.at(499)).checks)
    schedule.succeeded(reasons, isNew: true)
    #expect(schedule.next == Self.at(500))
  }

  @Test func theSlowCheckLooksAfterTheStore() {
    var schedule = quiet()
    #expect(schedule.next == Self.at(500))
    #expect(schedule.duty(for: .time, at: Self.at(499.9)) == CheckSchedule.Duty())
    #expect(schedule.duty(for: .time, at: Self.at(500)) == CheckSchedule.Duty(checks: true, looksAfterStore: true))
    schedule.succeeded(.time, isNew: false)
    #expect(schedule.next == Self.at(1_000))
    // Others do not put it off.
    _ = schedule.duty(for: .commit, at: Self.at(700))
    schedule.succeeded(.commit, isNew: true)
    #expect(schedule.next == Self.at(1_000))
  }

  @Test func theSlowCheckComesMoreOftenWithoutEvents() {
    var schedule = quiet()
    schedule.isDegraded = true
    #expect(checks(&schedule, from: 0, until: 450) == [100, 200, 300, 400])
  }

  @Test func lostEventsAndTheStoresNameAreLookedAfter() {
    for reasons in [WakeReasons.overflow, .place] {
      var schedule = quiet()
      #expect(schedule.duty(for: reasons, at: Self.at(200)) == CheckSchedule.Duty(checks: true, looksAfterStore: true))
      schedule.succeeded(reasons, isNew: false)
      #expect(schedule.next == (reasons == .overflow ? Self.at(201) : Self.at(500)))
    }
  }

  @Test func aFailureIsTriedAgainWithGrowingPauses() {
    var schedule = quiet()
    var now = Self.at(200)
    var pauses: [Int64] = []
    #expect(schedule.duty(for: .place, at: now).looksAfterStore)
    for _ in 0..<12 {
      schedule.failed(at: now)
      let next = schedule.next
      pauses.append((next - now) / 1_000_000)
      now = next
      // What was owed then is still owed.
      #expect(schedule.duty(for: .time, at: now) == CheckSchedule.Duty(checks: true, looksAfterStore: true))
    }
    #expect(pauses.prefix(8) == [1, 2, 4, 8, 16, 32, 64, 128])
    #expect(pauses.dropFirst(8).allSatisfy { $0 <= 250 })
    #expect(schedule.failures == 12)
    schedule.succeeded(.time, isNew: false)
    #expect(schedule.failures == 0)
    #expect(!schedule.duty(for: .time, at: now + 1_000_000).checks)
  }
}
