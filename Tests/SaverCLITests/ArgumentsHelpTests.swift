import SaverCLI
import SaverText
import Testing

@Suite struct ArgumentsHelpTests {
  private let help = HelpText(of: ExampleTool.tool)

  @Test func ofTheTool() {
    #expect(
      help.toolHelp() == """
        Keeps links and texts.

        Usage: saver [OPTION…] COMMAND …

        Commands:
          list    Lists items, newest first.
          show    Shows an item.
          copy    Copies the store.
          delete  Deletes items.
          help    Shows help on a command.

        Options:
              --store PATH  Where the items are.
          -h, --help        Shows help.
              --version     Shows the version.

        'saver help COMMAND' explains a command.

        """)
  }

  @Test func ofACommand() {
    #expect(
      help.commandHelp(ExampleTool.List.command) == """
        Lists items, newest first.

        Usage: saver list [OPTION…] [WORD…]

        Without options the newest items are shown, in a table that is cut to the width
        of the terminal, with the short id, the date and the title of each.

          saver list --tag swift --format json

        Arguments:
          [WORD…]  Only items that hold every word.

        Options:
          -n, --limit COUNT    Shows at most COUNT items.
          -a, --all            Shows all items, however many.
          -v, --verbose        Says more.
          -t, --tag TAG        Only items with this tag. Can be repeated.
              --title TITLE    Only items with this title.
              --format FORMAT  How the items are printed. One of: table, plain, json.

        Global options:
              --store PATH  Where the items are.
          -h, --help        Shows help.
              --version     Shows the version.

        """)
  }

  @Test func ofRequiredThings() {
    #expect(help.commandHelp(ExampleTool.Copy.command).contains("Usage: saver copy [OPTION…] --to BACKEND\n"))
    #expect(!help.commandHelp(ExampleTool.Copy.command).contains("\n\n\n"))
    #expect(help.commandHelp(ExampleTool.Show.command).contains("Usage: saver show ID [FIELD]\n"))
    #expect(help.commandHelp(ExampleTool.Delete.command).contains("Usage: saver delete ID…\n"))
  }

  @Test func linesKeepToTheWidth() {
    let wordy = Flag("a-rather-long-name-for-an-option", help: String(repeating: "word wörd 日本語 ", count: 30))
    let command = Command("x", abstract: String(repeating: "word ", count: 40), parameters: [wordy])
    let text = HelpText(of: Tool("t", abstract: "", commands: [command])).commandHelp(command)
    #expect(text.split(separator: "\n").count > 10)
    for line in text.split(separator: "\n") {
      #expect(CellWidth.cells(String(line)) <= 80)
    }
  }
}
