/// The types that a field can have in a store.
public enum FieldType: String, Hashable, Sendable, CaseIterable {
  case bool, int, double, string, data, date, uuid
  /// A list of texts.
  case strings
}
