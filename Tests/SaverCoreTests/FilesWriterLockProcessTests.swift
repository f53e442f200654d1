import Foundation
import Glibc
import SaverCore
import Testing

/// The lock between processes: real ones, with `flock(1)` or with the lock itself.
@Suite struct FilesWriterLockProcessTests {
  let folder = TemporaryFolder()
  var path: String { folder.path(of: "items.lock") }

  @Test func aForeignHolderExcludesUntilItDies() throws {
    let holder = try LockHolder(path)
    let lock = WriterLock(path: path)
    let start = Deadline(milliseconds: 60_000)
    let error = #expect(throws: StorageError.self) { try lock.withLock(until: Deadline(milliseconds: 150)) {} }
    let waited = 60_000 - start.remainingMilliseconds
    #expect(error?.code == .busy && error?.path == path)
    #expect(error?.message.contains("(\(holder.process))") == true)
    #expect(waited >= 149 && waited < 2_000, "the deadline is kept: \(waited) ms")

    // One who waits gets the lock when the holder is killed.
    let isInside = Flag()
    let thread = RunningThread {
      try? lock.withLock(until: Deadline(milliseconds: 30_000)) {
        isInside.set()
      }
    }
    thread.waitUntilItSleeps()
    #expect(!isInside.isSet)
    holder.kill()
    thread.join()
    #expect(isInside.isSet)
  }

  @Test func aDeadProcessIsNotNamed() throws {
    // A number that no process can have.
    let holder = try LockHolder(path, writing: "2147483647")
    let error = #expect(throws: StorageError.self) {
      try WriterLock(path: path).withLock(until: Deadline(milliseconds: 0)) {}
    }
    #expect(error?.code == .busy && error?.message.contains("2147483647") == false)
    holder.kill()
  }

  @Test func whoeverGivesUpLeavesNoLock() throws {
    let holder = try LockHolder(path)
    let lock = WriterLock(path: path)
    inThreads(4) { _ in _ = try? lock.withLock(until: Deadline(milliseconds: 50)) {} }
    holder.kill()
    // Its thread still waited in flock. It must let the lock go, and others must get it, here and elsewhere.
    let other = try LockHolder(path)
    other.kill()
    try lock.withLock(until: Deadline(milliseconds: 30_000)) {}
    try WriterLock(path: path).withLock(until: Deadline(milliseconds: 0)) {}
  }

  @Test func theFirstWhoStillWaitsIsServed() throws {
    let holder = try LockHolder(path)
    let lock = WriterLock(path: path)
    let served = Guarded<[String]>([])
    func waiter(_ name: String, _ milliseconds: Int) -> RunningThread {
      let thread = RunningThread {
        let deadline = Deadline(milliseconds: milliseconds)
        let entered: Void? = try? lock.withLock(until: deadline) { served.withLock { $0.append(name) } }
        if entered == nil { served.withLock { $0.append("\(name) gave up") } }
      }
      thread.waitUntilItSleeps()
      return thread
    }
    let impatient = waiter("impatient", 50)
    let patient = waiter("patient", 30_000)
    impatient.join()
    holder.kill()
    patient.join()
    #expect(served.withLock { $0 } == ["impatient gave up", "patient"])
  }

  @Test(arguments: ["unlinked", "replaced"]) func theFileAtThePathIsTheOneThatCounts(what: String) throws {
    let lock = WriterLock(path: path)
    try lock.withLock(until: .distantFuture) {}
    let old = try #require(try FileIdentity(path: path))
    let holder = try LockHolder(path)
    let seen = Guarded<FileIdentity?>(nil)
    let thread = RunningThread {
      try? lock.withLock(until: Deadline(milliseconds: 30_000)) {
        seen.withLock { $0 = try? FileIdentity(path: path) }
        // Whoever opens the path now is excluded.
        _ = #expect(throws: StorageError.self) {
          try WriterLock(path: path).withLock(until: Deadline(milliseconds: 0)) {}
        }
      }
    }
    thread.waitUntilItSleeps()
    if what == "unlinked" {
      #expect(unlink(path) == 0)
    } else {
      try "".write(toFile: path + ".other", atomically: false, encoding: .utf8)
      #expect(rename(path + ".other", path) == 0)
    }
    holder.kill()
    thread.join()
    let new = try #require(seen.withLock { $0 }, "the lock was had on a file that is at the path")
    // The inode of an unlinked file may be used again.
    if what == "replaced" { #expect(new != old) }
  }

  @Test func anUnlinkedFileIsMadeAgain() throws {
    let lock = WriterLock(path: path)
    try lock.withLock(until: .distantFuture) {}
    #expect(unlink(path) == 0)
    try lock.withLock(until: .distantFuture) {
      _ = #expect(throws: StorageError.self) {
        try WriterLock(path: path).withLock(until: Deadline(milliseconds: 0)) {}
      }
    }
    #expect(try FileIdentity(path: path) != nil)
  }

  @Test func aFolderThatVanishesEndsTheWait() throws {
    let inner = folder.path(of: "inner")
    try StoreFolder(path: inner).make()
    let lock = WriterLock(path: inner + "/items.lock")
    let holder = try LockHolder(inner + "/items.lock")
    let code = Guarded<StorageError.Code?>(nil)
    let thread = RunningThread {
      do {
        try lock.withLock(until: Deadline(milliseconds: 30_000)) {}
      } catch {
        code.withLock { $0 = (error as? StorageError)?.code }
      }
    }
    thread.waitUntilItSleeps()
    try FileManager.default.removeItem(atPath: inner)
    holder.kill()
    thread.join()
    #expect(code.withLock { $0 } == .noSuchStore)
  }

  @Test func programsThatAreStartedDoNotInheritTheLock() throws {
    let lock = WriterLock(path: path)
    try lock.withLock(until: .distantFuture) {
      let child = try ShellChild("ls -l /proc/self/fd; echo end")
      #expect(!child.lines(until: "end").contains { $0.hasSuffix("/items.lock") })
    }
  }

  @Test func aKilledWriterFreesTheLock() async throws {
    let path = path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try WriterLock(path: path).acquire(until: .distantFuture)
      kill(getpid(), SIGKILL)
    }
    let lock = WriterLock(path: path)
    try lock.withLock(until: Deadline(milliseconds: 0)) {}
  }

  @Test func processesExcludeEachOther() async throws {
    let path = path
    let counter = folder.path(of: "counter")
    try "0".write(toFile: counter, atomically: false, encoding: .utf8)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String, counter = counter as String] in
            let lock = WriterLock(path: path)
            inThreads(2) { _ in
              for _ in 0..<100 {
                try! lock.withLock(until: Deadline(milliseconds: 60_000)) {
                  let value = Int(try! String(contentsOfFile: counter, encoding: .utf8))!
                  try! "\(value + 1)".write(toFile: counter, atomically: false, encoding: .utf8)
                }
              }
            }
          }
        }
      }
    }
    #expect(try String(contentsOfFile: counter, encoding: .utf8) == "800")
  }

  @Test func signalsDoNotEndTheWait() throws {
    let holder = try LockHolder(path)
    signal(SIGUSR1) { _ in }
    let lock = WriterLock(path: path)
    let isInside = Flag()
    let thread = RunningThread {
      try? lock.withLock(until: Deadline(milliseconds: 30_000)) {
        isInside.set()
      }
    }
    thread.waitUntilItSleeps()
    for _ in 0..<20 { kill(getpid(), SIGUSR1) }
    thread.interrupt(with: SIGUSR1)
    #expect(!isInside.isSet)
    holder.kill()
    thread.join()
    #expect(isInside.isSet)
  }
}
