import FoundationEssentials
import Glibc
import SaverCore

/// What a ``ChildProgram`` has open, and the commands that it knows.
struct ChildSession {
  let program: ChildProgram
  let subject: ConformanceSubject
  let base: String

  private var store: Store?
  private var scripts: [Int: TwinScript] = [:]
  private var watches: [String: ChildWatch] = [:]

  init(program: ChildProgram, subject: ConformanceSubject, base: String) {
    self.program = program
    self.subject = subject
    self.base = base
  }

  struct Wrong: Error, CustomStringConvertible {
    var description: String
  }

  func opened() throws -> Store {
    guard let store else { throw Wrong(description: "no store is open") }
    return store
  }

  mutating func end() {
    for watch in watches.values { watch.end() }
    watches = [:]
    store = nil
  }

  mutating func perform(_ words: [String]) throws {
    func number(_ place: Int, _ other: Int = 0) -> Int { words.count > place ? Int(words[place]) ?? other : other }
    switch words.first {
    case "open":
      // open [CHANGES-MAX]
      let history = HistoryRetention(changesMax: number(1, HistoryRetention().changesMax))
      let store = try subject.open(StoreLocation(base: base, history: history), [Twin.recordType])
      self.store = store
      say("opened \(store.identity.hexadecimal) \(store.path ?? "-")")
    case "close":
      end()
      say("closed")
    case "arm":
      // arm FAULT N
      program.arm(words[1], number(2))
      say("armed")
    case "calls":
      say("calls \(program.callCount())")
    case "write":
      // write WRITER SEED COUNT [digests]
      do {
        try write(writer: number(1), seed: UInt64(words[2]) ?? 0, count: number(3), saysStates: words.last == "digests")
      } catch let error as StorageError {
        scripts = [:]
        say("failed \(error.code.rawValue) \(error)")
      }
    case "hold":
      // hold WRITER SEED: one step, committed when told to go on
      try write(writer: number(1), seed: UInt64(words[2]) ?? 0, count: 1) {
        say("holding")
        _ = readLine()
      }
    case "verify":
      // verify WRITER SEED ACKNOWLEDGED
      try verify(writer: number(1), seed: UInt64(words[2]) ?? 0, acknowledged: number(3))
    case "watch":
      // watch SHAPE|each [foreign]
      for shape in WatchShape.allCases where words[1] == "each" || words[1] == shape.rawValue {
        watches[shape.rawValue] = ChildWatch(try opened(), shape, isForeign: words.last == "foreign")
      }
    case "stall": watch(words[1])?.stall()
    case "resume": watch(words[1])?.resume()
    case "show": watch(words[1])?.show()
    case "unwatch":
      watch(words[1])?.end()
      watches[words[1]] = nil
    case "fetch":
      // fetch SHAPE
      guard let shape = WatchShape(rawValue: words[1]) else { throw Wrong(description: "no such shape") }
      let (token, fingerprint) = try opened().read { (try $0.token(), try shape.fingerprint($0)) }
      say("fetched \(token) \(fingerprint)")
    case "integrity":
      let problems = try opened().inspect(checkingIntegrity: true).problems
      let tear = try Twin.tear(in: opened().read { try $0.fetch(Query<Twin>()) })
      say(problems.isEmpty && tear == nil ? "sound" : "wrong integrity: \(problems) \(tear ?? "")")
    case "problems":
      // What an inspection finds, torn twins apart.
      let problems = try opened().inspect(checkingIntegrity: true).problems
      say("problems \(problems.count) \(problems.first ?? "")")
    case "token":
      say("token \(try opened().read { try $0.token() })")
    case "standing":
      // standing TOKEN
      guard let token = HistoryToken(words[1]) else { throw Wrong(description: "no token") }
      say("standing \(try opened().read { try $0.standing(of: token) }.rawValue)")
    case "counters":
      // What the store's observer has done: turns, checks, failures, readings of the history.
      let counters = try opened().observer.counters
      say("counters \(counters.turns) \(counters.checks) \(counters.failures) \(counters.historyReads)")
    case "usage":
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      let time = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + $1.tv_sec * 1_000_000 + Int($1.tv_usec) }
      say("usage \(time) \(Self.residentKibibytes)")
    default:
      guard try performMaintenance(words) else { throw Wrong(description: "no such command") }
    }
  }

  /// What the process has in memory now; its maximum would hide a growth behind an early height.
  private static var residentKibibytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
  }

  private func watch(_ shape: String) -> ChildWatch? { watches[shape] }

  /// Does the next steps of a writer's script, one transaction each, and says so after each commit.
  ///
  /// - Parameter saysStates: begin some transactions by saying the token and a fresh result of every shape: what others
  ///   have published at that token must be the same.
  private mutating func write(
    writer: Int, seed: UInt64, count: Int, saysStates: Bool = false, beforeCommit: () -> Void = {}
  ) throws {
    let store = try opened()
    for _ in 0..<count {
      let script = try store.write { transaction in
        // Each third: a fresh result of every shape costs more than the commit.
        if saysStates, (scripts[writer]?.step ?? 0) % 3 == 0 {
          let shapes = try WatchShape.allCases.map { "\($0.rawValue)=\(try $0.fingerprint(transaction))" }
          say("at \(try transaction.token()) \(shapes.joined(separator: " "))")
        }
        var script = try resumed(writer: writer, seed: seed, transaction)
        try TwinScript.make(script.next(), of: writer, in: &transaction)
        beforeCommit()
        return script
      }
      scripts[writer] = script
      say("ack \(script.step)")
    }
    say("written \(scripts[writer]?.step ?? 0)")
  }

  /// A script at the step that the store says. Another process may have written as this writer, and have been killed.
  private func resumed(writer: Int, seed: UInt64, _ transaction: borrowing WriteTransaction) throws -> TwinScript {
    let step = try transaction.record(Twin.self, id: TwinScript.counterID(of: writer))?.step ?? 0
    var script = scripts[writer] ?? TwinScript(writer: writer, seed: seed)
    if script.step > step { script = TwinScript(writer: writer, seed: seed) }
    while script.step < step { _ = script.next() }
    return script
  }

  /// Compares the records of a writer, who may have been killed, with its script: every commit that it acknowledged is
  /// there, at most one more, and that one as a whole.
  private func verify(writer: Int, seed: UInt64, acknowledged: Int) throws {
    // As a writer: it sees every commit, also one that its writer did not live to show to readers.
    let (script, found) = try opened().write { transaction in
      let script = try resumed(writer: writer, seed: seed, transaction)
      return (script, try transaction.fetch(Query<Twin> { $0.writer == writer }))
    }
    guard (acknowledged...acknowledged + 1).contains(script.step) else {
      throw Wrong(description: "acknowledged \(acknowledged), found \(script.step)")
    }
    let wanted = script.records
    guard found.count == wanted.count else {
      throw Wrong(description: "step \(script.step): \(found.count) records, wanted \(wanted.count)")
    }
    for twin in found where wanted[twin.id] != twin {
      throw Wrong(description: "step \(script.step): \(twin), wanted \(String(describing: wanted[twin.id]))")
    }
    say("verified \(script.step)")
  }
}
