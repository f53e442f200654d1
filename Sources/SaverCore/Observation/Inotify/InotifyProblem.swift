#if os(Linux)
import Glibc

/// Why the system refuses file events, for people.
enum InotifyProblem {
  static func ofInstance(_ number: Int32) -> String {
    switch number {
    case EMFILE, ENFILE:
      "The system refuses file events: this user's programs have too many of them (fs.inotify.max_user_instances),"
        + " or this one has too many open files."
    case ENOSYS: "This system has no file events."
    default: "The system refuses file events (\(String(cString: strerror(number))))."
    }
  }

  /// `nil` if only nothing is there at the moment.
  static func ofWatch(_ number: Int32) -> String? {
    switch number {
    case ENOENT, ENOTDIR: nil
    case ENOSPC:
      "The system refuses file events: this user's programs watch too many files (fs.inotify.max_user_watches)."
    default: "The system refuses file events (\(String(cString: strerror(number))))."
    }
  }
}
#endif
