import Glibc

/// Times that two processes share: a file of numbers, mapped by both. 0: not yet.
final class SharedTimes {
  let count: Int
  let times: UnsafeMutablePointer<Int64>

  init(_ path: String, count: Int) throws {
    self.count = count
    let size = count * MemoryLayout<Int64>.stride
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FloorError(code: errno, doing: "opening the shared times") }
    defer { close(descriptor) }
    guard ftruncate(descriptor, size) == 0,
      let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
    else { throw FloorError(code: errno, doing: "mapping the shared times") }
    times = memory.bindMemory(to: Int64.self, capacity: count)
  }

  deinit {
    munmap(times, count * MemoryLayout<Int64>.stride)
  }

  /// Looks until the other process has noted something, for a minute at most.
  func wait(for place: Int) throws {
    for _ in 0..<600_000 {
      if times[place] != 0 { return }
      usleep(100)
    }
    throw FloorError(code: ETIMEDOUT, doing: "waiting for another process")
  }
}
