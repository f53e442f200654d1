import FoundationEssentials
import SaverCore

/// Tokens: what they say, how far they reach, and where they are good.
extension ConformanceSuite {
  static let historyTokenChecks: [ConformanceCheck] = [
    ConformanceCheck("history.token", "The token of an empty store is its beginning; each commit moves it on.") {
      trial in
      let store = try trial.open()
      var token = try store.read { try $0.token() }
      try trial.expectEqual(token, .beginning(of: store.identity), "the token of an empty store")
      for _ in 0..<5 {
        try store.write { try $0.insert(NoteWorld.note()) }
        let next = try store.read { try $0.token() }
        try trial.expectEqual(next.store, store.identity, "the identity in a token")
        try trial.expect(next.sequence > token.sequence, "a commit did not move the token: \(next)")
        try trial.expectEqual(try store.read { try $0.token() }, next, "a token asked for twice")
        token = next
      }
    },
    ConformanceCheck("history.token.text", "A token is the same after being printed and parsed; no other text is one.")
    {
      trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let token = try store.read { try $0.token() }
      let text = token.description
      try trial.expectEqual(HistoryToken(text), token, "a token parsed")
      try trial.expectEqual(HistoryToken(HistoryToken.beginning(of: store.identity).description)?.sequence, 0, "parsed")
      for wrong in invalidTexts(of: text) {
        try trial.expectEqual(HistoryToken(wrong), nil, "the text '\(wrong)'")
      }
      let portion = try HistoryToken(text).map { token in try store.read { try $0.changes(after: token).0 } }
      try trial.expectEqual(portion, [], "the changes after a token that was parsed")
    },
    ConformanceCheck("history.token.snapshot", "A snapshot keeps its token and its history while others commit.") {
      trial in
      let store = try trial.open(with: NoteWorld.notes(2))
      try store.read { transaction in
        let before = try transaction.token()
        try Threads.run(1) { _ in try store.write { try $0.insert(NoteWorld.note()) } }
        try trial.expectEqual(try transaction.token(), before, "the token of a snapshot after a commit")
        try trial.expectEqual(try transaction.changes(after: before).0, [], "the changes after it")
        try trial.expectEqual(try transaction.logged().count, 2, "all changes")
        try trial.expectEqual(try transaction.transactions().count, 1, "all transactions")
      }
      try trial.expectEqual(try store.read { try $0.logged().count }, 3, "changes seen later")
    },
    ConformanceCheck("history.portions", "Portions of any size, joined, are the whole.") { trial in
      let store = try trial.open()
      for count in 0..<7 {
        try store.write { transaction in
          for note in NoteWorld.notes(count + 1, seed: UInt64(count)) { try transaction.insert(note) }
        }
      }
      let (whole, end) = try store.read { try $0.changes(after: nil) }
      try trial.expectEqual(whole.count, 28, "changes")
      try trial.expectEqual(end, try store.read { try $0.token() }, "the token behind the whole")
      for limit in [1, 2, 3, 7, 27, 28, 29] {
        var joined: [HistoryChange] = []
        // A token from outside has been printed and parsed.
        var token: HistoryToken? = .beginning(of: store.identity)
        while joined.count < whole.count {
          let (portion, through) = try store.read { try $0.changes(after: token, limit: limit) }
          try trial.expect(!portion.isEmpty && portion.count <= limit, "a portion of \(portion.count), limit \(limit)")
          joined += portion
          token = HistoryToken(through.description)
        }
        try trial.expectEqual(joined, whole, "portions of \(limit)")
        try trial.expectEqual(token, end, "the token behind portions of \(limit)")
      }
      try trial.expectEqual(try store.read { try $0.changes(after: nil, limit: 0).0 }, [], "a portion of nothing")
      try trial.expectEqual(try store.read { try $0.changes(after: end).0 }, [], "the changes after the end")
    },
    ConformanceCheck(
      "history.standing.usable", "Every token of a store's own history is good, and gives what followed."
    ) {
      trial in
      let store = try trial.open()
      var tokens = [HistoryToken.beginning(of: store.identity)]
      for note in NoteWorld.notes(10) {
        try store.write { try $0.insert(note) }
        tokens.append(try store.read { try $0.token() })
      }
      for (count, token) in tokens.enumerated() {
        let (standing, after) = try store.read { (try $0.standing(of: token), try $0.changes(after: token).0.count) }
        try trial.expectEqual(standing, .usable, "the standing of token \(count)")
        try trial.expectEqual(after, 10 - count, "changes after token \(count)")
      }
    },
    ConformanceCheck("history.standing.otherStore", "A token of another store is told as such.") { trial in
      let (store, other) = (try trial.open("one"), try trial.open("other"))
      for store in [store, other] { try store.write { try $0.insert(NoteWorld.note()) } }
      let foreign = try other.read { try $0.token() }
      try expectStanding(trial, .otherStore, of: foreign, in: store)
      try expectStanding(trial, .otherStore, of: .beginning(of: other.identity), in: store)
    },
    ConformanceCheck("history.standing.ahead", "A token that the store has not come to is told as such.") { trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      var token = try store.read { try $0.token() }
      token.sequence += 1
      try expectStanding(trial, .ahead, of: token, in: store)
      token.sequence = .max
      try expectStanding(trial, .ahead, of: token, in: store)
      let empty = try trial.open("empty")
      token = HistoryToken(store: empty.identity, sequence: 1, check: 1)
      try expectStanding(trial, .ahead, of: token, in: empty)
    },
    ConformanceCheck("history.standing.otherBranch", "A token with another check value is told as such.") { trial in
      let store = try trial.open()
      var tokens = [HistoryToken.beginning(of: store.identity)]
      for note in NoteWorld.notes(5) {
        try store.write { try $0.insert(note) }
        tokens.append(try store.read { try $0.token() })
      }
      for (place, token) in tokens.enumerated() {
        for check in [token.check ^ 1, ~token.check, tokens[(place + 1) % 6].check] {
          var forged = token
          forged.check = check
          try expectStanding(trial, .otherBranch, of: forged, in: store)
        }
      }
    },
  ]

