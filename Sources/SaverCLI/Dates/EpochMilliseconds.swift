package import FoundationEssentials

/// An instant as whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted: the precision of every date
/// that the tool reads or writes.
package struct EpochMilliseconds: Hashable, Comparable, Sendable {
  package var value: Int64

  package init(_ value: Int64) {
    self.value = value
  }

  /// The nearest millisecond; a date beyond the range of the type, or that is not a number, becomes its nearest end.
  package init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    value = Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
  }

  package var date: Date {
    Date(timeIntervalSince1970: Double(value) / 1000)
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }
}
