import Foundation
import Testing

/// What a command asks of the system, in counts: what the start of the program costs by itself is taken off.
@Suite struct SystemCallTests {
  private static let strace = "/usr/bin/strace"
  private static let isTraceable: Bool = {
    guard access(strace, X_OK) == 0, let sandbox = try? CommandSandbox() else { return false }
    // It may be forbidden to trace, in a container for example.
    return (try? sandbox.start(["-c", "-o", sandbox.root + "/calls", "/bin/true"], program: strace).wait().exitCode)
      == 0
  }()

  /// A sanitizer makes calls of its own.
  private static let isSanitized = getenv("SAVER_SANITIZER") != nil

  /// One item into a store of some: opening, looking for a duplicate, one commit, waking, closing.
  ///
  /// Syncs are what a person waits for. SQLite: three for a commit into a log that is made anew (its head, its folder, its
  /// content), two for the last close (the log, the file that it is copied into). LMDB: one of the data file; the page of
  /// meta data is written through and not counted as one.
  @Test(.enabled(if: isTraceable), arguments: Program.fileEngines)
  func sharingAnItem(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for number in 0..<5 { try sandbox.share("item \(number)") }
    let nothing = try calls(sandbox, "--version")
    let share = try calls(sandbox, "share", "one more")
    func count(_ names: String...) -> Int { names.reduce(0) { $0 + share[$1, default: 0] - nothing[$1, default: 0] } }
    let all = share.values.reduce(0, +) - nothing.values.reduce(0, +)
    let syncs = count("fsync", "fdatasync", "msync")
    let writes = count("pwrite64", "write", "writev", "pwritev")
    print("share on \(engine): \(all) system calls, \(syncs) syncs, \(writes) writes")
    let (callsMax, syncsMax) = engine == "sqlite" ? (220, 5) : (120, 1)
    #expect(syncs <= syncsMax && syncs >= 1, "\(syncs) syncs")
    if !Self.isSanitized {
      #expect(all <= callsMax, "\(all) system calls: \(share.sorted { $0.value > $1.value })")
    }
    // No thread is started for a command.
    #expect(count("clone", "clone3", "fork", "vfork") == 0)
  }

  /// Reading makes nothing durable.
  @Test(.enabled(if: isTraceable), arguments: Program.fileEngines)
  func listingItems(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for number in 0..<5 { try sandbox.share("item \(number)") }
    let nothing = try calls(sandbox, "--version")
    let list = try calls(sandbox, "list")
    let all = list.values.reduce(0, +) - nothing.values.reduce(0, +)
    print("list on \(engine): \(all) system calls")
    #expect(["fsync", "fdatasync", "msync"].allSatisfy { list[$0] == nil })
    if !Self.isSanitized {
      #expect(all <= (engine == "sqlite" ? 150 : 95), "\(all) system calls: \(list.sorted { $0.value > $1.value })")
    }
  }

  /// How often a run of the program makes each system call, its threads' and children's included.
  private func calls(_ sandbox: CommandSandbox, _ arguments: String...) throws -> [String: Int] {
    let path = sandbox.root + "/calls"
    // The address sanitizer cannot look for leaks in a program that is traced.
    let setting = Self.isSanitized ? ["-E", "ASAN_OPTIONS=detect_leaks=0"] : []
    let outcome = try sandbox.start(
      ["-f", "-c", "-o", path] + setting + [Program.path] + arguments, program: Self.strace
    ).wait()
    try #require(outcome.exitCode == 0, "\(outcome.stderr)")
    // % time, seconds, microseconds a call, calls, errors if there are any, name.
    var calls: [String: Int] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 5, Double(words[0]) != nil, let count = Int(words[3]), let name = words.last, name != "total"
      else { continue }
      calls[String(name)] = count
    }
    return calls
  }
}
