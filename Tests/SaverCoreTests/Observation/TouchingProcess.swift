import Foundation

/// Another process, which opens a file for writing and closes it whenever it is told to; ends with the value.
final class TouchingProcess {
  private let child = Process()
  private let input = Pipe()

  init(_ path: String) throws {
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", "while read line; do : > '\(path)'; done"]
    child.standardInput = input
    try child.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    child.waitUntilExit()
  }

  func touch() { input.fileHandleForWriting.write(Data("touch\n".utf8)) }
}
