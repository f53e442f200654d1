import FoundationEssentials
import Glibc
import SaverCore

extension ChildSession {
  /// Does what a command asks for in the care of the store; returns whether it is such a command.
  func performMaintenance(_ words: [String]) throws -> Bool {
    switch words.first {
    case "backup":
      // backup PATH [overwriting]
      let report = try opened().backUp(to: words[1], overwriting: words.last == "overwriting")
      say("copied \(report.path) \(report.size)")
    case "restore":
      // restore PATH [overwriting]
      try opened().restore(from: words[1], overwriting: words.last == "overwriting")
      say("restored \(try opened().read { try $0.token() })")
    case "compact":
      // compact [COUNT]
      for _ in 0..<(words.count > 1 ? Int(words[1]) ?? 1 : 1) {
        let report = try opened().compact()
        say("compacted \(report.bytesBefore) \(report.bytesAfter) \(report.remainder ?? "")")
      }
      say("compacting ended")
    case "forget":
      // forget WRITER: the two records that carry the number of its last step
      let ids = [false, true].map { TwinScript.counterID(of: Int(words[1]) ?? 0, second: $0) }
      let report = try opened().forget(Twin.self, ids: ids)
      say("forgot \(report.forgotten.count) \(report.remainder ?? "")")
    case "pin":
      // pin: reads a snapshot until it is told to go on
      try opened().read { transaction in
        let before = try WatchShape.all.fingerprint(transaction)
        say("pinned \(before)")
        _ = readLine()
        let after = try WatchShape.all.fingerprint(transaction)
        guard before == after else { throw Wrong(description: "the snapshot has changed") }
      }
      say("unpinned")
    default: return false
    }
    return true
  }
}
