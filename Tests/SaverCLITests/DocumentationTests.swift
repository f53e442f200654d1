import Foundation
import Testing

/// What the documents say is what the program does.
struct DocumentationTests {
  @Test func theReferenceIsTheHelp() throws {
    let script = Program.repository + "/Scripts/generate-reference"
    let sandbox = try CommandSandbox()
    let outcome = try sandbox.shell("'\(script)' '\(Program.path)'")
    #expect(outcome.exitCode == 0, "\(outcome.stderr)")
    let reference = Program.repository + "/Documentation/CommandLine.md"
    #expect(try String(contentsOfFile: reference, encoding: .utf8) == outcome.stdout, "run 'make reference'")
  }

  /// The README's commands, one after the other, as a newcomer types them.
  @Test(.enabled(if: Program.fileEngines.contains("sqlite") && Program.fileEngines.contains("lmdb")))
  func theCommandsOfTheReadmeWork() throws {
    let sandbox = try CommandSandbox()
    let readme = try String(
      contentsOfFile: Program.repository + "/README.md", encoding: .utf8)
    let blocks = readme.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let commands = blocks.flatMap { $0.split(separator: "\n").map(String.init) }
    #expect(commands.count > 10)
    let folder = (Program.path as NSString).deletingLastPathComponent
    for command in commands {
      let outcome = try sandbox.shell("cd '\(Program.repository)'; PATH='\(folder)':$PATH; \(command)")
      #expect(outcome.exitCode == 0, "\(command): \(outcome.stderr)")
      #expect(!outcome.stdout.isEmpty, "\(command)")
    }
  }
}
