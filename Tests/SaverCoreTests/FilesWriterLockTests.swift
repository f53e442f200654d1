import Foundation
import Glibc
import Testing

@testable import SaverCore

/// The lock inside one process: exclusion, the queue, deadlines, the record.
@Suite struct FilesWriterLockTests {
  let folder = TemporaryFolder()
  var path: String { folder.path(of: "items.lock") }

  @Test func anUnusedLockMakesNoFile() {
    _ = WriterLock(path: path)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func theFileIsForItsOwnerAndNamesTheProcess() throws {
    let lock = WriterLock(path: path)
    try lock.withLock(until: .distantFuture) {}
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("\(getpid()) ") && text.hasSuffix("\n") && text.utf8.count == 64)
  }

  @Test func theResultAndTheErrorOfTheBodyComeBack() throws {
    struct Stop: Error {}
    let lock = WriterLock(path: path)
    #expect(try lock.withLock(until: .distantFuture) { 7 } == 7)
    #expect(throws: Stop.self) { try lock.withLock(until: .distantFuture) { throw Stop() } }
    #expect(try lock.withLock(until: Deadline(milliseconds: 0)) { true }, "an error releases the lock")
  }

  @Test func threadsExcludeEachOther() throws {
    let lock = WriterLock(path: path)
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { count.deallocate() }
    count.pointee = 0
    let address = UInt(bitPattern: count)
    // Not atomic: the lock alone makes the sum right, and orders the accesses for the thread sanitizer.
    try onEightThreads(lock: { lock }, run: { UnsafeMutablePointer<Int>(bitPattern: address)!.pointee += 1 })
    #expect(count.pointee == 2_000)
  }

  @Test func locksOnOnePathExcludeEachOther() throws {
    let path = path
    let count = Counter()
    // Two steps: the lock alone makes the sum right. (The sanitizer does not know that `flock` orders anything.)
    try onEightThreads(lock: { WriterLock(path: path) }, run: { count.set(count.value + 1) })
    #expect(count.value == 2_000)
  }

