import SaverCore
import SaverKit
import SaverText

/// Shows a list as lines, one an event: for scripts, and where there is no terminal.
struct WatchLines: WatchOutput {
  enum Form {
    case jsonl, plain
  }

  let form: Form
  /// Whether a snapshot lists its items.
  let listsItems: Bool
  let context: CommandContext
  /// What has happened since a token; asked for once, for the first publication.
  var missed: ((ListUpdate<SavedItem>) throws -> MissedChanges)?
  /// The token that the reader would go on from if what is under way were not there.
  private(set) var token: HistoryToken?

  /// - Parameter since: the token that `missed` begins with.
  init(
    _ form: Form, listsItems: Bool, _ context: CommandContext, since: HistoryToken?,
    missed: ((ListUpdate<SavedItem>) throws -> MissedChanges)?
  ) {
    self.form = form
    self.listsItems = listsItems
    self.context = context
    self.missed = missed
    token = since
  }

  mutating func publish(_ update: ListUpdate<SavedItem>) throws {
    switch update.kind {
    case .initial:
      if let missed {
        switch try missed(update) {
        case .events(let events): try write(events, until: update.token)
        case .unknown(let reason): try writeReset(reason, update)
        }
        self.missed = nil
      } else {
        try writeSnapshot(update)
      }
    case .change: try write(WatchEvent.changes(update.difference), until: update.token)
    case .reset(let reason): try writeReset(reason.rawValue, update)
    }
    try context.output.flush()
  }

  mutating func show(trouble: String?) throws { try context.diagnose(trouble ?? "the list is live again") }
  mutating func refresh() {}
  mutating func suspend() {}
  mutating func resume() {}
  mutating func end() {}

  // MARK: Lines

  private mutating func writeReset(_ reason: String, _ update: ListUpdate<SavedItem>) throws {
    try write(.reset(reason), nil)
    try writeSnapshot(update)
  }

  private mutating func writeSnapshot(_ update: ListUpdate<SavedItem>) throws {
    try write(.snapshot(count: update.items.count), update.token)
    if listsItems {
      for item in update.items { try write(.inserted(item), update.token) }
    }
    token = update.token
  }

  /// Only the last event carries the new token: whoever stops before it comes again for all of them.
  private mutating func write(_ events: [WatchEvent], until token: HistoryToken) throws {
    for event in events.dropLast() { try write(event, self.token ?? token) }
    if let last = events.last { try write(last, token) }
    self.token = token
  }

  private func write(_ event: WatchEvent, _ token: HistoryToken?) throws {
    switch form {
    case .jsonl: try context.output.write(Self.json(event, token))
    case .plain: try context.output.writeLine(Self.line(event, token))
    }
  }

  private static func json(_ event: WatchEvent, _ token: HistoryToken?) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("event", event.name)
      switch event {
      case .snapshot(let count): json.member("count", count)
      case .inserted(let item), .updated(let item):
        json.member("id", item.id.hexadecimalText)
        json.member("item") { $0.item(item) }
      case .deleted(let id): json.member("id", id.hexadecimalText)
      case .reset(let reason): json.member("reason", reason)
      }
      if let token { json.member("token", token.description) }
    }
    json.endLine()
    return json.takeBytes()
  }

  private static func line(_ event: WatchEvent, _ token: HistoryToken?) -> String {
    switch event {
    case .snapshot(let count): "snapshot \(count)" + (token.map { " \($0)" } ?? "")
    case .inserted(let item), .updated(let item):
      "\(event.name) \(item.id.hexadecimalText) \(TabSeparated.escaped(item.text))"
    case .deleted(let id): "\(event.name) \(id.hexadecimalText)"
    case .reset(let reason): "reset \(reason)"
    }
  }
}

extension WatchEvent {
  fileprivate var name: String {
    switch self {
    case .snapshot: "snapshot"
    case .inserted: "inserted"
    case .updated: "updated"
    case .deleted: "deleted"
    case .reset: "reset"
    }
  }
}
