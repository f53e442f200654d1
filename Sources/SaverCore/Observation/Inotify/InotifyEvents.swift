#if os(Linux)
import Glibc

/// What an inotify instance has to say, read at once: it never waits.
struct InotifyEvents: ~Copyable {
  struct Event {
    let watch: Int32
    let mask: UInt32
    /// The name in the watched folder; empty for the watched file itself.
    let name: String

    func says(_ any: Int32...) -> Bool { any.contains { mask & UInt32($0) != 0 } }
  }

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

  deinit { buffer.deallocate() }

  /// Calls `body` with each event that waits, up to a buffer full.
  ///
  /// - Returns: whether the instance can still be read.
  func read(from instance: Int32, _ body: (Event) -> Void) -> Bool {
    let count = Glibc.read(instance, buffer.baseAddress, buffer.count)
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= count {
      let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let end = offset + header + Int(event.len)
      guard end <= count else { break }
      body(Event(watch: event.wd, mask: event.mask, name: name(in: (offset + header)..<end)))
      offset = end
    }
    return true
  }

  /// The name in a part of the buffer, which is filled up with zeros; most events have none.
  private func name(in range: Range<Int>) -> String {
    range.isEmpty ? "" : String(decoding: buffer[range].prefix { $0 != 0 }, as: UTF8.self)
  }
}
#endif
