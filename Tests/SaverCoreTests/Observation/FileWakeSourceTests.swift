import Foundation
import Glibc
import Testing

@testable import SaverCore

/// File events, made by this process and by others.
@Suite struct FileWakeSourceTests {
  private let folder = TemporaryFolder()
  private let hub = InotifyHub()
  private let turns = TurnLog()

  private var storePath: String { folder.path(of: "store") }
  private var notifyPath: String { storePath + "-notify" }
  private var stirringPath: String { storePath + "-wal" }

  init() { write(storePath) }

  private func source(hub: InotifyHub? = nil, stirring: String? = nil) -> FileWakeSource {
    FileWakeSource(
      storePath: storePath, notifyPath: notifyPath, stirringPath: stirring ?? stirringPath, hub: hub ?? self.hub)
  }
  private func started(stirring: String? = nil) -> FileWakeSource {
    let source = source(stirring: stirring)
    source.start(turns.turn)
    return source
  }

  private func write(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    #expect(descriptor >= 0)
    #expect(Glibc.write(descriptor, "x", 1) == 1)
    close(descriptor)
  }
  private func touch() { close(open(notifyPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }

  @Test func theNotifyFileIsMade() {
    let source = started()
    #expect(access(notifyPath, F_OK) == 0)
    #expect(source.degradation == nil)
    turns.settle(source)
    // Its own making is no commit.
    #expect(turns.take() == .request)
    source.stop()
  }

  @Test func aTouchIsACommit() {
    let source = started()
    touch()
    turns.wait(for: .commit)
    source.stop()
  }

  @Test func aTouchOfAnotherProcessIsACommit() throws {
    let source = started()
    let process = try TouchingProcess(notifyPath)
    for _ in 0..<20 {
      process.touch()
      turns.wait(for: .commit)
    }
    source.stop()
  }

  @Test func writingToTheStirringFileStirs() {
    write(stirringPath)
    let source = started()
    write(stirringPath)
    turns.wait(for: .stirring)
    #expect(turns.all.isDisjoint(with: [.commit, .place]))
    source.stop()
  }

  @Test func theStoreItselfMayBeTheStirringFile() {
    let source = started(stirring: storePath)
    write(storePath)
    turns.wait(for: .stirring)
    #expect(unlink(storePath) == 0)
    turns.wait(for: .place)
    write(storePath)
    turns.wait(for: [.place, .stirring])
    turns.settle(source)
    _ = turns.take()
    write(storePath)
    turns.wait(for: .stirring)
    source.stop()
  }

  @Test func theStirringFileIsWatchedWheneverItIsMade() {
    let source = started()
    for _ in 0..<3 {
      write(stirringPath)
      turns.wait(for: .stirring)
      turns.settle(source)
      _ = turns.take()
      write(stirringPath)
      turns.wait(for: .stirring)
      #expect(unlink(stirringPath) == 0)
      turns.settle(source)
    }
    source.stop()
  }

  @Test func theNotifyFileIsWatchedWheneverItIsMade() {
    let source = started()
    for _ in 0..<3 {
      #expect(unlink(notifyPath) == 0)
      touch()
      turns.wait(for: .commit)
      turns.settle(source)
      _ = turns.take()
      touch()
      turns.wait(for: .commit)
      #expect(rename(notifyPath, folder.path(of: "elsewhere")) == 0)
      touch()
      turns.wait(for: .commit)
    }
    // What was renamed away is no concern of ours.
    turns.settle(source)
    _ = turns.take()
    write(folder.path(of: "elsewhere"))
    turns.settle(source)
    #expect(turns.take() == .request)
    source.stop()
  }

  @Test func theStoresNameIsWatched() {
    let source = started()
    #expect(rename(storePath, storePath + ".old") == 0)
    turns.wait(for: .place)
    #expect(rename(storePath + ".old", storePath) == 0)
    turns.wait(for: .place)
    #expect(unlink(storePath) == 0)
    turns.wait(for: .place)
    source.stop()
  }

  @Test func otherFilesAreNoConcern() {
    write(folder.path(of: "log"))
    let source = started()
    for _ in 0..<100 {
      write(folder.path(of: "log"))
      write(folder.path(of: "new"))
      #expect(unlink(folder.path(of: "new")) == 0)
    }
    turns.settle(source)
    #expect(turns.take() == .request)
    source.stop()
  }

  @Test func readingTheStoreDoesNotWake() throws {
    write(stirringPath)
    let source = started()
    for path in [storePath, notifyPath, stirringPath] { _ = try Data(contentsOf: URL(fileURLWithPath: path)) }
    turns.settle(source)
    #expect(turns.take() == .request)
    source.stop()
  }

  // MARK: The folder

  @Test func aFolderThatIsRemovedAndMadeAgainIsWatchedAgain() throws {
    let source = started()
    try FileManager.default.removeItem(atPath: folder.path)
    turns.wait(for: .place)
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    write(storePath)
    // Nothing tells of it; a slow check does.
    turns.askAgain(milliseconds: 1)
    source.wake(.request)
    turns.wait(for: [.place, .stirring])
    touch()
    turns.wait(for: .commit)
    #expect(source.degradation == nil)
    source.stop()
  }

  @Test func aFolderThatIsRenamedAndMadeAgainIsWatchedAgain() throws {
    let source = started()
    let away = folder.path + "-away"
    #expect(rename(folder.path, away) == 0)
    defer { try? FileManager.default.removeItem(atPath: away) }
    turns.wait(for: .place)
    #expect(hub.watchCount == 0)
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    write(storePath)
    source.renew()
    #expect(access(notifyPath, F_OK) == 0)
    #expect(hub.watchCount == 2)
    touch()
    turns.wait(for: .commit)
    source.stop()
  }

  @Test func aFolderWhoseParentIsRenamedIsWatchedAfterRenew() throws {
    let parent = TemporaryFolder()
    let path = parent.path(of: "folder")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let source = FileWakeSource(
      storePath: path + "/store", notifyPath: path + "/store-notify", stirringPath: path + "/store-wal", hub: hub)
    source.start(turns.turn)
    let away = parent.path + "-away"
    #expect(rename(parent.path, away) == 0)
    defer { try? FileManager.default.removeItem(atPath: away) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    source.renew()
    write(path + "/store-notify")
    turns.wait(for: .commit)
    source.stop()
  }

  // MARK: Turns

  @Test func aTurnIsTakenAtItsDeadline() {
    let source = started()
    turns.askAgain(milliseconds: 1)
    source.wake(.request)
    turns.wait(for: [.request, .time])
    source.stop()
  }

  @Test func aDeadlineThatHasPassedDoesNotKeepTheOthersFromTheirs() {
    let busy = source()
    busy.start { _ in Deadline(milliseconds: 0) }
    busy.wake(.request)
    let source = started()
    for _ in 0..<10 {
      touch()
      turns.wait(for: .commit)
    }
    source.stop()
    busy.stop()
  }

  @Test func wakingWithinATurnLeadsToAnother() {
    let log = EventLog()
    let source = source()
    source.start { [unowned source] reasons in
      log.note("\(reasons.rawValue)")
      if reasons.contains(.request) { source.wake(.overflow) }
      return .distantFuture
    }
    source.wake(.request)
    log.wait { $0 == ["32", "16"] }
    source.stop()
  }

  @Test func aStoppedSourceTakesNoTurn() {
    let source = started()
    turns.settle(source)
    _ = turns.take()
    let other = self.source()
    let others = TurnLog()
    other.start(others.turn)
    source.stop()
    source.stop()
    touch()
    source.wake(.request)
    source.renew()
    others.wait(for: .commit)
    others.settle(other)
    #expect(turns.take() == [])
    other.stop()
  }

  @Test func aSourceStopsItselfInItsTurn() {
    let log = EventLog()
    let source = source()
    source.start { [unowned source] _ in
      log.note("turn")
      source.stop()
      return Deadline(milliseconds: 0)
    }
    source.wake(.request)
    log.wait { !$0.isEmpty }
    // The thread ends, and another one begins for whoever comes.
    let other = started()
    turns.settle(other)
    #expect(log.all == ["turn"])
    other.stop()
  }

  @Test func oneThatIsFreedIsStopped() {
    weak var freed: FileWakeSource?
    do {
      let source = started()
      freed = source
    }
    #expect(freed == nil)
    #expect(hub.watchCount == 0)
  }

  // MARK: Sharing

  @Test func sourcesOfOneFolderShareTheWatches() {
    write(stirringPath)
    let first = started()
    #expect(hub.watchCount == 3)
    let second = source()
    let seconds = TurnLog()
    second.start(seconds.turn)
    #expect(hub.watchCount == 3)
    touch()
    turns.wait(for: .commit)
    seconds.wait(for: .commit)
    first.stop()
    #expect(hub.watchCount == 3)
    touch()
    seconds.wait(for: .commit)
    write(stirringPath)
    seconds.wait(for: .stirring)
    second.stop()
    #expect(!hub.isRunning || hub.watchCount == 0)
  }

  @Test func oneFileCanBeListenedToForTwoThings() {
    // One source's notify file is another's stirring file.
    let first = started()
    let second = FileWakeSource(
      storePath: storePath, notifyPath: folder.path(of: "other-notify"), stirringPath: notifyPath, hub: hub)
    let seconds = TurnLog()
    second.start(seconds.turn)
    write(notifyPath)
    turns.wait(for: .commit)
    seconds.wait(for: .stirring)
    second.stop()
    touch()
    turns.wait(for: .commit)
    first.stop()
  }

  @Test func twoStoresAreToldApart() {
    let first = started()
    let path = folder.path(of: "other")
    let second = FileWakeSource(
      storePath: path, notifyPath: path + "-notify", stirringPath: path + "-wal", hub: hub)
    let seconds = TurnLog()
    second.start(seconds.turn)
    touch()
    turns.wait(for: .commit)
    second.wake(.request)
    seconds.wait(for: .request)
    seconds.settle(second)
    #expect(seconds.take() == .request)
    first.stop()
    second.stop()
  }

  @Test func nothingIsLeftWhenTheLastHasStopped() {
    for _ in 0..<20 {
      let sources = (0..<3).map { _ in started() }
      for source in sources { source.stop() }
    }
    #expect(hub.watchCount == 0)
  }

  @Test func theProcessHasOneInstance() {
    let sources = (0..<3).map { _ in
      FileWakeSource(storePath: storePath, notifyPath: notifyPath, stirringPath: stirringPath)
    }
    for source in sources { source.start(turns.turn) }
    touch()
    turns.wait(for: .commit)
    for source in sources { source.stop() }
  }

  @Test func sourcesComeAndGoOnManyThreads() {
    inThreads(4) { _ in
      for _ in 0..<100 {
        let turns = TurnLog()
        let source = source()
        source.start(turns.turn)
        touch()
        if Bool.random() { turns.wait(for: .commit) }
        source.stop()
      }
    }
    #expect(hub.watchCount == 0)
  }
}
