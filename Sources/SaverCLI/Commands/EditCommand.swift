import FoundationEssentials
import SaverCore
import SaverKit

enum EditCommand: ToolCommand {
  static let name = "edit"

  static let id = Argument(.item(), help: "The whole id, or a beginning or end of it.")
  static let title = Option("title", .text("TITLE"), help: "Another title; an empty one takes it away.")
  static let text = Option("text", .nonEmptyText("TEXT"), help: "Another text.")
  static let tags = RepeatedOption("tag", short: "t", .nonEmptyText("TAG"), help: "Adds a tag.")
  static let untags = RepeatedOption("untag", .nonEmptyText("TAG"), help: "Takes a tag away.")
  static let format = Option("format", .choice(ShareCommand.ShareFormat.self, "FORMAT"), help: "What is printed.")

  static let command = Command(
    name, abstract: "Changes an item.",
    discussion: """
      Without an option that changes something, opens the text in $VISUAL or $EDITOR. If the item changes while the \
      editor is open, nothing is saved.
      """,
    parameters: [title, text, tags, untags, format, id])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    guard let repository = try context.existingRepository() else { throw ItemReferenceError.notFound(arguments[id]) }
    let item = try await repository.items(named: [arguments[id]])[0]
    if let text = arguments[text], text.allSatisfy(\.isWhitespace) {
      throw UsageError("the text is empty", command: command.name)
    }
    let changesByOptions =
      arguments[title] != nil || arguments[text] != nil || !arguments[tags].isEmpty || !arguments[untags].isEmpty
    let changed =
      changesByOptions
      ? try await repository.update(item.id) { apply(arguments, to: &$0) }
      : try await editText(of: item, repository, context)
    if arguments[format] == .json {
      try context.output.write(changed.jsonLine())
    } else {
      try context.output.writeLine(changed.id.hexadecimalText)
    }
    return .success
  }

  private static func apply(_ arguments: ParsedArguments, to item: inout SavedItem) {
    if let title = arguments[title] { item.title = title.isEmpty ? nil : title }
    if let text = arguments[text] { item.text = text }
    for tag in arguments[tags] where !item.tags.contains(where: { $0.utf8.elementsEqual(tag.utf8) }) {
      item.tags.append(tag)
    }
    item.tags.removeAll { tag in arguments[untags].contains { $0.utf8.elementsEqual(tag.utf8) } }
  }

  /// No transaction is open while the editor is.
  private static func editText(
    of item: SavedItem, _ repository: SavedItemRepository, _ context: CommandContext
  ) async throws -> SavedItem {
    let editor = context.environment.nonEmpty("VISUAL") ?? context.environment.nonEmpty("EDITOR")
    guard let editor else {
      throw UsageError("neither $VISUAL nor $EDITOR is set; say what to change with an option", command: command.name)
    }
    try context.output.flush()
    let text = try ExternalEditor(editor, environment: context.environment).edit(item.text)
    if text.allSatisfy(\.isWhitespace) { throw CommandFailure("the edited text is empty; nothing was changed") }
    return try await repository.update(item.id) { current in
      guard current == item else {
        throw CommandFailure("the item changed while the editor was open; nothing was saved")
      }
      current.text = text
    }
  }
}
