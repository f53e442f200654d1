#if SQLite
import SaverCore

extension Table {
  /// The statements that make the table, its indexes and its triggers.
  func definition(keepsRows: Bool) -> [String] {
    [tableDefinition(named: type.name)] + indexDefinitions.map(\.sql)
      + triggerDefinitions(keepsRows: keepsRows).map(\.sql)
  }

  /// Any program can insert a row: what it leaves out has a default, where the schema knows one.
  func tableDefinition(named name: String) -> String {
    var lines = [
      "\"id\" BLOB NOT NULL PRIMARY KEY DEFAULT (randomblob(16)) CHECK (length(\"id\") = 16)"
    ]
    for field in type.fields.dropFirst() {
      var line = "\(SQLText.quoted(field.name)) \(SQLText.columnType(field.type))"
      if !field.isOptional { line += " NOT NULL" }
      if let expression = SQLText.defaultExpression(field.default) { line += " DEFAULT \(expression)" }
      lines.append(line)
    }
    lines += type.derived.map { "\(SQLText.quoted($0.name)) TEXT" }
    return "CREATE TABLE \(SQLText.quoted(name)) (\n  \(lines.joined(separator: ",\n  "))\n) STRICT"
  }

  /// Every index ends with the id, so that walking it in either direction gives a total order. A derived column has an
  /// index of the rows that lack it, which is empty nearly always: our writers look there before they write.
  var indexDefinitions: [(name: String, sql: String)] {
    var definitions = type.indexes.map { index in
      var keys = index.columns.map { columns[$0] }
      if !index.columns.contains(0) { keys.append("\"id\"") }
      let name = name(of: index)
      return (name, "CREATE INDEX \(SQLText.quoted(name)) ON \(self.name) (\(keys.joined(separator: ", ")))")
    }
    for derived in type.derived {
      let name = missingName(derived)
      definitions.append(
        (
          name,
          "CREATE INDEX \(SQLText.quoted(name)) ON \(self.name) (\"id\") WHERE \(SQLText.quoted(derived.name)) IS NULL"
        ))
    }
    return definitions
  }

  /// All triggers.
  func triggerDefinitions(keepsRows: Bool) -> [(name: String, sql: String)] {
    clearingTriggers + HistoryTriggers(StoredSchema(type), keepsRows: keepsRows).definitions
  }

  /// A derived value that another program has made stale is taken away. A program that knows the column and sets it
  /// is believed: that is how our own update passes. Calls no function, so that any program can run it.
  var clearingTriggers: [(name: String, sql: String)] {
    type.derived.map { derived in
      let name = triggerName(derived)
      let (column, source) = (SQLText.quoted(derived.name), SQLText.quoted(derived.source))
      return (
        name,
        """
        CREATE TRIGGER \(SQLText.quoted(name)) AFTER UPDATE OF \(source) ON \(self.name)
        WHEN NEW.\(source) IS NOT OLD.\(source) AND NEW.\(column) IS OLD.\(column) AND NEW.\(column) IS NOT NULL
        BEGIN UPDATE \(self.name) SET \(column) = NULL WHERE "id" = NEW."id"; END
        """
      )
    }
  }
}
#endif
