#if os(Linux)
import Glibc

/// Wakes a thread that sleeps in `poll`. A pipe, since Swift's Glibc module does not know `eventfd`.
struct WakePipe {
  let reading: Int32
  private let writing: Int32

  /// `nil` if the system refuses; `errno` says why.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  func signal() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  func drain() {
    var byte: UInt8 = 0
    while read(reading, &byte, 1) > 0 {}
  }

  func close() {
    _ = Glibc.close(reading)
    _ = Glibc.close(writing)
  }
}
#endif