  static func expectStanding(
    _ trial: Trial, _ wanted: HistoryToken.Standing, of token: HistoryToken, in store: Store,
    fileID: String = #fileID, line: Int = #line
  ) throws {
    let (standing, portion) = try store.read { (try $0.standing(of: token), try $0.history(after: token)) }
    try trial.expectEqual(standing, wanted, "the standing of \(token)", fileID: fileID, line: line)
    guard case .unusable(wanted) = portion else {
      throw trial.failure("the history after \(token) is \(portion), wanted \(wanted.rawValue)", fileID, line)
    }
  }

  private static func invalidTexts(of text: String) -> [String] {
    let parts = text.split(separator: "-").map(String.init)
    let (store, sequence, check) = (parts[0], parts[1], parts[2])
    return [
      "", "-", "--", text + "-", "-" + text, " " + text, text + "\n", text.uppercased() + "A", store,
      "\(store)-\(sequence)", "\(store)-\(check)-\(sequence)-\(check)", "\(store)--\(check)", "\(store)-+1-\(check)",
      "\(store)-01-\(check)", "\(store)--1-\(check)", "\(store)-1.0-\(check)", "\(store)-9223372036854775808-\(check)",
      "\(store.dropLast())-\(sequence)-\(check)", "\(store)0-\(sequence)-\(check)",
      "\(store)-\(sequence)-\(check.dropLast())", "\(store)-\(sequence)-0\(check)",
      "\(store.dropLast())g-\(sequence)-\(check)", "\(store)-\(sequence)-+\(check.dropFirst())",
      "\(store)-\(sequence)-\(check.dropLast())é", "ABCDEF\(store.dropFirst(6))-\(sequence)-\(check)",
    ]
  }
}
