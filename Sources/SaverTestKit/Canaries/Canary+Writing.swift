import FoundationEssentials
import SaverCore

extension Canary {
  /// Values that come back as others, and changes that are not what was asked for.
  static let writing: [Canary] = [
    value("value.cutAtNUL", "Cuts a text at its first NUL.", caughtBy: ["value.texts"]) {
      if case .text(let text) = $0 { .text(String(text.prefix { $0 != "\0" })) } else { $0 }
    },
    value("value.composes", "Stores composed forms.", caughtBy: ["value.texts", "query.text.forms"]) {
      guard case .text(let text) = $0 else { return $0 }
      return text.unicodeScalars.elementsEqual("e\u{301}".unicodeScalars) || text.hasPrefix("cafe\u{301}")
        ? .text(text.hasPrefix("c") ? "caf\u{e9}" : "\u{e9}") : $0
    },
    value("value.longTexts", "Cuts a text at 65,535 bytes.", caughtBy: ["value.longText"]) {
      if case .text(let text) = $0, text.utf8.count > 65_535 { .text(String(text.prefix(60_000))) } else { $0 }
    },
    value("value.wholeSeconds", "Stores whole seconds.", caughtBy: ["value.dates"]) {
      if case .date(let date) = $0 {
        .date(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
      } else {
        $0
      }
    },
    value("value.doubleInts", "Stores integers as doubles.", caughtBy: ["value.ints"]) {
      if case .int(let int) = $0 { .int(Int(exactly: Double(int)) ?? .max) } else { $0 }
    },
    value("value.emptyIsNil", "Stores an empty text of an optional field as nil.", caughtBy: ["value.emptyIsNotNil"]) {
      $0
    } optional: {
      $0 == .text("") ? .null : $0
    },
    value("value.tagsAreASet", "Stores tags once, in order.", caughtBy: ["value.lists"]) {
      if case .texts(let list) = $0 { .texts(Set(list).sorted()) } else { $0 }
    },
    value("value.joinsTags", "Parts tags at commas.", caughtBy: ["value.lists", "value.everyType"]) {
      if case .texts(let list) = $0 {
        .texts(list.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) })
      } else {
        $0
      }
    },
    Canary(
      "update.keepsTags", "Leaves the old tags when a record is updated.", caughtBy: ["record.update", "record.save"],
      Fault(
        written: { new, old, type in
          new.indices.map { column in
            type.type(ofColumn: column) == .strings ? old?[column] ?? new[column] : new[column]
          }
        })),
    Canary(
      "update.keepsValues", "Leaves an old value when the new one is nil.", caughtBy: ["record.updateToNil"],
      Fault(
        written: { new, old, _ in
          new.indices.map { column in new[column] == .null ? old?[column] ?? .null : new[column] }
        })),
    Canary(
      "update.denies", "Says of every update and deletion that there was no record.",
      caughtBy: ["record.update", "record.delete"], Fault(deniesWhatWasThere: true)),
    Canary(
      "insert.overwrites", "Replaces the record of an id that is taken.",
      caughtBy: ["record.duplicate", "record.duplicateWithin"], Fault(overwritesDuplicates: true)),
    Canary(
      "delete.forgets", "Says that it deleted, and did not.",
      caughtBy: ["record.delete", "query.delete", "index.delete"],
      Fault(forgetsDeletes: true)),
  ]

  /// Transactions that are not what they promise.
  static let transacting: [Canary] = [
    Canary(
      "transaction.keepsRolledBack", "Commits what was to be taken back.",
      caughtBy: ["transaction.rollback", "transaction.twoTypes"], Fault(keepsRolledBack: true)),
    Canary(
      "transaction.partial", "Commits the first 50 changes of a transaction.", caughtBy: ["transaction.large"],
      Fault(changesMax: 50)),
    Canary(
      "transaction.hidesOwnWrites", "Does not show a transaction its own changes.", caughtBy: ["transaction.ownWrites"],
      Fault(hidesOwnWrites: true)),
    Canary(
      "transaction.latest", "Shows a read what is committed while it runs.",
      caughtBy: ["isolation.snapshot", "history.token.snapshot"],
      Fault(reading: .latest)),
    Canary(
      "transaction.stale", "Does not show what was inserted last.", caughtBy: ["isolation.visible", "record.insert"],
      Fault(reading: .stale)),
    Canary(
      "transaction.losesUpdates", "Decides on a snapshot and writes later.", caughtBy: ["transaction.ownWrites"],
      Fault(losesUpdatesOfOthers: true)),
    Canary(
      "store.changesIdentity", "Has another identity each time that it is opened.", caughtBy: ["reopen.identity"],
      needsPersistence: true, Fault(changesIdentity: true)),
  ]

  /// A canary that changes values on their way into the store; `optional` those of optional fields.
  private static func value(
    _ id: String, _ summary: String, caughtBy: [String], _ change: @escaping @Sendable (StoredValue) -> StoredValue,
    optional: @escaping @Sendable (StoredValue) -> StoredValue = { $0 }
  ) -> Canary {
    Canary(
      id, summary, caughtBy: caughtBy,
      Fault(
        written: { new, _, type in
          new.indices.map { column in
            let value = change(new[column])
            return type.isOptional(column: column) ? optional(value) : value
          }
        }))
  }
}
