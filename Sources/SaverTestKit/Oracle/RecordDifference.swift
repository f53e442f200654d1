import FoundationEssentials
import SaverCore

/// What differs between the records that were found and those that were wanted, for a failure's message.
enum RecordDifference {
  /// `nil` if they are the same in every bit, in the same order.
  static func describe<R: TransparentRecord>(_ found: [R], _ wanted: [R]) -> String? {
    if let difference = describe(ids: found.map(\.id), wanted.map(\.id)) { return difference }
    for (found, wanted) in zip(found, wanted) {
      for column in R.columns {
        let (value, other) = (found.value(of: column), wanted.value(of: column))
        if !value.isIdentical(to: other) {
          return "'\(column)' of \(found.id.hexadecimal) is \(brief(value)), wanted \(brief(other))"
        }
      }
    }
    return nil
  }

  static func describe(ids found: [UUID], _ wanted: [UUID]) -> String? {
    if found == wanted { return nil }
    let missing = Set(wanted).subtracting(found)
    let surplus = Set(found).subtracting(wanted)
    if let id = missing.first ?? surplus.first {
      return
        "found \(found.count) records, wanted \(wanted.count): \(missing.count) missing, \(surplus.count) too many,"
        + " as \(id.hexadecimal)"
    }
    if found.count != wanted.count { return "found \(found.count) records, some of them twice, wanted \(wanted.count)" }
    let place = zip(found, wanted).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
    return "the right \(wanted.count) records in another order, from place \(place) on"
  }

  private static func brief(_ value: StoredValue) -> String {
    let text = "\(value)"
    return text.utf8.count <= 200 ? text : "\(text.prefix(100))… (\(text.utf8.count) bytes)"
  }
}

extension StoredValue {
  /// Whether two values are the same in every bit: composed and decomposed texts differ.
  func isIdentical(to other: StoredValue) -> Bool {
    switch (self, other) {
    case (.text(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
    case (.texts(let list), .texts(let other)): list.elementsEqual(other) { $0.utf8.elementsEqual($1.utf8) }
    case (.double(let number), .double(let other)): number.bitPattern == other.bitPattern
    case (.date(let date), .date(let other)):
      date.timeIntervalSince1970.bitPattern == other.timeIntervalSince1970.bitPattern
    default: self == other
    }
  }
}
