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
  /// Counted in a snapshot of the store, and through the repository: they must agree.
  let snapshotCount: Int?
  let repositoryCount: Int?
  let problems: [String]

  init(_ store: Store, _ context: CommandContext) async throws {
    backend = context.configuration.backend.value
    library = try context.configuration.registry.backend(named: backend).library
    path = store.path
    identity = store.identity
    inspection = try store.inspect(checkingIntegrity: true)
    var problems = inspection.problems
    snapshotCount = Self.count(&problems) { try store.read { try $0.count(Query<SavedItem>()) } }
    do {
      repositoryCount = try await context.repository(on: store).count()
    } catch {
      repositoryCount = nil
      problems.append("the items cannot be counted: \(error)")
    }
    if snapshotCount != repositoryCount { problems.append("the counts do not agree") }
    self.problems = problems
  }

  private static func count(_ problems: inout [String], _ body: () throws -> Int) -> Int? {
    do {
      return try body()
    } catch {
      problems.append("the items cannot be counted: \(error)")
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
        }
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
    for fact in inspection.facts { table.append([fact.name, fact.value]) }
    table.append(["integrity", problems.isEmpty ? "ok" : "damaged"])
    for problem in problems { table.append(["problem", problem]) }
    for warning in inspection.warnings { table.append(["warning", warning]) }
    return table.lines(limit: nil, style: style)
  }
}
