import Foundation
import Glibc
import Testing

@testable import SaverCore

/// A store that is built apart and put in place.
@Suite struct FilesBuildingTests {
  let folder = TemporaryFolder()
  var store: StoreFile { StoreFile(path: folder.path(of: "items.sqlite")) }
  private let deadline = Deadline(milliseconds: 10_000)

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  @Test func itIsThereWhenItIsComplete() throws {
    let made = try store.build(until: deadline) { built in
      #expect(
        names == ["items.sqlite-writer", built.folder.path.split(separator: "/").last.map(String.init)!].sorted())
      #expect(built.name == "items.sqlite" && FileMode(path: built.folder.path)?.bits == 0o700)
      try write("whole", built.path)
      try write("", built.path + "-wal")
      try write("x", built.path + "-shm")
      chmod(built.path, 0o644)
      return 7
    }
    #expect(made == 7 && names == ["items.sqlite", "items.sqlite-writer"])
    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == "whole")
    #expect(FileMode(path: store.path)?.bits == 0o600)
    #expect(try FileIdentity(recordedIn: store.lockPath) == store.identity())
  }

  @Test func aFailureLeavesNothing() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try store.build(until: deadline) { built in
        try write("half", built.path)
        throw Failure()
      }
    }
    #expect(names == ["items.sqlite-writer"])
    let error = #expect(throws: StorageError.self) {
      try store.build(until: deadline) { built in throw StorageError(.full, "no room", path: built.path + "-wal") }
    }
    #expect(error?.path == store.path, "the name that the caller knows")
  }

  /// What the engine could not write back is not in the file.
  @Test func aLogThatIsLeftIsAFailure() throws {
    let error = #expect(throws: StorageError.self) {
      try store.build(until: deadline) { built in
        try write("half", built.path)
        try write("the rest", built.path + "-wal")
      }
    }
    #expect(error?.code == .inputOutput && names == ["items.sqlite-writer"])
  }

  @Test func whatIsThereIsNotReplaced() throws {
    try write("mine", store.path)
    var wasCalled = false
    let error = #expect(throws: StorageError.self) { try store.build(until: deadline) { _ in wasCalled = true } }
    #expect(error?.code == .cannotCreate && !wasCalled)
    unlink(store.path)
    // Nor what comes while it is built.
    let late = #expect(throws: StorageError.self) {
      try store.build(until: deadline) { built in
        try write("new", built.path)
        try write("mine", store.path)
      }
    }
    #expect(late?.code == .cannotCreate && names == ["items.sqlite", "items.sqlite-writer"])
    #expect(try String(contentsOfFile: store.path, encoding: .utf8) == "mine")
    unlink(store.path)
    symlink("/nowhere", store.path)
    #expect(throws: StorageError.self) { try store.build(until: deadline) { _ in } }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: store.path) == "/nowhere")
  }

  /// The engine's files beside a store that comes while another is built are that store's.
  @Test func whatBelongsToAnotherStaysThere() throws {
    #expect(throws: StorageError.self) {
      try store.build(until: deadline) { built in
        try write("new", built.path)
        for path in [store.path, store.path + "-lock", store.path + "-shm"] { try write("mine", path) }
      }
    }
    #expect(names == ["items.sqlite", "items.sqlite-lock", "items.sqlite-shm", "items.sqlite-writer"])
  }

  /// The log of a store that was deleted would be played into the new one.
  @Test func aLogWithoutAStoreIsInTheWay() throws {
    try write("frames", store.path + "-wal")
    let error = #expect(throws: StorageError.self) {
      try store.build(until: deadline) { try write("new", $0.path) }
    }
    #expect(error?.code == .cannotCreate && error?.message.contains("-wal") == true)
    #expect(names == ["items.sqlite-wal", "items.sqlite-writer"])
  }

  @Test func foldersOfKilledProcessesGo() throws {
    let dead = folder.path(of: ".items.sqlite.new-2147483647-0123456789abcdef0001")
    try FileManager.default.createDirectory(atPath: dead, withIntermediateDirectories: true)
    try write("half", dead + "/items.sqlite")
    let elsewhere = folder.path(of: "elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try write("mine", elsewhere + "/letter")
    symlink("elsewhere", folder.path(of: ".items.sqlite.new-2147483647-0123456789abcdef0002"))
    try store.build(until: deadline) { try write("new", $0.path) }
    #expect(names == ["elsewhere", "items.sqlite", "items.sqlite-writer"])
    #expect(FileManager.default.fileExists(atPath: elsewhere + "/letter"))
  }

  @Test func aPrivateFileIsNobodyElses() throws {
    try store.makePrivate()
    #expect(FileMode(path: store.path)?.bits == 0o600)
    #expect(throws: StorageError.self) { try store.makePrivate() }
  }
}

@Suite struct FilesLocksTests {
  let folder = TemporaryFolder()

  @Test func theKernelsListIsRead() {
    let identity = FileIdentity(device: 0x801, inode: 131_090)
    let table = """
      1: POSIX  ADVISORY  READ 1234 08:01:131090 1073741826 1073742335
      1: -> POSIX  ADVISORY  WRITE 1111 08:01:131090 1073741826 1073742335
      2: FLOCK  ADVISORY  WRITE 77 08:01:131090 0 EOF
      3: POSIX  ADVISORY  WRITE 1235 08:01:131091 0 EOF
      4: POSIX  ADVISORY  READ 1236 00:2a:131090 128 128
      5: POSIX  ADVISORY  READ 1237 00:2a:131090 128 128
      6: OFDLCK ADVISORY  READ -1 08:01:131090 0 0
      7: POSIX  ADVISORY  READ 1234 08:01:131090 128 128
      nonsense
      """
    #expect(FileLocks.processes(in: table, .posix, identity) { $0 == 1237 } == [1234, 1237])
    #expect(FileLocks.processes(in: table, .flock, identity) { _ in false } == [77])
    #expect(FileLocks.processes(in: "", .posix, identity) { _ in true } == [])
  }

  @Test func thisProcessAndOthers() throws {
    let path = folder.path(of: "lock")
    let lock = WriterLock(path: path)
    try lock.withLock(until: Deadline(milliseconds: 1_000)) {
      #expect(FileLocks.holders(of: path, .flock) == [])
      let own = FileLocks.holders(of: path, .flock, includingThis: true)
      #expect(own.map(\.process) == [getpid()] && own.first?.program?.isEmpty == false)
      #expect(FileLocks.holders(of: path, .posix, includingThis: true) == [])
    }
    #expect(FileLocks.holders(of: path, .flock, includingThis: true) == [])
    #expect(FileLocks.holders(of: folder.path(of: "missing"), .flock, includingThis: true) == [])
  }

  @Test func theFileSystemHasAName() {
    #expect(StoreFolder(path: "/proc").fileSystem == "proc")
    #expect(StoreFolder(path: folder.path).fileSystem?.isEmpty == false)
  }
}
