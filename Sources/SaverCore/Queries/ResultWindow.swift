/// What `offset` and `limit` leave of a sequence of rows, of which some have passed: for an engine that goes from row to row.
@frozen public struct ResultWindow {
  /// How many of the next rows are left out.
  public var skipped: Int
  /// How many are shown then.
  public var left: Int

  public init(_ selection: Selection) {
    skipped = selection.offset
    left = selection.limit ?? .max
  }

  /// Of everything, the first `count`.
  public init(first count: Int) {
    skipped = 0
    left = count
  }

  /// Whether the next row is one to show.
  @inlinable @inline(__always) public mutating func takes() -> Bool {
    if skipped == 0 { return true }
    skipped -= 1
    return false
  }

  /// Counts a row that was shown; `false` if it was the last.
  @inlinable @inline(__always) public mutating func goesOn() -> Bool {
    left -= 1
    return left > 0
  }

  /// How many rows are needed to fill the window.
  public var needed: Int {
    let (sum, isTooLarge) = left.addingReportingOverflow(skipped)
    return isTooLarge ? .max : sum
  }
}
