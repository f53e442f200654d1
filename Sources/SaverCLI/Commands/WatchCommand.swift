import FoundationEssentials
import SaverCore
import SaverKit

enum WatchCommand: ToolCommand {
  static let name = "watch"

  static let limit = Option(
    "limit", short: "n", .wholeNumber("COUNT", in: 0...), help: "Follows the first COUNT items.")
  static let all = Flag("all", short: "a", help: "Follows all items; 'jsonl' and 'plain' do so anyway.")
  static let format = Option("format", short: "f", .choice(WatchFormat.self, "FORMAT"), help: "How it is shown.")
  static let items = Flag(
    "items", help: "Lists the items of a snapshot, as 'inserted' lines, before what happens next.")
  static let since = Option(
    "since", .token(), help: "Prints what has happened since this token instead of a snapshot, if it is usable.")

  enum WatchFormat: String, CaseIterable {
    /// A list that is drawn again when it changes.
    case table
    /// A line an event, for people and logs.
    case plain
    /// An object an event, for scripts.
    case jsonl
  }

  static let command = Command(
    name, abstract: "Shows a live list: what appears, changes and goes, in any process, as it happens.",
    discussion: """
      On a terminal a list that draws itself again; elsewhere a line for each event. Makes the store if there is none. \
      Ctrl-C, SIGTERM, and the reader of a pipe end it, with exit code 0.

      The lines of jsonl:
        {"event":"snapshot","count":N,"token":"…"}
        {"event":"inserted","id":"…","item":{…},"token":"…"}
        {"event":"updated","id":"…","item":{…},"token":"…"}
        {"event":"deleted","id":"…","token":"…"}
        {"event":"reset","reason":"…"}

      'deleted' also means that an item left the list. A token is kept to come back with --since: of several events \
      that happened at once only the last has a new one, so that nothing is lost by stopping in between. After a \
      reset, which comes when the store is another one or a token is not usable, a snapshot follows.
      """,
    parameters: SelectionOptions.all + [ListCommand.sort, limit, all, items, since, format])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let format = try format(arguments, context)
    var selection = SelectionOptions.selection(arguments)
    if let sort = arguments[ListCommand.sort] { selection.sort = sort }
    let standard = format == .table && !arguments[all] ? context.configuration.listLimit.value : nil
    selection.limit = arguments[limit] ?? standard
    if arguments[since] != nil, selection.limit != nil {
      throw UsageError(
        "'--since' and a limit do not go together: nobody knows what was within the limit then", command: command.name)
    }
    // Before anything that takes time: whoever has started it may end it at once.
    let signals = try ProcessSignals(handlesSuspension: format == .table)
    let store = try context.configuration.openStore(.ifMissing)
    try follow(store, selection, format, arguments, context, signals)
    // Whoever closes SQLite's store last leaves one complete file, if the process does not end before.
    store.observer.waitForLastTurn(until: Deadline(milliseconds: 1_000))
    return .success
  }

  private static func follow(
    _ store: Store, _ selection: SavedItemSelection, _ format: WatchFormat, _ arguments: ParsedArguments,
    _ context: CommandContext, _ signals: ProcessSignals
  ) throws {
    let session = WatchSession(store: store, selection: selection, context: context, signals: signals)
    if format == .table {
      var screen = WatchScreen(context)
      try session.run(&screen)
    } else {
      let missed = arguments[since].map { token in
        { update in try MissedChanges(since: token, until: update, selection, store) }
      }
      var lines = WatchLines(
        format == .jsonl ? .jsonl : .plain, listsItems: arguments[items], context, since: arguments[since],
        missed: missed)
      try session.run(&lines)
    }
  }

  private static func format(_ arguments: ParsedArguments, _ context: CommandContext) throws -> WatchFormat {
    let canDraw = WatchScreen.isPossible(context)
    let hasLines = arguments[items] || arguments[since] != nil
    let format = arguments[format] ?? (canDraw && !hasLines ? .table : .plain)
    guard format == .table else { return format }
    if !canDraw {
      throw UsageError("'--format table' needs a terminal; plain and jsonl do not", command: command.name)
    }
    if hasLines {
      throw UsageError("'--items' and '--since' need the format plain or jsonl", command: command.name)
    }
    return format
  }
}
