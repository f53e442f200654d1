import FoundationEssentials
import SaverKit
import SaverText

/// Prints items one by one, in every format but the table, which must know them all before it begins.
struct ItemPrinter {
  let format: ListFormat
  let fields: [SavedItemSelection.Field]
  /// A NUL ends each item instead of a line break.
  let endsWithNull: Bool

  private var isFirst = true

  init(format: ListFormat, fields: [SavedItemSelection.Field], endsWithNull: Bool = false) {
    self.format = format
    self.fields = fields
    self.endsWithNull = endsWithNull
  }

  mutating func begin(_ output: OutputWriter) throws {
    switch format {
    case .csv:
      let names = fields.map(\.rawValue)
      try write(output) { CSVText.append(row: names, to: &$0) }
    case .table, .plain, .tsv, .json, .jsonl: break
    }
  }

  mutating func print(_ item: SavedItem, to output: OutputWriter) throws {
    switch format {
    case .json:
      // An item a line: valid JSON that grep and diff can work with.
      let separator = isFirst ? "[\n" : ",\n"
      isFirst = false
      try output.write(separator)
      try writeObject(item, output)
    case .jsonl:
      try writeObject(item, output)
      try endItem(output)
    case .csv: try write(output) { CSVText.append(row: texts(item), to: &$0) }
    case .tsv: try write(output) { TSVText.append(row: texts(item), to: &$0) }
    case .plain, .table:
      // Text may hold anything: it is made one line, as in a tab-separated field.
      try output.write(texts(item).map(TabSeparated.escaped).joined(separator: " "))
      try endItem(output)
    }
  }

  mutating func end(_ output: OutputWriter) throws {
    if format == .json { try output.write(isFirst ? "[]\n" : "\n]\n") }
  }

  private func writeObject(_ item: SavedItem, _ output: OutputWriter) throws {
    var json = JSONWriter()
    json.item(item, fields)
    try output.write(json.takeBytes())
  }

  /// Writes a row of a format that ends its rows with a line break itself.
  private func write(_ output: OutputWriter, _ append: (inout [UInt8]) -> Void) throws {
    try output.append { bytes in
      append(&bytes)
      if endsWithNull, bytes.last == UInt8(ascii: "\n") {
        bytes.removeLast()
        bytes.append(0)
      }
    }
  }

  private func endItem(_ output: OutputWriter) throws {
    try output.write(endsWithNull ? "\0" : "\n")
  }

  private func texts(_ item: SavedItem) -> [String] {
    fields.map { field in
      switch field {
      case .id: item.id.hexadecimalText
      case .text: item.text
      case .title: item.title ?? ""
      case .tags: item.tags.joined(separator: ",")
      case .createdAt: DateText.rfc3339(item.createdAt)
      case .updatedAt: DateText.rfc3339(item.updatedAt)
      }
    }
  }
}
