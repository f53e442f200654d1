import Foundation
import SaverTestKit
import Testing

extension FaultTests {
  /// A store that becomes large while others have it open.
  @Suite struct GrowthTests {
    /// Two hundred megabytes, or forty in an ordinary run, are imported while two processes watch: one that was there from the beginning, whose map of the
    /// file was made when it was empty, and one that came in the middle. Both show everything.
    @Test(arguments: Programs.engines) func importedWhileItIsWatched(engine: String) throws {
      let folder = try FaultFolder()
      let half = Trials.isTorture ? 100 : 20
      try #require(try ChildReport.run(engine, folder.base, ["make", "write"]).isComplete)
      let (early, late, writer) = (Worker(), Worker(), Worker())
      try early.begin(engine, folder.base, ["open", "watch", "wait", "shown"])
      try early.wait(for: "wait")
      let first = try writer.run(engine, folder.base, ["open", "large:1:\(half)"])
      #expect(first.isComplete && first["large"]?.answer == "\(half * 10)", "\(first)")
      try late.begin(engine, folder.base, ["open", "watch", "wait", "shown"])
      try late.wait(for: "wait")
      let second = try writer.run(engine, folder.base, ["open", "large:2:\(half)"])
      #expect(second.isComplete && second["large"]?.answer == "\(half * 10)", "\(second)")
      for watcher in [early, late] { try watcher.goOn() }
      let shown = try [early, late].map { try $0.report() }
      #expect(shown.allSatisfy { $0.isComplete && $0["shown"]?.code == nil }, "\(shown)")
      let answers = shown.map { ($0["shown"]?.answer ?? "").split(separator: " ").prefix(3).map(String.init) }
      #expect(answers[0] == answers[1] && answers[0].last == "\(half * 20)", "\(answers)")
      let after = try ChildReport.run(engine, folder.base, ["open", "read", "integrity", "write"])
      #expect(after.isComplete && after["integrity"]?.answer == "", "\(after)")
      #expect(after["read"]?.answer.hasPrefix("\(half * 20) ") == true, "\(after)")
      let size = FaultFolder.size(folder.file(engine))
      #expect(size > half * 2_000_000 && size < half * 4_000_000, "\(size) bytes")
    }
  }
}
