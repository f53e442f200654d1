import Foundation
import Glibc
import Testing

@testable import SaverCore

@Suite struct FilesDeadlineTests {
  @Test func remainingTimeShrinksToNothing() {
    let deadline = Deadline(milliseconds: 30)
    #expect(deadline.remainingMilliseconds > 0 && deadline.remainingMilliseconds <= 30)
    while !deadline.hasPassed { usleep(1_000) }
    #expect(deadline.remainingMilliseconds == 0 && deadline.remainingNanoseconds == 0)
  }

  @Test func extremesDoNotOverflow() {
    #expect(Deadline(milliseconds: .max) == .distantFuture)
    #expect(Deadline(nanoseconds: .max) == .distantFuture)
    #expect(Deadline(milliseconds: 0).hasPassed)
    #expect(Deadline(milliseconds: -5).hasPassed)
    #expect(Deadline(milliseconds: .min).hasPassed)
    #expect(!Deadline.distantFuture.hasPassed)
    #expect(Deadline(milliseconds: 1) < Deadline(milliseconds: 1_000))
  }

  @Test func millisecondsAreRoundedUp() {
    #expect(Deadline(milliseconds: 1_000).remainingMilliseconds == 1_000)
  }
}

@Suite struct FilesErrorTests {
  @Test(arguments: [
    (EACCES, "permission"), (EPERM, "permission"), (EROFS, "permission"), (ENOSPC, "full"), (EDQUOT, "full"),
    (EFBIG, "full"), (ENOENT, "noSuchStore"), (ENOTDIR, "cannotCreate"), (ENAMETOOLONG, "cannotCreate"),
    (EISDIR, "cannotCreate"), (EMFILE, "inputOutput"), (EIO, "inputOutput"), (ENOLCK, "unsupportedFileSystem"),
  ])
  func aSystemErrorHasItsCode(number: Int32, code: String) {
    let error = StorageError.system(number, doing: "open the file", path: "/x")
    #expect(error.code.rawValue == code)
    #expect(error.message.hasPrefix("Cannot open the file: ") && error.path == "/x")
    #expect(error.cause == StorageError.Cause(domain: "errno", code: number, text: String(cString: strerror(number))))
  }
}

@Suite struct FilesFolderTests {
  let folder = TemporaryFolder()

  func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func missingFoldersAreMadeForTheirOwnerAlone() throws {
    let path = folder.path(of: "a/b//c/")
    try StoreFolder(path: path).make()
    for made in ["a", "a/b", "a/b/c"] { #expect(mode(folder.path(of: made)) == 0o700) }
    try StoreFolder(path: path).synchronize()
  }

  @Test func anExistingFoldersModeIsLeftAlone() throws {
    #expect(chmod(folder.path, 0o751) == 0)
    try StoreFolder(path: folder.path).make()
    try StoreFolder(path: folder.path(of: "new")).make()
    #expect(mode(folder.path) == 0o751)
  }

  @Test func manyMakeTheSameFoldersAtOnce() {
    let path = folder.path(of: "a/b/c/d/e/f")
    inThreads(8) { _ in
      do { try StoreFolder(path: path).make() } catch { Issue.record(error) }
    }
    #expect(mode(path) == 0o700)
  }

  @Test func whatIsInTheWayIsNamed() throws {
    let file = folder.path(of: "file")
    try "".write(toFile: file, atomically: false, encoding: .utf8)
    #expect(symlink("nowhere", folder.path(of: "link")) == 0)
    for path in [file, file + "/inner", folder.path(of: String(repeating: "n", count: 300)), folder.path(of: "link")] {
      let error = #expect(throws: StorageError.self) { try StoreFolder(path: path).make() }
      #expect(error?.code == .cannotCreate && error?.path?.hasPrefix(folder.path) == true)
    }
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere")) func aForbiddenFolderIsNamed() {
    #expect(chmod(folder.path, 0o500) == 0)
    let error = #expect(throws: StorageError.self) { try StoreFolder(path: folder.path(of: "x")).make() }
    #expect(error?.code == .permission)
    #expect(chmod(folder.path, 0o700) == 0)
  }

  @Test func networkFileSystemsAreRecognised() throws {
    var status = stat()
    #expect(stat(folder.path, &status) == 0)
    let device = UInt64(status.st_dev)
    let number = "\((device >> 8) & 0xfff):\(device & 0xff | (device >> 12) & ~0xff)"
    for (kind, isNetwork) in [("nfs4", true), ("cifs", true), ("fuse.sshfs", true), ("9p", false), ("ext4", false)] {
      let mounts = folder.path(of: "mounts")
      try """
      22 27 0:99999 / /proc rw,relatime - proc proc rw
      30 27 \(number) / /x rw,relatime shared:1 master:2 - \(kind) host:/x rw,addr=1
      """.write(toFile: mounts, atomically: false, encoding: .utf8)
      let found = StoreFolder(path: folder.path(of: "not/there/yet")).fileSystemKind(mounts: mounts)
      #expect(found == kind)
      #expect(StoreFolder.isNetwork(kind) == isNetwork)
    }
    #expect(StoreFolder(path: "/proc").fileSystemKind(mounts: "/proc/self/mountinfo") == "proc")
    try StoreFolder(path: folder.path).requireLocalFileSystem()
  }
}

@Suite struct FilesStoreFileTests {
  let folder = TemporaryFolder()
  var store: StoreFile { StoreFile(path: folder.path(of: "items.sqlite")) }

