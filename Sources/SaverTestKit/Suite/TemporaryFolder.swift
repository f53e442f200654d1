import FoundationEssentials
import Glibc

/// A folder that exists for the time of a closure.
enum TemporaryFolder {
  static func with<Result>(_ body: (String) throws -> Result) throws -> Result {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/saver-conformance-XXXXXX".utf8CString)
    guard template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) != nil else {
      throw CocoaError(.fileWriteUnknown)
    }
    let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  /// The names in a folder, sorted; empty if there is no such folder.
  static func contents(of folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}
