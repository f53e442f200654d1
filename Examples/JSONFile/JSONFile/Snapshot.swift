import FoundationEssentials
import Glibc
import SaverCore

/// The content of the file as it was when it was opened.
final class Snapshot: Sendable {
  let document: Document
  /// Differs from that of every other snapshot of the engine.
  let revision: UInt64
  private let mark: Mark
  /// Kept open: as long as it is, no other file gets the inode.
  private let descriptor: Int32

  /// What tells one version of the file from the next: a commit makes another file; an editor may write into this one.
  private struct Mark: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int64(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  /// - Parameter known: what the file holds, if that is known, because it was just written.
  /// - Throws: ``StorageError``; `noSuchStore` if nothing is there.
  init(path: String, revision: UInt64, known: Document? = nil) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError.system(errno, doing: "open the store", path: path) }
    do {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        throw StorageError.system(errno, doing: "look at the store", path: path)
      }
      document = try known ?? Document(contentsOf: descriptor, size: Int(status.st_size), path: path)
      mark = Mark(status)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.revision = revision
  }

  deinit {
    close(descriptor)
  }

  /// Whether the path still names this very content. Costs one system call.
  func isCurrent(at path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && Mark(status) == mark
  }
}

extension Document {
  /// What every version of the format says.
  private struct Heading: Decodable {
    let format: Int
  }

  fileprivate init(contentsOf descriptor: Int32, size: Int, path: String) throws {
    let data = try Self.read(descriptor, size: size, path: path)
    guard let heading = try? JSONDecoder().decode(Heading.self, from: data) else {
      throw StorageError(.foreignFile, "The file is no store. Choose another name for the store.", path: path)
    }
    guard heading.format == Document.format else {
      throw StorageError(
        .unsupportedFormat,
        "The store has format \(heading.format), this program knows \(Document.format). Use another version of it.",
        path: path)
    }
    do {
      self = try JSONDecoder().decode(Document.self, from: data)
    } catch {
      throw StorageError(.corrupt, "The store is damaged. Restore a backup.", path: path)
    }
  }

  private static func read(_ descriptor: Int32, size: Int, path: String) throws -> Data {
    var data = Data(count: size)
    var position = 0
    while position < size {
      let count = data.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + position, size - position, position)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw StorageError.system(errno, doing: "read the store", path: path) }
      if count == 0 { break }
      position += count
    }
    return data.prefix(position)
  }

  /// Writes the document into a file that was just made, durably.
  func write(to path: String, indented: Bool) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting =
      indented ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(self)
    } catch {
      throw StorageError(.internalError, "The store cannot be written as JSON: \(error)", path: path)
    }
    let descriptor = open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError.system(errno, doing: "make the new file", path: path) }
    defer { close(descriptor) }
    var position = 0
    while position < data.count {
      let count = data.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + position, data.count - position) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw StorageError.system(errno, doing: "write the new file", path: path) }
      position += count
    }
    guard fsync(descriptor) == 0 else { throw StorageError.system(errno, doing: "sync the new file", path: path) }
  }
}
