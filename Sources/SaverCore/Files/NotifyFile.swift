import Glibc

/// The file beside a store that its writers touch behind each commit, and that observers in other processes watch.
///
/// It is empty and says nothing but that it was touched: what has changed is in the store.
public enum NotifyFile {
  /// Where the file of a store lies: beside the file that the store's path leads to, so that all its names share one.
  public static func path(for store: StoreFile) -> String {
    store.resolved.path + "-notify"
  }

  /// Opens the file for writing, making it if it is missing, and closes it: watchers see the close.
  ///
  /// By path each time, so that it is the file that is there now, whatever was removed or renamed; no inode is written,
  /// so a full disk is no obstacle. A failure is ignored: observers look at the store from time to time by themselves.
  public static func touch(_ path: String) {
    // Without O_NONBLOCK, a pipe that is in the way could wait for ever; a link could make a file anywhere.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }
}
