#if LMDB
import CLMDB
import Glibc
import SaverCore

/// An LMDB file, read page by page without the library: what it says of itself before anything trusts it.
///
/// The library maps the file and follows whatever stands in it, past its end as well, which ends the process. This reader
/// checks every number it follows. LMDB has its locks on the lock file, not on this one: opening and closing the data
/// file does no harm to an environment that is open.
///
/// Layout as in LMDB 0.9 (data version 1), in the machine's byte order.
final class PageFile {
  let path: String
  private let descriptor: Int32
  private(set) var size = 0
  private(set) var pageSize = 0
  /// The newer of the two.
  private(set) var meta = Meta()

  /// What one of the two meta pages says.
  struct Meta: Hashable {
    var transaction: UInt64 = 0
    var lastPage: UInt64 = 0
    /// The root pages of the free list and of the table of databases; `noPage` if empty.
    var freeRoot = PageFile.noPage
    var mainRoot = PageFile.noPage
  }

  /// Why a page cannot be followed. For people; never the content.
  struct Damage: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
  }

  static let noPage = UInt64.max
  static let magic: UInt32 = 0xbeef_c0de
  private static let dataVersion: UInt32 = 1

  /// Opens the file and reads its meta pages.
  ///
  /// - Throws: ``StorageError``: `foreignFile` if it is no LMDB file, `permission`, `inputOutput`.
  init(path: String) throws {
    self.path = path
    // O_NONBLOCK: what lies there may be a pipe.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      let number = errno
      if number == EACCES || number == EPERM { throw StorageError.refused(path) }
      throw StorageError.system(number, doing: "read the store", path: path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(.foreignFile, "What is in the store's place is no regular file.", path: path)
    }
    size = Int(status.st_size)
    try readMeta()
    // Again, because another process may commit in between: what a meta page speaks of was written before it.
    if fstat(descriptor, &status) == 0 { size = Int(status.st_size) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  // MARK: Meta pages

  /// Reads both meta pages again: another process may have committed.
  func readMeta() throws {
    guard let head = try bytes(at: 0, count: 152), UInt32(head, 16) == Self.magic, UInt16(head, 10) & 8 != 0 else {
      if size == 0 {
        throw StorageError(.foreignFile, "The file is empty, and no store. Delete it, or restore a backup.", path: path)
      }
      throw StorageError(
        .foreignFile, "This is no LMDB file. Move it away, or choose another name for the store.", path: path)
    }
    pageSize = Int(UInt32(head, 40))
    guard UInt32(head, 20) == Self.dataVersion, pageSize >= 512, pageSize <= 65_536, pageSize.nonzeroBitCount == 1
    else {
      throw StorageError(.foreignFile, "This is an LMDB file of another version than 0.9.", path: path)
    }
    guard let other = try bytes(at: pageSize, count: 152), UInt32(other, 16) == Self.magic,
      UInt32(other, 20) == Self.dataVersion, UInt16(other, 10) & 8 != 0
    else { throw damaged(Damage("its second page is not what it must be")) }
    let metas = [Self.meta(head), Self.meta(other)]
    meta = metas[1].transaction > metas[0].transaction ? metas[1] : metas[0]
  }

  private static func meta(_ bytes: [UInt8]) -> Meta {
    Meta(
      transaction: UInt64(bytes, 144), lastPage: UInt64(bytes, 136), freeRoot: UInt64(bytes, 40 + 40),
      mainRoot: UInt64(bytes, 40 + 48 + 40))
  }

  /// The error of a file that is LMDB's and damaged.
  func damaged(_ damage: Damage) -> StorageError {
    StorageError(
      .corrupt, "The store is damaged: \(damage.reason). Restore a backup, or move it away.", path: path)
  }

  // MARK: Pages

  /// Checks that the file has all pages that its meta page counts, but for free ones: pages at the end that were taken and
  /// given back within one transaction are never written, so a whole file can be a little shorter.
  ///
  /// - Throws: ``Damage``.
  func requireAllPages() throws {
    let count = UInt64(size / pageSize)
    guard meta.lastPage >= count else { return }
    let missing = meta.lastPage - count + 1
    var free = Set<UInt64>()
    if missing <= 1 << 20 { try forEachFreePage { if $0 >= count && $0 <= meta.lastPage { free.insert($0) } } }
    guard UInt64(free.count) == missing else {
      throw Damage("it was truncated: \(missing - UInt64(free.count)) pages are missing at its end")
    }
  }

  /// A page.
  ///
  /// - Throws: ``Damage`` if the file does not have it, or another number stands in it.
  func page(_ number: UInt64) throws -> [UInt8] {
    let (start, tooFar) = Int(clamping: number).multipliedReportingOverflow(by: pageSize)
    guard number >= 2, number <= meta.lastPage, !tooFar,
      let page = try bytes(at: start, count: pageSize)
    else { throw Damage("page \(number) is beyond its end") }
    guard UInt64(page, 0) == number else { throw Damage("page \(number) is not where it should be") }
    return page
  }

  /// `count` bytes; `nil` if the file does not have them.
  ///
  /// - Throws: ``StorageError`` if the disk fails: that says nothing about what the file is.
  func bytes(at offset: Int, count: Int) throws -> [UInt8]? {
    guard count >= 0, count <= size, offset <= size - count else { return nil }
    var buffer = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let result = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + done, count - done, offset + done)
      }
      if result < 0 {
        let number = errno
        if number == EINTR { continue }
        throw StorageError.system(number, doing: "read the store", path: path)
      }
      guard result > 0 else { return nil }
      done += result
    }
    return buffer
  }
}

extension FixedWidthInteger {
  /// The number at an offset, in the machine's byte order. The caller has checked that it is there.
  init(_ bytes: [UInt8], _ offset: Int) {
    self = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Self.self) }
  }
}
#endif
