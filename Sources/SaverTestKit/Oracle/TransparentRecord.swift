public import SaverCore

/// A record whose values can be asked for by the names of their columns, without going through its schema.
///
/// The oracle sees records this way, and shares no code with what it judges.
public protocol TransparentRecord: Record {
  static var columns: [String] { get }
  /// The value of a column, derived ones included.
  func value(of column: String) -> StoredValue
}