  func write(_ text: String, _ file: StoreFile) throws {
    try text.write(toFile: file.path, atomically: false, encoding: .utf8)
  }

  @Test func pathsAreTakenApart() {
    for (path, parent, name) in [
      ("/a/b", "/a", "b"), ("/a/b/", "/a", "b"), ("/a//b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"),
      ("a/b", "a", "b"), ("./a", ".", "a"), ("/", "/", ""), ("//a", "/", "a"),
    ] {
      #expect(StoreFile(path: path).folder.path == parent && StoreFile(path: path).name == name, "\(path)")
    }
  }

  @Test func theStatusIsTold() throws {
    if case .missing = store.status {} else { Issue.record("\(store.status)") }
    #expect(try store.identity() == nil)
    try write("12345", store)
    let identity = try #require(try store.identity())
    if case .file(5, identity) = store.status {} else { Issue.record("\(store.status)") }
    if case .folder = FileStatus(path: folder.path) {} else { Issue.record("\(folder.path)") }
    if case .other = FileStatus(path: "/dev/null") {} else { Issue.record("/dev/null") }
    guard case .unreadable(let error) = FileStatus(path: store.path + "/x") else { return #expect(Bool(false)) }
    #expect(error.code == .cannotCreate && error.path == store.path + "/x")
  }

  @Test func aNewStoreIsPutInPlace() throws {
    let temporary = store.temporarySibling()
    #expect(temporary.folder == store.folder && temporary != store.temporarySibling())
    #expect(temporary.name.hasPrefix(".items.sqlite.new-\(getpid())-"))
    try write("new", temporary)
    try write("", StoreFile(path: temporary.path + "-lock"))
    let identity = try temporary.identity()
    try store.moveIntoPlace(temporary)
    #expect(try store.identity() == identity)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["items.sqlite"])

    let error = #expect(throws: StorageError.self) { try store.moveIntoPlace(temporary) }
    #expect(error?.path == store.path)
    #expect(try store.identity() == identity, "a failed rename changes nothing")
  }

  @Test func onlyTheLeftoversOfTheDeadAreRemoved() throws {
    let child = try ShellChild("echo started; read line")
    #expect(child.line() == "started")
    let mark = "0123456789abcdef0001"
    let dead: Int32 = 2_147_483_647
    let removed = [
      ".items.sqlite.new-\(dead)-\(mark)", ".items.sqlite.new-\(dead)-\(mark)-wal",
      ".items.sqlite.new-\(dead)-\(mark)-shm", ".items.sqlite.new-\(dead)-\(mark)-journal",
      // An earlier process of our own number.
      ".items.sqlite.new-\(getpid())-\(mark)",
    ]
    let kept = [
      ".items.sqlite.new-\(child.process)-\(mark)", ".items.sqlite.new-\(child.process)-\(mark)-wal",
      store.temporarySibling().name, "items.sqlite", "items.sqlite-wal", "items.sqlite.new-\(dead)-\(mark)",
      ".items.lmdb.new-\(dead)-\(mark)", ".items.sqlite.new-\(dead)-", ".items.sqlite.new-\(dead)-0123",
      ".items.sqlite.new-0-\(mark)", ".items.sqlite.new-\(dead)-\(mark)-other", ".items.sqlite.new-\(dead)-\(mark).txt",
      ".items.sqlite.new-\(dead)-0123456789ABCDEF0001", ".items.sqlite.new-x-\(mark)",
    ]
    for name in removed + kept { try write("", StoreFile(path: folder.path(of: name))) }
    let names = try store.removeStaleTemporaries()
    #expect(Set(names) == Set(removed))
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == Set(kept))

    child.kill()
    #expect(try store.removeStaleTemporaries().count == 2, "now its maker is dead")
  }
}
