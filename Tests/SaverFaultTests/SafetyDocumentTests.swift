import Foundation
import Testing

extension FaultTests {
  /// The tests that the page about what can be lost names are there.
  @Suite struct SafetyDocumentTests {
    @Test func everyTestThatIsNamedIsThere() throws {
      let page = try String(contentsOfFile: Programs.repository + "/Documentation/Safety.md", encoding: .utf8)
      let sources = try Self.sources(in: ["Tests", "Sources/SaverTestKit"])
      var names = 0
      for (place, code) in page.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      where place % 2 == 1 && !code.contains(where: { $0 == "/" || $0 == " " }) {
        let words = code.split(separator: ".").map(String.init)
        guard let suite = words.last(where: { $0.hasSuffix("Tests") }) else {
          // A check of the conformance suite.
          let isCheck = words.count > 1 && ["live", "history", "restore", "backup", "copy"].contains(words[0])
          let isThere = !isCheck || sources.contains("\"\(code)\"")
          #expect(isThere, "there is no check '\(code)'")
          continue
        }
        names += 1
        let hasSuite = sources.contains("struct \(suite) ") || sources.contains("enum \(suite)\n")
        #expect(hasSuite, "there is no suite '\(suite)'")
        guard let test = words.last, test != suite else { continue }
        let hasTest = sources.contains("func \(test)(")
        #expect(hasTest, "there is no test '\(code)'")
      }
      #expect(names > 30)
    }

    private static func sources(in folders: [String]) throws -> String {
      var text = ""
      for folder in folders {
        let path = "\(Programs.repository)/\(folder)"
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) where name.hasSuffix(".swift") {
          text += try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
        }
      }
      return text
    }
  }
}
