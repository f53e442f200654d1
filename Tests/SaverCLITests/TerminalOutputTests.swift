import Foundation
import Glibc
import SaverCLI
import Testing

@Suite struct TerminalOutputTests {
  /// Reads a descriptor to its end and closes it.
  private static func readAll(_ descriptor: Int32) -> [UInt8] {
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      result += chunk[..<count]
    }
    close(descriptor)
    return result
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test func whatIsWrittenArrivesAfterAFlush() throws {
    let (reading, writing) = try Self.pipe()
    let writer = OutputWriter(descriptor: writing)
    try writer.write("a")
    try writer.writeLine("é")
    try writer.write([0x62])
    try writer.append { $0.append(0x63) }
    try writer.flush()
    close(writing)
    #expect(Self.readAll(reading) == Array("aé\nbc".utf8))
  }

  /// More than a pipe holds, to a descriptor that does not block: partial writes and EAGAIN on the way.
  @Test(arguments: [0, Int32(O_NONBLOCK)])
  func aLongOutputArrivesWhole(flags: Int32) async throws {
    let (reading, writing) = try Self.pipe()
    try #require(fcntl(writing, F_SETFL, flags) == 0)
    let line = String(repeating: "x", count: 999)
    // A thread of its own: writers that wait for it may hold every thread of the cooperative pool.
    let (received, reader) = AsyncStream.makeStream(of: [UInt8].self)
    Thread.detachNewThread {
      reader.yield(Self.readAll(reading))
      reader.finish()
    }
    let writer = OutputWriter(descriptor: writing)
    for _ in 0..<2000 { try writer.writeLine(line) }
    try writer.flush()
    close(writing)
    let bytes = await received.reduce(into: []) { $0 += $1 }
    #expect(bytes.count == 2_000_000)
    #expect(bytes.count { $0 == 0x0A } == 2000)
  }

  @Test func aClosedPipeIsAnErrorThatSaysNothing() throws {
    OutputWriter.ignoreBrokenPipeSignal()
    let (reading, writing) = try Self.pipe()
    close(reading)
    defer { close(writing) }
    let writer = OutputWriter(descriptor: writing, capacity: 16)
    #expect(throws: OutputError.closedPipe) { try writer.write(String(repeating: "x", count: 100)) }
    // It stays broken: nothing is lost without an error.
    #expect(throws: OutputError.closedPipe) { try writer.write("y") }
    #expect(throws: OutputError.closedPipe) { try writer.flush() }
    #expect(OutputError.closedPipe.message == nil)
    #expect(OutputError.closedPipe.exitCode == .success)
  }

  @Test func aFullDeviceIsAnError() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    let writer = OutputWriter(descriptor: full)
    try writer.write("x")
    #expect(throws: OutputError.failed(errno: ENOSPC)) { try writer.flush() }
    let error = OutputError.failed(errno: ENOSPC)
    #expect(error.message == "cannot write the output: No space left on device")
    #expect(error.exitCode.rawValue == 74)
  }

  @Test func aClosedDescriptorIsAnError() {
    let writer = OutputWriter(descriptor: 1_000_000)
    #expect(throws: OutputError.failed(errno: EBADF)) {
      try writer.write("x")
      try writer.flush()
    }
  }

  @Test func theBufferIsWrittenWhenItIsFull() throws {
    let (reading, writing) = try Self.pipe()
    let writer = OutputWriter(descriptor: writing, capacity: 4)
    try writer.write("abc")
    try writer.write("de")
    try writer.write("f")
    close(writing)
    #expect(Self.readAll(reading) == Array("abcde".utf8))
  }
}
