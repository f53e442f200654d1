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

    /// The care of a store on a full disk: it is done, or an error says that the disk is full and nothing has changed; and
    /// it works when there is room.
    @Test(arguments: Programs.engines) func isFullForMaintenance(engine: String) throws {
      let steps = ["backup", "copy:sqlite", "copy:lmdb", "restore", "compact", "forget"]
      let possible = steps.filter { $0.hasPrefix("copy:") ? Programs.engines.contains(String($0.dropFirst(5))) : true }
      let sample = try SampleStore.make(engine, attempts: 12, rows: 3)
      let backup = try SampleStore.make(engine, attempts: 6, rows: 3)
      let spaces = [0, 8, 40, 76, 100, 160, 240, 400]
      try Trials.run("full disk, maintenance, \(engine)", cases: possible.count * 3, atLeast: 60, weight: 0.5) {
        number, random in
        let kind = possible[number % possible.count]
        let space = number / possible.count < spaces.count ? spaces[number / possible.count] : random.below(400)
        let comment = "\(kind) with \(space) KiB, seed \(Trials.seed()), case \(number)"
        let disk = try SmallDisk(kibibytes: 4_096)
        let base = disk.path + "/store"
        try Data(sample.bytes).write(to: URL(fileURLWithPath: "\(base).\(engine)"))
        let step =
          switch kind {
          case "backup": "backup:\(disk.path)/copy"
          case "restore": "restore:\(disk.path)/backup"
          case "compact": "compact"
          case "forget": "forget:11:2"
          default: "\(kind):\(disk.path)/copy"
          }
        if kind == "restore" {
          try Data(backup.bytes).write(to: URL(fileURLWithPath: "\(disk.path)/backup.\(engine)"))
        }
        let worker = Worker()
        try worker.begin(
          engine, base,
          ["open", "read", "wait", step, "read", "close", "open", "read", "wait", step + ":over", "read", "integrity"])
        try worker.wait(for: "wait")
        try disk.fill(leaving: space << 10)
        try worker.goOn()
        try worker.wait(for: "wait")
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.path)
        disk.makeRoom()
        try worker.goOn()
        let report = try worker.report()
        #expect(report.isComplete, "\(comment)\n\(report)")
        let name = String(step.prefix { $0 != ":" })
        let first = try #require(report[name], "\(comment)\n\(report)")
        let reads = report.steps.filter { $0.name == "read" }
        try #require(reads.count == 4, "\(comment)\n\(report)")
        if let code = first.code {
          // A write that was cut short does not say why: then the message speaks of both. If it was the commit's own, of
          // the outcome, too.
          let isCut = ["inputOutput", "unknownOutcome"].contains(code) && first.message.contains("the space on it")
          #expect((code == "full" || isCut) && first.path.hasPrefix(disk.path), "\(comment)\n\(report)")
          #expect(!first.message.contains(".new-"), "\(comment)\n\(report)")
          #expect(reads[1].answer == sample.read, "\(comment)\n\(report)")
          let left = names.filter { $0.hasPrefix("copy.") && !$0.hasSuffix("-writer") || $0.hasPrefix(".") }
          #expect(left.isEmpty, "\(comment): \(left)\n\(report)")
        }
        // LMDB may want the store to be opened again.
        for read in reads where !read.message.contains("Open it again") {
          #expect(read.code == nil, "\(comment)\n\(report)")
        }
        let last = report.last(name)
        #expect(last?.code == nil, "\(comment)\n\(report)")
        if name == "forget" { #expect(last?.answer == "", "\(comment): traces are left\n\(report)") }
        if name == "restore" { #expect(reads[3].answer == backup.read, "\(comment)\n\(report)") }
        if name != "restore" && name != "forget" {
          #expect(reads[3].answer == sample.read, "\(comment)\n\(report)")
        }
        #expect(report["integrity"]?.answer == "", "\(comment)\n\(report)")
      }
    }

    #if LMDB
    /// LMDB's table of readers as other programs make it, a file without blocks: to write to its map on a full disk would
    /// end the process.
    @Test func anotherProgramsReaderTableOnAFullDisk() throws {
      for size in [8_192, 65_600] {
        let disk = try SmallDisk(kibibytes: 1_024)
        let base = disk.path + "/store"
        let worker = Worker()
        let made = try worker.run("lmdb", base, ["make", "attempts:1:4:3", "read"])
        try #require(made.isComplete, "\(made)")
        let table = base + ".lmdb-lock"
        try #require(unlink(table) == 0 || errno == ENOENT)
        let descriptor = open(table, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0 && ftruncate(descriptor, off_t(size)) == 0)
        close(descriptor)
        try disk.fill()
        let report = try worker.run("lmdb", base, ["open", "read"])
        #expect(report.isComplete, "\(size) bytes\n\(report)")
        #expect(report["open"]?.code == "full" && report["open"]?.path.hasPrefix(base) == true, "\(report)")
        disk.makeRoom()
        // As much as the table needs, and no more: the store can be read.
        try disk.fill(leaving: 68 << 10)
        let reading = try worker.run("lmdb", base, ["open", "read"])
        #expect(reading.isComplete && reading["read"]?.answer == made["read"]?.answer, "\(size) bytes\n\(reading)")
        disk.makeRoom()
        let after = try worker.run("lmdb", base, ["open", "integrity", "attempts:5:1:3"])
        #expect(after.isComplete && after.steps.allSatisfy { $0.code == nil }, "\(size) bytes\n\(after)")
      }
    }
    #endif
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
