import FoundationEssentials
import SaverCore
import SaverKit

extension DoctorReport {
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("backend", backend)
      json.member("library", library)
      json.member("store", path)
      json.member("identity", identity?.hexadecimal)
      if let inspection { json.member("formatVersion", inspection.formatVersion) }
      if let folder { json.member("folder", folder) }
      if let inspection { json.member("files", inspection.files) }
      json.member("counts") { json in
        json.object { json in
          if let snapshotCount { json.member("snapshot", snapshotCount) }
          if let repositoryCount { json.member("repository", repositoryCount) }
          if let liveCount { json.member("live", liveCount) }
        }
      }
      if let observation { json.member("observation", observation.words ?? "live") }
      if let history { json.member("history", history, bytes: inspection?.historyBytes) }
      if let inspection { json.member("locks", inspection) }
      json.member("integrity", integrity)
      json.member("mended", mended)
      json.member("problems", problems)
      json.member("warnings", warnings)
      json.member("facts") { json in
        json.object { json in
          for fact in inspection?.facts ?? [] { json.member(fact.name, fact.value) }
        }
      }
    }
    json.endLine()
    return json.takeBytes()
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ folder: DoctorReport.Folder) {
    member(name) { json in
      json.object { json in
        json.member("path", folder.path)
        json.member("mode", folder.mode?.description)
        json.member("fileSystem", folder.fileSystem)
      }
    }
  }

  fileprivate mutating func member(_ name: String, _ files: [StoreInspection.File]) {
    member(name) { json in
      json.array { json in
        for file in files {
          json.object { json in
            json.member("path", file.path)
            json.member("size", file.size)
            json.member("mode", file.mode?.description)
          }
        }
      }
    }
  }

  /// The history, and the token as a member of its own: it is what scripts ask for.
  fileprivate mutating func member(_ name: String, _ history: DoctorHistory, bytes: Int?) {
    member(name) { json in
      json.object { json in
        json.member("changes", history.changes)
        json.member("transactions", history.transactions)
        json.member("oldest", history.oldest)
        json.member("newest", history.head.token.sequence)
        if let bytes { json.member("bytes", bytes) }
        if let times = history.times {
          json.member("from", DateText.rfc3339(times.oldest))
          json.member("to", DateText.rfc3339(times.newest))
        }
      }
    }
    member("token", history.head.token.description)
  }

  /// Who writes, and who has the store open.
  fileprivate mutating func member(_ name: String, _ inspection: StoreInspection) {
    member(name) { json in
      json.object { json in
        json.member("writer") { json in
          if let writer = inspection.writer { json.holder(writer) } else { json.null() }
        }
        json.member("open") { json in
          json.array { json in for user in inspection.users { json.holder(user) } }
        }
      }
    }
  }

  private mutating func holder(_ holder: LockHolder) {
    object { json in
      json.member("process", holder.process)
      json.member("program", holder.program)
    }
  }
}
