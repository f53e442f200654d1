import FoundationEssentials
import SaverCore
import SaverKit
import SaverText

extension DoctorReport {
  func lines(_ style: TerminalStyle) -> [String] {
    var table = Table([Table.Column(role: .heading), Table.Column()])
    table.append(["backend", "\(backend) (\(library))"])
    if let path { table.append(["store", path]) }
    if let identity { table.append(["identity", identity.hexadecimal]) }
    if let inspection { table.append(["format", "\(inspection.formatVersion)"]) }
    if let folder {
      let words = [folder.path, folder.mode.map { "mode \($0)" }, folder.fileSystem]
      table.append(["folder", words.compactMap { $0 }.joined(separator: ", ")])
    }
    for file in inspection?.files ?? [] {
      let mode = file.mode.map { ", mode \($0)" } ?? ""
      table.append(["file", "\(StoreFile(path: file.path).name), \(file.size) bytes\(mode)"])
    }
    appendContent(to: &table)
    for sentence in mended { table.append(["mended", sentence]) }
    table.append(["integrity", integrity])
    for problem in problems { table.append(["problem", problem]) }
    for warning in warnings { table.append(["warning", warning]) }
    return table.lines(limit: nil, style: style)
  }

  private func appendContent(to table: inout Table) {
    guard let inspection else { return }
    if !inspection.isUnreadable {
      table.append(["items, in a snapshot", snapshotCount.map { "\($0)" } ?? "unknown"])
      table.append(["items, by the repository", repositoryCount.map { "\($0)" } ?? "unknown"])
      table.append(["items, in a live view", liveCount.map { "\($0)" } ?? "unknown"])
      table.append(["live views", observation?.words ?? "live"])
    }
    if let history {
      let bytes = inspection.historyBytes.map { ", \($0) bytes" } ?? ""
      table.append(["history", "\(history.changes) changes in \(history.transactions) transactions\(bytes)"])
      if let times = history.times {
        let (oldest, newest) = (history.oldest, history.head.token.sequence)
        table.append(["history, from", "\(DateText.localWithSeconds(times.oldest)), change \(oldest)"])
        table.append(["history, to", "\(DateText.localWithSeconds(times.newest)), change \(newest)"])
      }
      table.append(["token", history.head.token.description])
    }
    if path != nil {
      table.append(["writing now", inspection.writer.map(Self.words) ?? "nobody"])
      let users = inspection.users.map(Self.words).joined(separator: ", ")
      table.append(["open in", users.isEmpty ? "no other process" : users])
    }
    for (type, count) in inspection.rows where type != SavedItem.schema.type.name {
      table.append(["rows of \(type)", "\(count)"])
    }
    for fact in inspection.facts { table.append([fact.name, fact.value]) }
  }

  private static func words(_ holder: LockHolder) -> String {
    "process \(holder.process)" + (holder.program.map { " (\($0))" } ?? "")
  }
}