  /// Runs a body 250 times under the lock on each of eight threads.
  private func onEightThreads(
    lock: @escaping @Sendable () -> WriterLock, run body: @escaping @Sendable () -> Void
  ) throws {
    let failures = Guarded<[String]>([])
    inThreads(8) { _ in
      let lock = lock()
      for _ in 0..<250 {
        do {
          try lock.withLock(until: Deadline(milliseconds: 30_000)) { body() }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func nobodyWaitsLong() throws {
    // Eight writers without pauses, each with its own descriptor, as eight processes have. Measured: tens of
    // milliseconds at most; trying again and again instead of waiting gives one to two seconds.
    let slowest = Guarded<Int64>(0)
    let failures = Guarded<[String]>([])
    inThreads(8) { _ in
      let lock = WriterLock(path: path)
      let end = Deadline(milliseconds: 1_500)
      while !end.hasPassed {
        let limit = Deadline(milliseconds: 30_000)
        do {
          let before = limit.remainingNanoseconds
          try lock.acquire(until: limit)
          let waited = before - limit.remainingNanoseconds
          usleep(300)
          lock.release()
          slowest.withLock { $0 = max($0, waited) }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let milliseconds = Double(slowest.withLock { $0 }) / 1e6
    print("slowest wait of eight writers: \(milliseconds) ms")
    #expect(milliseconds < 800)
  }

  @Test func whoeverReleasesComesBehindThoseWhoWait() throws {
    // A writer without pauses wants the lock again before the one that waits for it in `flock` has woken.
    let hog = WriterLock(path: path)
    let (turns, isOver) = (Counter(), Counter())
    let thread = RunningThread {
      while isOver.value == 0 {
        try? hog.withLock(until: Deadline(milliseconds: 30_000)) {
          turns.set(turns.value + 1)
          // Longer than a turn.
          usleep(3_000)
        }
      }
    }
    var overtaken: [Int] = []
    for _ in 0..<100 {
      let lock = WriterLock(path: path)
      // It is the other's again.
      let seen = turns.value
      while turns.value == seen { sched_yield() }
      let before = turns.value
      try lock.acquire(until: Deadline(milliseconds: 30_000))
      overtaken.append(turns.value - before)
      lock.release()
    }
    isOver.set(1)
    thread.join()
    overtaken.sort()
    print("overtaken: median \(overtaken[50]), most \(overtaken[99])")
    // The turn that was under way, the one before the waiting has begun, and a late start of its thread now and then.
    #expect(overtaken[50] <= 2)
    #expect(overtaken[90] <= 5)
  }

  @Test func aTurnIsNotInterrupted() throws {
    /// How often a lock is got again while another waits for it.
    func timesGotAgain(turn: Int64) throws -> Int {
      let (mine, other) = (WriterLock(path: path, turn: turn), WriterLock(path: path))
      try mine.acquire(until: .distantFuture)
      let isOver = Counter()
      let thread = RunningThread {
        try? other.withLock(until: .distantFuture) { isOver.set(1) }
      }
      waitForTheTurnstile()
      var times = 0
      while times < 100, isOver.value == 0 {
        mine.release()
        do {
          try mine.acquire(until: Deadline(milliseconds: 0))
          // Otherwise the one that waited has had its turn, and this thread was late.
          if isOver.value == 0 { times += 1 }
        } catch {
          // The one that waited has it.
          thread.join()
          return times
        }
      }
      mine.release()
      thread.join()
      return times
    }
    #expect(try timesGotAgain(turn: 0) == 0)
    #expect(try timesGotAgain(turn: 60_000_000_000) > 0)
  }

  /// Waits until somebody who waits for the lock has begun to.
  private func waitForTheTurnstile() {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let getOpenFileLock: Int32 = 36
    var request = flock()
    repeat {
      request = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
      usleep(100)
    } while fcntl(descriptor, getOpenFileLock, &request) == 0 && request.l_type == F_UNLCK
  }

  @Test func theQueueIsFirstComeFirstServed() throws {
    let lock = WriterLock(path: path)
    let order = Guarded<[Int]>([])
    try lock.acquire(until: .distantFuture)
    let threads = (0..<5).map { number in
      let thread = RunningThread {
        try? lock.withLock(until: .distantFuture) { order.withLock { $0.append(number) } }
      }
      // In the queue: the thread sleeps, and nothing but the lock can make it.
      thread.waitUntilItSleeps()
      return thread
    }
    lock.release()
    for thread in threads { thread.join() }
    #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
  }

  @Test func aDeadlineEndsTheWaitForAnotherThread() throws {
    let lock = WriterLock(path: path)
    try lock.acquire(until: .distantFuture)
    let outcome = Guarded<(error: StorageError?, milliseconds: Double)>((nil, 0))
    RunningThread {
      let start = Deadline(milliseconds: 60_000)
      do {
        try lock.withLock(until: Deadline(milliseconds: 100)) {}
      } catch {
        let waited = Double(60_000_000_000 - start.remainingNanoseconds) / 1e6
        outcome.withLock { $0 = (error as? StorageError, waited) }
      }
    }.join()
    let (error, milliseconds) = outcome.withLock { $0 }
    #expect(error?.code == .busy && error?.path == path)
    #expect(error?.message.contains("this process (\(getpid()))") == true)
    #expect(milliseconds >= 100 && milliseconds < 2_000)
    lock.release()
    try lock.withLock(until: Deadline(milliseconds: 0)) {}
  }

  // MARK: The record

  @Test func theStoreIsRecordedForOthersAndForgotten() throws {
    let identity = FileIdentity(device: .max, inode: .max)
    let lock = WriterLock(path: path)
    let other = WriterLock(path: path)
    try lock.withLock(until: .distantFuture) {
      #expect(lock.recordedStore == nil)
      try lock.record(identity)
      #expect(lock.recordedStore == identity)
    }
    try other.withLock(until: .distantFuture) { #expect(other.recordedStore == identity) }
    try other.withLock(until: .distantFuture) { try other.record(FileIdentity(device: 1, inode: 2)) }
    try lock.withLock(until: .distantFuture) {
      #expect(lock.recordedStore == FileIdentity(device: 1, inode: 2))
      try lock.record(nil)
    }
    try other.withLock(until: .distantFuture) { #expect(other.recordedStore == nil) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 64)
  }

  @Test(arguments: ["", "\n", "x y z\n", "1 2\n", "1 -2 3\n", "-1 2 3\n", "1 2 3 4\n", "99999999999999999999 1 2\n"])
  func aGarbledLineRecordsNothing(text: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    let lock = WriterLock(path: path)
    try lock.withLock(until: .distantFuture) { #expect(lock.recordedStore == nil) }
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("\(getpid()) "))
  }

  @Test func aLineWithoutBlanksIsRead() throws {
    try "1 22 333".write(toFile: path, atomically: false, encoding: .utf8)
    let lock = WriterLock(path: path)
    try lock.withLock(until: .distantFuture) { #expect(lock.recordedStore == FileIdentity(device: 22, inode: 333)) }
  }

  // MARK: Failures

  @Test func whatIsInTheWayIsNamed() throws {
    func code(_ path: String) -> StorageError.Code? {
      do {
        try WriterLock(path: path).withLock(until: .distantFuture) {}
        return nil
      } catch let error as StorageError {
        #expect(error.path == path)
        return error.code
      } catch {
        return nil
      }
    }
    #expect(code(folder.path(of: "missing/items.lock")) == .noSuchStore)
    #expect(code(folder.path) == .cannotCreate)
    try "".write(toFile: folder.path(of: "file"), atomically: false, encoding: .utf8)
    #expect(code(folder.path(of: "file/items.lock")) == .cannotCreate)
    #expect(code(folder.path(of: String(repeating: "n", count: 300))) == .cannotCreate)
    #expect(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
    #expect(code(folder.path(of: "pipe")) == .cannotCreate)
    #expect(code("/dev/full") == .cannotCreate)
    // Nobody may make files there, not even the superuser.
    #expect(["permission", "noSuchStore"].contains(code("/proc/items.lock")?.rawValue))
  }

  @Test func aNestedWriteIsABug() async {
    await #expect(processExitsWith: .failure) {
      let folder = TemporaryFolder()
      let lock = WriterLock(path: folder.path(of: "items.lock"))
      try lock.withLock(until: .distantFuture) {
        try lock.withLock(until: Deadline(milliseconds: 10)) {}
      }
    }
    // The same without nesting: the child ends well, so it is the nesting that it fails of.
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let lock = WriterLock(path: folder.path(of: "items.lock"))
      try lock.withLock(until: .distantFuture) {}
      try lock.withLock(until: Deadline(milliseconds: 10)) {}
    }
  }

  @Test func releasingWithoutTheLockIsABug() async {
    await #expect(processExitsWith: .failure) {
      WriterLock(path: "items.lock").release()
    }
  }
}
