#if SQLite
import SaverCore

/// What `offset` and `limit` leave of a sequence of rows, of which some have passed.
struct ResultWindow {
  /// How many of the next rows are left out.
  private(set) var skipped: Int
  /// How many are shown then.
  private(set) var left: Int

  init(_ selection: Selection) {
    skipped = selection.offset
    left = selection.limit ?? .max
  }

  /// Whether the next row is one to show.
  @inline(__always) mutating func takes() -> Bool {
    if skipped == 0 { return true }
    skipped -= 1
    return false
  }

  /// Counts a row that was shown; `false` if it was the last.
  @inline(__always) mutating func goesOn() -> Bool {
    left -= 1
    return left > 0
  }

  /// How many rows are needed to fill the window.
  var needed: Int {
    let (sum, isTooLarge) = left.addingReportingOverflow(skipped)
    return isTooLarge ? .max : sum
  }
}
#endif
