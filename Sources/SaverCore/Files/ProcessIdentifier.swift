import Glibc

/// The number of a process on this machine.
struct ProcessIdentifier: Hashable, Sendable {
  let number: Int32

  static var current: ProcessIdentifier { ProcessIdentifier(number: getpid()) }

  /// Whether a process of this number runs. Numbers are used again, and a container sees only its own.
  var isAlive: Bool {
    // Zero and negative numbers address groups of processes.
    number > 0 && (kill(number, 0) == 0 || errno == EPERM)
  }
}
