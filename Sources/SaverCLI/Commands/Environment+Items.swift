import FoundationEssentials
import SaverCore
import SaverKit

extension Environment {
  /// The clock and the ids of new items. `SAVER_TEST_NOW` (a date) and `SAVER_TEST_IDS` (a number from which the ids of
  /// this process are made, always the same) fix them, so that tests can compare whole outputs.
  var items: SavedItemRepository.Environment {
    var items = SavedItemRepository.Environment.live
    if let date = nonEmpty("SAVER_TEST_NOW").flatMap({ DateExpression.parse($0, now: EpochMilliseconds(Date.now)) }) {
      let now = date.date
      items.now = { now }
    }
    if let seed = nonEmpty("SAVER_TEST_IDS").flatMap({ UInt64($0) }) {
      let sequence = RepeatableIDs(seed: seed, at: items.now())
      items.makeID = { sequence.next() }
    }
    return items
  }
}

/// Ids that come again in the same order for the same seed and time.
private final class RepeatableIDs: Sendable {
  private let milliseconds: UInt64
  private let state: Guarded<UInt64>

  init(seed: UInt64, at date: Date) {
    milliseconds = UInt64(max(0, (date.timeIntervalSince1970 * 1000).rounded()))
    // Mixed first: the generator's states are multiples of one number, and sequences would only be parts of each other.
    var start = seed
    state = Guarded(Self.next(&start))
  }

  func next() -> UUID {
    state.withLock { state in
      UUID(version7At: milliseconds, random: (Self.next(&state), Self.next(&state)))
    }
  }

  /// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
