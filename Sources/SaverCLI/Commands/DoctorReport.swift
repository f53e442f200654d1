import FoundationEssentials
import SaverCore
import SaverKit
import SaverText

/// What the examination of a store found.
struct DoctorReport {
  let backend: String
  let library: String
  let path: String?
  let identity: UUID
  let inspection: StoreInspection
  /// Counted in a snapshot of the store, through the repository, and by a live view: they must agree.
  let snapshotCount: Int?
  let repositoryCount: Int?
  let liveCount: Int?
  let history: DoctorHistory?
  /// How well the live view is kept up to date.
  let observation: ObservationStatus
  let problems: [String]

  init(_ store: Store, _ context: CommandContext) async throws {
    backend = context.configuration.backend.value
    library = try context.configuration.registry.backend(named: backend).library
    path = store.path
    identity = store.identity
    inspection = try store.inspect(checkingIntegrity: true)
    var problems = inspection.problems
    snapshotCount = Self.examine(&problems) { try store.read { try $0.count(Query<SavedItem>()) } }
    do {
      repositoryCount = try await context.repository(on: store).count()
    } catch {
      repositoryCount = nil
      problems.append("the items cannot be counted: \(error)")
    }
    let live = LiveView(store)
    liveCount = Self.examine(&problems) { try live.count() }
    observation = live.status
    live.end()
    // Somebody may have written in between: the last look decides.
    let counts = [snapshotCount, repositoryCount, liveCount]
    if Set(counts).count > 1, let now = try? store.read({ try $0.count(Query<SavedItem>()) }), now == snapshotCount {
      problems.append("the counts do not agree")
    }
    history = Self.examine(&problems) { try store.read { try DoctorHistory($0) } }
    self.problems = problems
  }

  private static func examine<Result>(_ problems: inout [String], _ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      problems.append("the store cannot be read: \(error)")
      return nil
    }
  }

  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("backend", backend)
      json.member("library", library)
      json.member("store", path)
      json.member("identity", identity.hexadecimal)
      json.member("formatVersion", inspection.formatVersion)
      json.member("files") { json in
        json.array { json in
          for file in inspection.files {
            json.object { json in
              json.member("path", file.path)
              json.member("size", file.size)
            }
          }
        }
      }
      json.member("counts") { json in
        json.object { json in
          if let snapshotCount { json.member("snapshot", snapshotCount) }
          if let repositoryCount { json.member("repository", repositoryCount) }
          if let liveCount { json.member("live", liveCount) }
        }
      }
      json.member("observation", observation.words ?? "live")
      if let history {
        json.member("history") { json in
          json.object { json in
            json.member("changes", history.changes)
            json.member("transactions", history.transactions)
            json.member("oldest", history.head.oldest)
            json.member("newest", history.head.token.sequence)
          }
        }
        json.member("token", history.head.token.description)
      }
      json.member("integrity", problems.isEmpty ? "ok" : "damaged")
      json.member("problems", problems)
      json.member("warnings", inspection.warnings)
      json.member("facts") { json in
        json.object { json in
          for fact in inspection.facts { json.member(fact.name, fact.value) }
        }
      }
    }
    json.endLine()
    return json.takeBytes()
  }

  func lines(_ style: TerminalStyle) -> [String] {
    var table = Table([Table.Column(role: .heading), Table.Column()])
    table.append(["backend", "\(backend) (\(library))"])
    if let path { table.append(["store", path]) }
    table.append(["identity", identity.hexadecimal])
    table.append(["format", "\(inspection.formatVersion)"])
    for file in inspection.files { table.append(["file", "\(file.path), \(file.size) bytes"]) }
    table.append(["items, in a snapshot", snapshotCount.map { "\($0)" } ?? "unknown"])
    table.append(["items, by the repository", repositoryCount.map { "\($0)" } ?? "unknown"])
    table.append(["items, in a live view", liveCount.map { "\($0)" } ?? "unknown"])
    table.append(["live views", observation.words ?? "live"])
    if let history {
      let range = history.changes > 0 ? ", \(history.head.oldest) to \(history.head.token.sequence)" : ""
      table.append(["history", "\(history.changes) changes in \(history.transactions) transactions\(range)"])
      table.append(["token", history.head.token.description])
    }
    for fact in inspection.facts { table.append([fact.name, fact.value]) }
    table.append(["integrity", problems.isEmpty ? "ok" : "damaged"])
    for problem in problems { table.append(["problem", problem]) }
    for warning in inspection.warnings { table.append(["warning", warning]) }
    return table.lines(limit: nil, style: style)
  }
}
