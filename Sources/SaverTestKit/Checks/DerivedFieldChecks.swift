import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let derivedFieldChecks: [ConformanceCheck] = [
    ConformanceCheck("derived.lookup", "A record is found by a derived field, with every condition that a text has.") {
      trial in
      let notes = NoteWorld.notes(30) + [NoteWorld.note("no topic"), NoteWorld.note(": empty"), NoteWorld.note("")]
      let store = try trial.open(with: notes)
      for filter in conditions {
        try trial.expectAnswer(Query<Note>(filter: filter), on: store, holding: notes)
        try trial.expectAnswer(Query<Note>(filter: filter).sorted(by: \.rank).limit(4), on: store, holding: notes)
      }
    },
    ConformanceCheck("derived.changes", "A derived field follows every insertion, update and deletion.") { trial in
      var notes = NoteWorld.notes(12)
      let store = try trial.open(with: notes)
      for index in notes.indices where index % 2 == 0 { notes[index].text = "Moved: \(index)" }
      notes[1].text = "none"
      notes[3].rank = 77
      let gone = notes.removeLast()
      let changed = notes
      try store.write { transaction in
        for note in changed { try transaction.update(note) }
        try transaction.delete(Note.self, id: gone.id)
        try trial.expectEqual(
          try transaction.count(Query<Note>(filter: .compare("topic", .equal, .text("moved")))), 6, "within the write")
      }
      for filter in conditions + [.compare("topic", .equal, .text("moved"))] {
        try trial.expectAnswer(Query<Note>(filter: filter), on: store, holding: notes)
      }
    },
    ConformanceCheck("derived.null", "A derived field is never null: where there is no such value, it is empty.") {
      trial in
      let notes = [NoteWorld.note("no topic"), NoteWorld.note("Topic: x")]
      let store = try trial.open(with: notes)
      for filter: Filter in [
        .compare("topic", .equal, .null), .compare("topic", .notEqual, .null), .compare("topic", .equal, .text("")),
        .isIn("topic", [.null]), .compareFields("topic", .notEqual, "text"), .compareFields("title", .equal, "topic"),
      ] {
        try trial.expectAnswer(Query<Note>(filter: filter), on: store, holding: notes)
      }
    },
  ]

  private static let conditions: [Filter] = [
    .compare("topic", .equal, .text("work")), .compare("topic", .equal, .text("Work")),
    .compare("topic", .equal, .text("")),
    .compare("topic", .notEqual, .text("work")), .compare("topic", .greater, .text("home")),
    .compare("topic", .lessOrEqual, .text("home")), .hasPrefix("topic", "g"), .contains("topic", "or"),
    .hasSuffix("topic", "k"), .isIn("topic", [.text("home"), .text("nowhere")]), .search(["topic"], "HOME"),
    .count("topic", .equal, 4), .not(.compare("topic", .equal, .text("work"))),
    .and([.compare("topic", .equal, .text("work")), .compare("is_done", .equal, .bool(true))]),
  ]
}
