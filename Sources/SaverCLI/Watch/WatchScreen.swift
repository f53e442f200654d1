import SaverCore
import SaverKit
import SaverText

/// Shows a list on a terminal, drawn again whenever it changes; on the alternate screen, so that what stood there before
/// is there again at the end.
struct WatchScreen: WatchOutput {
  private let context: CommandContext
  private var update: ListUpdate<SavedItem>?
  private var trouble: String?
  private var size: TerminalSize?
  private var isShown = false

  /// In a narrower terminal the text takes the room of the date.
  private static let columnsForDates = 60

  private enum Control {
    static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    static let leave = "\u{1B}[?25h\u{1B}[?1049l"
    static let home = "\u{1B}[H"
    static let clearLine = "\u{1B}[K"
    static let clearBelow = "\u{1B}[J"
  }

  init(_ context: CommandContext) {
    self.context = context
  }

  /// Whether the terminal understands what this needs.
  static func isPossible(_ context: CommandContext) -> Bool {
    guard let terminal = context.environment.nonEmpty("TERM") else { return false }
    return context.output.isTerminal && terminal != "dumb"
  }

  mutating func publish(_ update: ListUpdate<SavedItem>) throws {
    self.update = update
    try draw()
  }

  mutating func show(trouble: String?) throws {
    self.trouble = trouble
    try draw()
  }

  mutating func refresh() throws {
    if TerminalSize(environment: context.environment) != size { try draw() }
  }

  mutating func suspend() throws {
    try leave()
  }

  mutating func resume() throws {
    try draw()
  }

  mutating func end() {
    try? leave()
  }

  private mutating func leave() throws {
    guard isShown else { return }
    isShown = false
    try context.output.write(Control.leave)
    try context.output.flush()
  }

  private mutating func draw() throws {
    let size = TerminalSize(environment: context.environment)
    self.size = size
    if !isShown { try context.output.write(Control.enter) }
    isShown = true
    let lines = lines(size).prefix(size.rows)
    // Line by line over what is there: nothing flickers. No line break behind the last line, which would scroll.
    let text = lines.map { $0 + Control.clearLine }.joined(separator: "\r\n")
    try context.output.write(Control.home + text + Control.clearBelow)
    try context.output.flush()
  }

  /// What the screen shows: a heading, and as many items as there is room for.
  private func lines(_ size: TerminalSize) -> [String] {
    let style = context.style
    guard let update else {
      return [style.apply(.heading, to: fitted(trouble ?? "reading…", size))]
    }
    let room = max(0, size.rows - 1)
    var heading = update.items.count == 1 ? "1 item" : "\(update.items.count) items"
    if update.hasMore { heading += " and more" }
    if update.items.count > room { heading += ", the first \(room)" }
    heading += trouble.map { ": \($0)" } ?? ""
    let fields = ListFormat.table.defaultFields.filter { $0 != .createdAt || size.columns >= Self.columnsForDates }
    let table = ItemTable(Array(update.items.prefix(room)), fields: fields)
    return [style.apply(trouble == nil ? .heading : .error, to: fitted(heading, size))]
      + table.lines(limit: size.columns, style: style)
  }

  private func fitted(_ text: String, _ size: TerminalSize) -> String {
    CellWidth.truncate(VisibleText.escaped(text), toCells: size.columns)
  }
}
