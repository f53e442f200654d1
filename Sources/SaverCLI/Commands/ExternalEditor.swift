import Glibc

/// The editor that a person has chosen, run on a file of one text.
struct ExternalEditor {
  private let command: String
  private let folder: String

  /// - Parameter command: as in `$EDITOR`: a program, with arguments if need be.
  init(_ command: String, environment: Environment) {
    self.command = command
    folder = environment.nonEmpty("TMPDIR") ?? "/tmp"
  }

  /// The text as the editor left it. A final line break, which editors add, is added before and taken away after.
  func edit(_ text: String) throws -> String {
    let path = try write(text + "\n")
    defer { unlink(path) }
    try run(on: path)
    guard let edited = String(validating: try read(path), as: UTF8.self) else {
      throw CommandFailure("the edited text is not valid UTF-8; nothing was changed", .badData)
    }
    return edited.hasSuffix("\n") ? String(edited.dropLast()) : edited
  }

  /// Through the shell, which parts the arguments in the variable, and hands the path on as it is.
  private func run(on path: String) throws {
    let status = try ChildProcess.run("/bin/sh", ["-c", "\(command) \"$1\"", "sh", path])
    guard status == .exited(0) else {
      throw CommandFailure("the editor '\(command)' \(status.words); nothing was changed")
    }
  }

  private func write(_ text: String) throws -> String {
    var template = Array("\(folder)/saver-edit-XXXXXX.txt".utf8CString)
    let descriptor = template.withUnsafeMutableBufferPointer { mkstemps($0.baseAddress!, 4) }
    let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    guard descriptor >= 0 else { throw Self.failure("cannot make", path) }
    defer { close(descriptor) }
    let output = OutputWriter(descriptor: descriptor)
    do {
      try output.write(text)
      try output.flush()
    } catch {
      unlink(path)
      throw Self.failure("cannot write", path)
    }
    return path
  }

  private func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("cannot read", path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while case let count = Glibc.read(descriptor, &buffer, buffer.count), count != 0 {
      if count < 0 { throw Self.failure("cannot read", path) }
      bytes += buffer[..<count]
    }
    return bytes
  }

  private static func failure(_ what: String, _ path: String) -> CommandFailure {
    CommandFailure("\(what) \(path): \(String(cString: strerror(errno)))", .inputOutput)
  }
}
