import FoundationEssentials
import SaverCore
import SaverKit

/// What the examination of a store found.
struct DoctorReport {
  let backend: String
  let library: String
  let path: String?
  /// `nil` if the store could not be opened.
  private(set) var identity: UUID?
  private(set) var inspection: StoreInspection?
  /// Counted in a snapshot of the store, through the repository, and by a live view: they must agree.
  private(set) var snapshotCount: Int?
  private(set) var repositoryCount: Int?
  private(set) var liveCount: Int?
  private(set) var history: DoctorHistory?
  /// How well the live view is kept up to date.
  private(set) var observation: ObservationStatus?
  private(set) var folder: Folder?
  private(set) var mended: [String] = []
  private(set) var problems: [String] = []
  private(set) var warnings: [String] = []

  /// Where the store lies.
  struct Folder {
    let path: String
    let mode: FileMode?
    /// The kernel's name of its kind.
    let fileSystem: String?

    init(of store: String) {
      let folder = StoreFile(path: store).resolved.folder
      (path, mode, fileSystem) = (folder.path, folder.mode, folder.fileSystem)
    }
  }

  /// The report on a store that cannot be opened.
  init(unopened error: StorageError, path: String, _ context: CommandContext) throws {
    try self.init(context, path: path)
    problems = [error.description]
  }

  /// Examines a store; mends it first if that is asked for.
  init(_ store: Store, repairing: Bool, _ context: CommandContext) async throws {
    try self.init(context, path: store.path)
    identity = store.identity
    if repairing {
      do {
        mended = try store.repair()
      } catch let error as StorageError where error.code != .busy {
        problems.append("it cannot be mended: \(error)")
      }
    }
    let inspection = try store.inspect(checkingIntegrity: true)
    self.inspection = inspection
    problems += inspection.problems
    warnings += inspection.warnings + Self.privacyWarnings(inspection.files)
    if !inspection.isUnreadable { await read(store, context) }
  }

  private init(_ context: CommandContext, path: String?) throws {
    backend = context.configuration.backend.value
    library = try context.configuration.registry.backend(named: backend).library
    self.path = path
    folder = path.map(Folder.init(of:))
    if let folder, let mode = folder.mode, mode.isReadableByOthers || mode.isWritableByOthers {
      let what = mode.isWritableByOthers ? "put files into the store's folder" : "see what is in the store's folder"
      warnings.append("Others can \(what), \(folder.path) (mode \(mode)); 'chmod 700' keeps them out.")
    }
  }

  private static func privacyWarnings(_ files: [StoreInspection.File]) -> [String] {
    files.compactMap { file in
      guard let mode = file.mode, mode.isReadableByOthers || mode.isWritableByOthers else { return nil }
      let verb = mode.isWritableByOthers ? "write to" : "read"
      return "Others can \(verb) \(file.path) (mode \(mode)); 'chmod 600' keeps it private."
    }
  }

  // MARK: Reading

  private mutating func read(_ store: Store, _ context: CommandContext) async {
    snapshotCount = examine { try store.read { try $0.count(Query<SavedItem>()) } }
    do {
      repositoryCount = try await context.repository(on: store).count()
    } catch {
      problems.append("the items cannot be counted: \(error)")
    }
    let live = LiveView(store)
    liveCount = examine { try live.count() }
    observation = live.status
    live.end()
    // Somebody may have written in between: the last look decides.
    let counts = [snapshotCount, repositoryCount, liveCount]
    if Set(counts).count > 1, let now = try? store.read({ try $0.count(Query<SavedItem>()) }), now == snapshotCount {
      problems.append("the counts do not agree")
    }
    history = examine { try store.read { try DoctorHistory($0) } }
  }

  private mutating func examine<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      problems.append("the store cannot be read: \(error)")
      return nil
    }
  }

  /// One word for the whole.
  var integrity: String {
    if inspection == nil { return "unusable" }
    return problems.isEmpty ? "ok" : "damaged"
  }
}
