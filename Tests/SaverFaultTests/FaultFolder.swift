import Foundation
import Glibc
import SaverCore

/// A folder of its own, in memory where the system has such a file system, so that thousands of stores cost no disk.
final class FaultFolder {
  let path: String

  init() throws {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    var template = Array("\(parent)/saver-faults-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit {
    // A test may have taken rights away.
    chmod(path, 0o700)
    for name in names { chmod("\(path)/\(name)", 0o700) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// What a store is named by: the engine adds its ending.
  var base: String { path + "/store" }
  func file(_ engine: String) -> String { base + "." + engine }

  var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []) }

  /// Removes everything in it.
  func empty() {
    for name in names { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
  }

  /// Puts a file there, in one piece.
  func write(_ bytes: [UInt8], to path: String) throws {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// The size of a file, which is not opened; 0 if there is none.
  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  static func content(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { [UInt8]($0) } }
}

/// Does something a hundred times a second, beside the test.
final class Sampler: @unchecked Sendable {
  // MARK: Mutable state
  // The thread is started by the first and waited for by the last; a semaphore guards itself.
  private let ended = DispatchSemaphore(value: 0)
  private let isOver = Guarded(false)

  init(_ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    Thread.detachNewThread { [self] in
      while !isOver.withLock({ $0 }) {
        body()
        usleep(10_000)
      }
      ended.signal()
    }
  }

  /// Waits for the last time.
  func end() {
    isOver.withLock { $0 = true }
    ended.wait()
  }
}
