public import FoundationEssentials
import Glibc
import Synchronization

extension UUID {
  /// A new identifier, version 7 (RFC 9562): milliseconds since 1970, then random bits.
  ///
  /// Nearly in the order of creation, which keeps the tree of ids and its cache hot; nothing may rely on that order:
  /// clocks go back, and processes do not agree. Costs about 0.1 µs where `UUID()` opens the random device each time.
  public static func version7() -> UUID {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let milliseconds = UInt64(max(0, now.tv_sec)) &* 1000 &+ UInt64(now.tv_nsec) / 1_000_000
    let (high, low) = randomness.withLock { $0.next() }
    return UUID(version7At: milliseconds, random: (high, low))
  }

  /// Makes the identifier of a time and 74 random bits; for tests and for generators that can be repeated.
  public init(version7At milliseconds: UInt64, random: (UInt64, UInt64)) {
    let high = (milliseconds << 16) | 0x7000 | (random.0 & 0x0fff)
    let low = (random.1 & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000
    self.init(uuid: unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
  }
}

/// Guarded by its mutex. A child of `fork` would repeat its parent's numbers: it is found by its process id.
private let randomness = Mutex(Randomness())

/// Random numbers of the kernel, fetched 256 bytes at a time.
private struct Randomness {
  private var buffer = [UInt64](repeating: 0, count: 32)
  private var position = 32
  private var process: pid_t = 0

  mutating func next() -> (UInt64, UInt64) {
    if position + 2 > buffer.count || process != getpid() { refill() }
    defer { position += 2 }
    return (buffer[position], buffer[position + 1])
  }

  private mutating func refill() {
    process = getpid()
    position = 0
    let filled = buffer.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
    // `getentropy` fails only for more than 256 bytes or without the system call; the standard generator asks elsewhere.
    if filled != 0 {
      var generator = SystemRandomNumberGenerator()
      for index in buffer.indices { buffer[index] = generator.next() }
    }
  }
}
