import FoundationEssentials
import SaverCore

/// One run of a check on a subject: opens its stores, and says what it expects of them.
struct Trial: Sendable {
  let check: String
  let subject: ConformanceSubject
  /// Empty at first, and removed afterwards.
  let folder: String

  /// Opens the store of this name with the record types of the kit's world, or makes it.
  func open(_ name: String = "store") throws -> Store {
    try open(name, Trial.world)
  }

  /// The record types of the kit's world.
  static let world = [Note.recordType, Specimen.recordType, IndexedSpecimen.recordType]

  func open(_ name: String = "store", _ types: [RecordType], creation: StoreLocation.Creation = .ifMissing) throws
    -> Store
  {
    try subject.open(StoreLocation(base: "\(folder)/\(name)", creation: creation), types)
  }

  /// A name for one more store of a check.
  static func freshName() -> String { UUID.version7().hexadecimal }

  /// Makes a store of its own that holds these records.
  func open<R: Record>(with records: [R]) throws -> Store {
    let store = try open(Trial.freshName())
    try store.write { transaction in
      for record in records { try transaction.insert(record) }
    }
    return store
  }

  func failure(_ message: String, _ fileID: String, _ line: Int) -> ConformanceFailure {
    ConformanceFailure(check: check, message: message, fileID: fileID, line: line)
  }
}

extension Record {
  static var recordType: RecordType { schema.type }
}
