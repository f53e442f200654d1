import FoundationEssentials
import SaverKit

/// The options that say which items, of every command that speaks of several.
enum SelectionOptions {
  static let search = Option(
    "search", short: "s", .text("WORDS"),
    help: "Items in which every word occurs: in text, title or tags, blind to case and accents.")
  static let tags = RepeatedOption("tag", short: "t", .nonEmptyText("TAG"), help: "Items that have this tag.")
  static let excludedTags = RepeatedOption(
    "not-tag", .nonEmptyText("TAG"), help: "Items that do not have this tag.")
  static let from = Option("from", .date(), help: "Items created at this date or later.")
  static let until = Option("until", .date(), help: "Items created before this date.")

  static let all: [any Parameter] = [search, tags, excludedTags, from, until]

  /// Whether any of them is given.
  static func areGiven(_ arguments: ParsedArguments) -> Bool {
    arguments[search] != nil || !arguments[tags].isEmpty || !arguments[excludedTags].isEmpty || arguments[from] != nil
      || arguments[until] != nil
  }

  static func selection(_ arguments: ParsedArguments) -> SavedItemSelection {
    var selection = SavedItemSelection()
    selection.search = arguments[search]
    selection.tags = arguments[tags]
    selection.excludedTags = arguments[excludedTags]
    selection.from = arguments[from]
    selection.until = arguments[until]
    return selection
  }
}
