import Foundation
import Glibc
import Testing

/// What a run of the program printed, and how it ended.
struct Outcome {
  let output: Data
  let diagnostics: Data
  /// 128 and the signal's number if a signal ended it.
  let exitCode: Int32

  var stdout: String { String(decoding: output, as: UTF8.self) }
  var stderr: String { String(decoding: diagnostics, as: UTF8.self) }
  var lines: [String] { stdout.split(separator: "\n").map(String.init) }
}

/// The built program, and the engines that it has.
enum Program {
  /// It lies beside the program that runs the tests.
  static let path: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders = [own, Bundle.main.bundlePath, CommandLine.arguments[0]].map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().path
    }
    let candidates = folders.map { $0 + "/saver" } + [repository + "/.build/debug/saver"]
    return candidates.first { access($0, X_OK) == 0 } ?? candidates[0]
  }()

  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The names that `saver --version` lists.
  static let engines: [String] = {
    let lines = (try? CommandSandbox().run(["--version"]).lines) ?? []
    return lines.dropFirst().compactMap { $0.split(separator: ":").first.map(String.init) }
  }()

  /// The engines that keep what they are given.
  static let fileEngines = engines.filter { $0 != "memory" }
}

/// A home folder of its own, an environment that holds nothing else, and a clock that goes on a second with each run.
final class CommandSandbox {
  let root: String
  var home: String { root + "/home" }
  /// The current folder of each run.
  var folder: String { root + "/work" }
  /// What each run has in its environment; a test adds to it.
  var environment: [String: String]

  /// Whole seconds since 1970; the clock shows 678 milliseconds more.
  private var clock = 1_767_323_045
  private var runs = 0

  init(_ engine: String? = nil) throws {
    var template = Array((NSTemporaryDirectory() + "saver-test-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    root = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8", "TMPDIR": root + "/tmp"]
    environment["HOME"] = home
    environment["SAVER_BACKEND"] = engine
    for name in ["home", "work", "tmp", "streams"] { try makeFolder(root + "/" + name) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }

  // MARK: Runs

  /// Runs the program and waits for it.
  ///
  /// - Parameters:
  ///   - stdin: what it reads; `nil` is an empty input.
  ///   - changes: variables that differ from ``environment``; an empty optional takes one away.
  func run(
    _ arguments: [String], stdin: Data? = nil, environment changes: [String: String?] = [:]
  ) throws -> Outcome {
    try start(arguments, stdin: stdin, environment: changes).wait()
  }

  func run(_ arguments: String..., stdin: String? = nil) throws -> Outcome {
    try run(arguments, stdin: stdin.map { Data($0.utf8) })
  }

  /// Runs a shell command, in which `$saver` is the program.
  func shell(_ script: String, environment changes: [String: String?] = [:]) throws -> Outcome {
    try start(["-c", script], program: "/bin/sh", environment: changes).wait()
  }

  /// Starts the program, or another one, and does not wait for it.
  func start(
    _ arguments: [String], program: String = Program.path, stdin: Data? = nil,
    environment changes: [String: String?] = [:]
  ) throws -> RunningProcess {
    runs += 1
    clock += 1
    var variables = environment
    variables["SAVER_TEST_NOW"] =
      Date(timeIntervalSince1970: TimeInterval(clock)).formatted(.iso8601).dropLast() + ".678Z"
    variables["SAVER_TEST_IDS"] = "\(runs)"
    variables["saver"] = Program.path
    for (name, value) in changes { variables[name] = value }
    let streams = root + "/streams/\(runs)"
    if let stdin { try stdin.write(to: URL(fileURLWithPath: streams + ".in")) }
    return try RunningProcess(
      program, arguments, variables, folder: folder, input: stdin == nil ? "/dev/null" : streams + ".in",
      streams: streams)
  }

  // MARK: Items

  /// Shares a text; its id.
  @discardableResult
  func share(_ text: String, _ options: String..., environment: [String: String?] = [:]) throws -> String {
    let outcome = try run(["share"] + options + ["--", text], environment: environment)
    try #require(outcome.exitCode == 0, "\(outcome.stderr)")
    return try #require(outcome.lines.first)
  }

  /// What `list --all --format json` prints, with these options.
  func items(_ options: String...) throws -> [ListedItem] {
    let outcome = try run(["list", "--all", "--format", "json"] + options)
    try #require(outcome.exitCode == 0, "\(outcome.stderr)")
    return try ListedItem.array(outcome.output)
  }

  func texts(_ options: String...) throws -> [String] {
    let outcome = try run(["list", "--all", "--format", "json"] + options)
    try #require(outcome.exitCode == 0, "\(outcome.stderr)")
    return try ListedItem.array(outcome.output).map(\.text)
  }

  // MARK: Files

  func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Writes a file, executable if it is a script.
  @discardableResult
  func write(_ content: String, to path: String) throws -> String {
    try makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    if content.hasPrefix("#!") { chmod(path, 0o755) }
    return path
  }

  /// The store's file at the default place.
  func storeFile(_ engine: String) -> String { home + "/.local/share/saver/items." + engine }

  /// Every file and folder below the home folder and the current one.
  var files: [String] {
    [home, folder].flatMap { base in
      (FileManager.default.enumerator(atPath: base)?.allObjects as? [String] ?? []).map { base + "/" + $0 }
    }.sorted()
  }

  static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }
}
