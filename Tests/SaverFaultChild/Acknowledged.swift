import FoundationEssentials
import Glibc
import SaverCore

/// How many turns of each contender were acknowledged, in a file beside their store that all of them share.
final class Acknowledged {
  private let descriptor: Int32
  static let contendersMax = 64

  init(beside store: Store) throws {
    let path = (store.path ?? "") + "-acknowledged"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageError.system(errno, doing: "note what was acknowledged", path: path) }
  }

  deinit { close(descriptor) }

  func note(_ turns: Int, of number: Int) {
    withUnsafeBytes(of: turns) { _ = pwrite(descriptor, $0.baseAddress, $0.count, off_t(number * 8)) }
  }

  /// The turns of all contenders, up to now.
  func turns() -> [Int] {
    var turns = [Int](repeating: 0, count: Self.contendersMax)
    _ = turns.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return turns
  }
}
