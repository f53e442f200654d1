import Glibc

/// The names that a source listens to. Its identity is the source's, for the hub.
package final class FileWatchMember: Sendable {
  let folderPath: String
  let storeName: String
  let notifyPath: String
  let notifyName: String
  let stirringPath: String
  let stirringName: String

  init(storePath: String, notifyPath: String, stirringPath: String) {
    let store = StoreFile(path: storePath)
    folderPath = store.folder.path
    storeName = store.name
    self.notifyPath = notifyPath
    notifyName = StoreFile(path: notifyPath).name
    self.stirringPath = stirringPath
    stirringName = StoreFile(path: stirringPath).name
  }

  /// Makes the notify file if it is missing, without touching one that is there. It can be watched then; if it cannot be
  /// made, the folder tells when somebody else has.
  func makeNotifyFile() {
    let descriptor = open(notifyPath, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }
}
