#if LMDB
import SaverCore

/// A range of keys, in the order of their bytes.
struct KeyRange: Hashable {
  /// The first key may be equal to it. Empty: from the beginning.
  var lower: [UInt8] = []
  /// Every key is less. `nil`: to the end.
  var upper: [UInt8]?

  var isEmpty: Bool {
    guard let upper else { return false }
    return !lower.lexicographicallyPrecedes(upper)
  }

  mutating func raise(to bound: [UInt8]) {
    if lower.lexicographicallyPrecedes(bound) { lower = bound }
  }

  mutating func cap(to bound: [UInt8]) {
    if upper.map({ bound.lexicographicallyPrecedes($0) }) ?? true { upper = bound }
  }

  /// The same keys in ranges that are not empty, do not overlap, and ascend.
  static func merged(_ ranges: [KeyRange]) -> [KeyRange] {
    var merged: [KeyRange] = []
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lower.lexicographicallyPrecedes($1.lower) }) {
      guard let last = merged.last else {
        merged.append(range)
        continue
      }
      if let end = last.upper, !range.lower.lexicographicallyPrecedes(end) {
        merged.append(range)
      } else if let end = last.upper {
        merged[merged.count - 1].upper = range.upper.map { end.lexicographicallyPrecedes($0) ? $0 : end }
      }
    }
    return merged
  }
}
#endif
