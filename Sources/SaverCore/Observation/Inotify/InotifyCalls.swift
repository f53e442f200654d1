#if os(Linux)
import Glibc

/// The system calls behind ``InotifyHub`` that can be refused: a test refuses them.
///
/// Each returns the system's answer, or its error number negated.
package struct InotifyCalls: Sendable {
  /// Makes the inotify instance.
  package var makeInstance: @Sendable () -> Int32
  /// Watches what is at a path.
  package var addWatch: @Sendable (_ instance: Int32, _ path: String, _ mask: UInt32) -> Int32

  package init(
    makeInstance: @escaping @Sendable () -> Int32 = InotifyCalls.systemInstance,
    addWatch: @escaping @Sendable (Int32, String, UInt32) -> Int32 = InotifyCalls.systemWatch
  ) {
    self.makeInstance = makeInstance
    self.addWatch = addWatch
  }

  @Sendable package static func systemInstance() -> Int32 {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    return descriptor >= 0 ? descriptor : -errno
  }

  @Sendable package static func systemWatch(_ instance: Int32, _ path: String, _ mask: UInt32) -> Int32 {
    let watch = inotify_add_watch(instance, path, mask)
    return watch >= 0 ? watch : -errno
  }
}
#endif
