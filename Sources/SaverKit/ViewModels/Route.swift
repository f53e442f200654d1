public import FoundationEssentials

/// Where a front end can go from a list: typed, so that it can be kept and restored.
public enum Route: Hashable, Codable, Sendable {
  /// One item: see ``SavedItemDetailViewModel``.
  case detail(UUID)
}
