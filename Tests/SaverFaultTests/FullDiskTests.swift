import Foundation
import Glibc
import Testing

extension FaultTests {
  /// A disk that is really full: a small file system in memory, which root alone can make.
  @Suite(.enabled(if: SmallDisk.isPossible, "nobody but root can mount a file system")) struct FullDiskTests {
    /// Case 29. The error says so, nothing that was acknowledged is lost, reading goes on, and so does writing when there is
    /// room.
    @Test(arguments: Programs.engines) func fillsWhileWriting(engine: String) throws {
      let seed = Trials.seed()
      try Trials.run("full disk, \(engine)", cases: 4, atLeast: 40, weight: 0.5) { number, random in
        let comment = "full disk, seed \(seed), case \(number)"
        let disk = try SmallDisk(kibibytes: 1_024 + random.below(64) * 4)
        let base = disk.path + "/store"
        let worker = Worker()
        let rows = random.pick([3, 10])
        let isKept = random.chance(oneIn: 2)
        try #require(try worker.run(engine, base, ["make", "attempts:1:4:\(rows)"]).isComplete, "\(comment)")
        try worker.begin(
          engine, base,
          ["open", "attempts:5:3:\(rows)", "wait", "attempts:8:6:\(rows)", "commits:\(rows)"]
            + (isKept ? [] : ["close", "open", "commits:\(rows)"])
            + ["wait", "attempts:20:2:\(rows)", "commits:\(rows)", "integrity"])
        try worker.wait(for: "wait")
        try disk.fill()
        try worker.goOn()
        try worker.wait(for: "wait")
        disk.makeRoom()
        try worker.goOn()
        let report = try worker.report()
        #expect(report.isComplete, "\(comment)\n\(report)")
        for step in report.steps where step.code != nil && !step.isWithoutStore {
          #expect(["full", "unknownOutcome"].contains(step.code) && step.path.hasPrefix(base), "\(comment)\n\(report)")
        }
        let failed = report.steps.filter { $0.name == "attempt" && $0.code != nil && !$0.isWithoutStore }
        #expect(!failed.isEmpty, "\(comment): the disk was not full\n\(report)")
        let sure = report.steps.filter { $0.name == "attempt" && $0.code == nil }.compactMap { Int($0.answer) }
        let possible = sure + failed.filter { $0.code == "unknownOutcome" }.compactMap { Int($0.answer) }
        let after = try worker.run(engine, base, ["open", "commits:\(rows)", "integrity", "attempts:40:1:\(rows)"])
        #expect(after.isComplete && after.steps.allSatisfy { $0.code == nil }, "\(comment)\n\(report)\n\(after)")
        #expect(after["integrity"]?.answer == "", "\(comment)\n\(report)\n\(after)")
        let there = (after["commits"]?.answer ?? "").split(separator: " ").compactMap { Int($0) }
        let lost = sure.filter { !there.contains($0) && !possible.contains($0 + 8) }
        #expect(lost.isEmpty && !there.isEmpty, "\(comment): \(lost) lost\n\(report)\n\(after)")
      }
    }

    /// A store cannot be made on a full disk: an error, and nothing is left there.
    @Test(arguments: Programs.engines) func isFullFromTheBeginning(engine: String) throws {
      for kibibytes in [0, 4, 8, 16, 28, 40, 64] {
        let disk = try SmallDisk(kibibytes: 512)
        try disk.fill(leaving: kibibytes << 10)
        let base = disk.path + "/store"
        let worker = Worker()
        let report = try worker.run(engine, base, ["make", "attempts:1:2", "commits"])
        #expect(report.isComplete, "\(kibibytes) KiB\n\(report)")
        for step in report.steps where step.code != nil && !step.isWithoutStore {
          #expect(["full", "unknownOutcome"].contains(step.code), "\(kibibytes) KiB\n\(report)")
        }
        disk.makeRoom()
        let after = try worker.run(engine, base, ["make", "integrity", "attempts:3:1"])
        #expect(after.isComplete && after.steps.allSatisfy { $0.code == nil }, "\(kibibytes) KiB\n\(report)\n\(after)")
        #expect(after["integrity"]?.answer == "", "\(after)")
      }
    }
  }
}

/// A file system of its own, in memory. It is gone when the test lets go.
private final class SmallDisk {
  let path: String
  private var filler: String { path + "/filler" }

  static let isPossible: Bool = {
    guard getuid() == 0, let disk = try? SmallDisk(kibibytes: 64) else { return false }
    return !disk.path.isEmpty
  }()

  init(kibibytes: Int) throws {
    var template = Array((NSTemporaryDirectory() + "saver-disk-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else {
      let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      rmdir(path)
      throw error
    }
  }

  deinit {
    // Somebody may still be on the way out.
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  /// Writes a file until no page is left but so many bytes.
  func fill(leaving bytes: Int = 0) throws {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    let page = [UInt8](repeating: 1, count: 4_096)
    var pages = 0
    while write(descriptor, page, page.count) == page.count { pages += 1 }
    ftruncate(descriptor, max(pages * 4_096 - bytes, 0))
  }

  func makeRoom() { unlink(filler) }
}
