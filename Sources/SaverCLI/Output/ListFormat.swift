import SaverKit

/// How items are printed.
enum ListFormat: String, CaseIterable, Sendable {
  /// Columns for people.
  case table
  /// One line an item, its fields parted by spaces.
  case plain
  /// One line an item, its fields parted by tabs.
  case tsv
  case csv
  /// One array of objects.
  case json
  /// An object a line.
  case jsonl

  /// What is printed of an item if nobody says otherwise.
  var defaultFields: [SavedItemSelection.Field] {
    switch self {
    case .table: [.id, .createdAt, .text, .tags]
    case .plain: [.id, .text]
    case .tsv, .csv, .json, .jsonl: SavedItemSelection.Field.allCases
    }
  }
}
