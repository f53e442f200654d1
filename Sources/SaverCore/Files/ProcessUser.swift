import Glibc

/// Whom this process belongs to.
public enum ProcessUser {
  /// The numeric id of its real user.
  public static var identifier: UInt32 { getuid() }
}
