import FoundationEssentials
import SaverCore

/// What goes wrong with a copy of a store.
enum CopyFault: Sendable {
  case dropsRecords
  case changesDates
  /// Copies what is committed meanwhile.
  case readsTheLatest
  /// Says that the copy is the store that it was made from.
  case keepsIdentity
  case leavesFiles
  /// Leaves a store behind when it is interrupted.
  case keepsHalf
  /// Replaces what it must not.
  case alwaysReplaces
  /// Puts another file in the place of the store that is replaced.
  case replacesTheFile
  /// Empties the store that is replaced in a transaction of its own.
  case replacesInSteps
  case copiesToItself
  /// Begins with something that can be undone.
  case canBeUndone

  typealias Copy = @Sendable (Store, [RecordType], StoreLocation, CopyOptions) throws -> StoreCopy

  /// A sound copy, with the fault.
  func breaking(
    _ sound: @escaping Copy, _ open: @escaping @Sendable (StoreLocation, [RecordType]) throws -> Store
  ) -> Copy {
    { source, types, location, options in
      var options = options
      switch self {
      case .dropsRecords:
        return try sound(BrokenEngine.store(source, Fault(dropsLastRow: true)), types, location, options)
      case .readsTheLatest:
        return try sound(BrokenEngine.store(source, Fault(reading: .latest)), types, location, options)
      case .changesDates:
        let copy = try sound(source, types, location, options)
        try open(location, types).write { transaction in
          for var note in try transaction.fetch(Query<Note>()) {
            note.createdAt = Date(timeIntervalSince1970: note.createdAt.timeIntervalSince1970 + 0.001)
            try transaction.save(note)
          }
        }
        return copy
      case .keepsIdentity:
        var copy = try sound(source, types, location, options)
        copy.identity = source.identity
        return copy
      case .leavesFiles:
        defer { _ = FileManager.default.createFile(atPath: location.base + ".part", contents: nil) }
        return try sound(source, types, location, options)
      case .keepsHalf:
        do {
          return try sound(source, types, location, options)
        } catch {
          _ = try open(location, types)
          throw error
        }
      case .alwaysReplaces:
        options.replacesStore = true
      case .replacesTheFile:
        guard options.replacesStore else { break }
        try Self.removeStore(location)
      case .replacesInSteps:
        guard options.replacesStore else { break }
        try open(location, types).write { try $0.delete(Query<Note>()) }
      case .copiesToItself:
        do {
          return try sound(source, types, location, options)
        } catch let error as StorageError where error.code == .invalidConfiguration {
          var other = location
          other.base = location.base + "-other"
          return try sound(source, types, other, CopyOptions())
        }
      case .canBeUndone:
        let copy = try sound(source, types, location, options)
        try open(location, types).write(WriteOperation("copy")) { transaction in
          for note in try transaction.fetch(Query<Note>()) { try transaction.save(note) }
        }
        return copy
      }
      return try sound(source, types, location, options)
    }
  }

  private static func removeStore(_ location: StoreLocation) throws {
    let file = StoreFile(path: location.base)
    for name in TemporaryFolder.contents(of: file.folder.path) where name.hasPrefix(file.name + ".") {
      try FileManager.default.removeItem(atPath: "\(file.folder.path)/\(name)")
    }
  }
}
