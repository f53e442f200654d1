import SaverCLI

/// A command line like the tool's own: how a command is declared and its values are used.
enum ExampleTool {
  enum Format: String, CaseIterable {
    case table, plain, json
  }

  enum List {
    static let limit = Option("limit", short: "n", .wholeNumber("COUNT", in: 0...), help: "Shows at most COUNT items.")
    static let showsAll = Flag("all", short: "a", help: "Shows all items, however many.")
    static let isVerbose = Flag("verbose", short: "v", help: "Says more.")
    static let tags = RepeatedOption("tag", short: "t", .nonEmptyText("TAG"), help: "Only items with this tag.")
    static let title = Option("title", .text("TITLE"), help: "Only items with this title.")
    static let format = Option("format", .choice(Format.self, "FORMAT"), help: "How the items are printed.")
    static let words = RepeatedArgument(.text("WORD"), help: "Only items that hold every word.")

    static let command = Command(
      "list", abstract: "Lists items, newest first.",
      discussion: """
        Without options the newest items are shown, in a table that is cut to the width of the terminal, with the \
        short id, the date and the title of each.

          saver list --tag swift --format json
        """,
      parameters: [limit, showsAll, isVerbose, tags, title, format, words])
  }

  enum Copy {
    static let destination = RequiredOption("to", .text("BACKEND"), help: "The engine to copy to.")
    static let command = Command("copy", abstract: "Copies the store.", parameters: [destination])
  }

  enum Show {
    static let id = Argument(.nonEmptyText("ID"), help: "The item.")
    static let field = OptionalArgument(.choice("FIELD", of: ["text", "title"]), help: "What of it.")
    static let command = Command("show", abstract: "Shows an item.", parameters: [id, field])
  }

  enum Delete {
    static let ids = RepeatedArgument(.nonEmptyText("ID"), minimum: 1, help: "The items.")
    static let command = Command("delete", abstract: "Deletes items.", parameters: [ids])
  }

  static let store = Option("store", .text("PATH"), help: "Where the items are.")

  static let tool = Tool(
    "saver", abstract: "Keeps links and texts.", globalOptions: [store],
    commands: [List.command, Show.command, Copy.command, Delete.command])
}
