#if LMDB
import Foundation
import Glibc
import SaverCore
@testable import SaverLMDB

/// A record of every field type, with indexes of all kinds and a derived column.
struct Sample: Record, Hashable {
  enum Kind: String, CaseIterable, FieldValue, Sendable { case link, note }

  var id: UUID
  var text: String
  var title: String?
  var tags: [String]
  var kind: Kind
  var count: Int
  var rank: Int?
  var score: Double
  var isDone: Bool
  var data: Data
  var createdAt: Date

  static let schema = Schema(
    "sample", version: 1,
    Field("id", \Self.id),
    Field("text", \.text),
    Field("title", \.title, indexed: true),
    Field("tags", \.tags, default: []),
    Field("kind", \.kind, default: .note, indexed: true),
    Field("count", \.count, default: 0),
    Field("rank", \.rank, indexed: true),
    Field("score", \.score, default: 0),
    Field("is_done", \.isDone, default: false),
    Field("data", \.data, default: Data()),
    Field("created_at", \.createdAt, defaultsToNow: true, indexed: true),
    indexes: [Index(\Self.kind, \Self.createdAt), Index(\Self.text, \Self.rank), Index(\Self.isDone, \Self.title)],
    derived: [DerivedField("key", from: "text") { $0.hasPrefix("-") ? "" : $0.lowercased() }],
    make: Sample.init(id:text:title:tags:kind:count:rank:score:isDone:data:createdAt:))

  init(
    id: UUID = .version7(), text: String, title: String? = nil, tags: [String] = [], kind: Kind = .note,
    count: Int = 0, rank: Int? = nil, score: Double = 0, isDone: Bool = false, data: Data = Data(),
    createdAt: Date = Date(timeIntervalSince1970: 1_700_000_000)
  ) {
    self.id = id
    self.text = text
    self.title = title
    self.tags = tags
    self.kind = kind
    self.count = count
    self.rank = rank
    self.score = score
    self.isDone = isDone
    self.data = data
    self.createdAt = createdAt
  }
}

/// A folder of a test's own, removed with everything in it when the test lets go of it.
final class TestFolder: Sendable {
  let path: String

  init(under parent: String = FileManager.default.temporaryDirectory.path) {
    path = parent + "/saver-lmdb-" + UUID().uuidString
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var store: String { path + "/store.lmdb" }

  func open(
    _ types: [RecordType] = [Sample.schema.type], creation: StoreLocation.Creation = .ifMissing,
    mapSize: Int? = nil, busyTimeoutMilliseconds: Int = 10_000, history: HistoryRetention = HistoryRetention()
  ) throws -> Store {
    var configuration = LMDBBackend.defaultConfiguration
    if let mapSize { configuration.mapSizeMaxBytes = mapSize }
    return try LMDBBackend.open(
      StoreLocation(
        base: path + "/store", creation: creation, busyTimeoutMilliseconds: busyTimeoutMilliseconds, history: history),
      types: types, configuration: configuration)
  }

  /// Lets another program write more than fits into a map of 1 MiB.
  func outgrowMap() throws {
    try Python.run(
      """
      e = opened(map_size=1 << 30); d = e.open_db(b'other')
      with e.begin(write=True) as t: t.put(b'large', b'x' * (5 << 20), db=d)
      """, store)
  }

  /// The names of what lies in the folder.
  var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
  }

  var content: Data? { FileManager.default.contents(atPath: store) }
}

/// A Python that has the module `lmdb`: another program, for tests of what others do to a store.
enum Python {
  static let path: String? = {
    let folders =
      ["/usr/bin"] + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.map { $0 + "/python3" }.first { (try? run($0, ["-c", "import lmdb"])) != nil }
  }()

  static var isAvailable: Bool { path != nil }

  struct Failure: Error {
    var text: String
  }

  /// Runs a program on the store; what it prints.
  @discardableResult
  static func run(_ program: String, _ arguments: String...) throws -> String {
    let beginning = "import lmdb, sys\ndef opened(**o): return lmdb.open(sys.argv[1], subdir=False, max_dbs=64, **o)\n"
    return try run(path!, ["-c", beginning + program] + arguments)
  }

  static func run(_ path: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let problem = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure(text: problem) }
    return text.trimmingCharacters(in: .newlines)
  }
}

/// The code of the error that `body` throws.
func code(_ body: () throws -> Void) -> StorageError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StorageError)?.code ?? StorageError.Code(rawValue: "\(error)")
  }
}

/// A generator that can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &+ 0x9e37_79b9_7f4a_7c15 }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
#endif
