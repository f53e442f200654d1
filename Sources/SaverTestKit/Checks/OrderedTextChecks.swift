import FoundationEssentials
import SaverCore

/// Long values in indexes: an engine may cut them there, and must not let it show.
extension ConformanceSuite {
  static let orderedTextChecks: [ConformanceCheck] = [
    ConformanceCheck("query.longText.lengths", "Texts that differ only in their length sort by it, around every limit.")
    {
      trial in
      try expectOrdered(
        trial,
        ((0..<4).map { $0 * 150 } + (474...514).map { $0 } + [1_000, 4_000]).map { String(repeating: "x", count: $0) })
    },
    ConformanceCheck("query.longText.tails", "Texts that differ only far behind sort by what is there.") { trial in
      let texts = [480, 493, 500, 509, 511, 512, 4_000].flatMap { length in
        let common = String(repeating: "https://example.org/", count: length / 20)
        return ["", "a", "b", "\u{0}", "\u{e9}", "\u{10ffff}", "aa"].map { common + $0 }
      }
      try expectOrdered(trial, texts)
    },
    ConformanceCheck("query.longText.multibyte", "Where a long text is cut within a character, nothing shows.") {
      trial in
      let texts = (490...514).flatMap { length in
        ["\u{e9}", "語", "\u{1f600}", "\u{0}"].map { String(repeating: "x", count: length - 2) + $0 + "y" }
      }
      try expectOrdered(trial, texts)
    },
    ConformanceCheck("query.longText.ties", "Equal long texts are told apart by the next key, then by the id.") {
      trial in
      let long = String(repeating: "y", count: 600)
      let notes = (0..<24).map { number in
        Note(id: .version7(), text: "", title: long + "\(number % 3)", rank: number % 4)
      }
      let store = try trial.open(with: notes)
      for descending in [false, true] {
        let byTitle = Query<Note>().sorted(by: \.title, descending: descending)
        try trial.expectAnswer(byTitle, on: store, holding: notes)
        try trial.expectAnswer(byTitle.sorted(by: \.rank, descending: !descending), on: store, holding: notes)
        try trial.expectPages(of: byTitle, size: 5, on: store, holding: notes)
      }
    },
    ConformanceCheck("query.longText.blobs", "Long blobs sort and are found like long texts.") { trial in
      var specimens = Array(SpecimenWorld.specimens.prefix(40))
      for index in specimens.indices {
        specimens[index].data = Data(repeating: UInt8(index % 3) &* 0x7f, count: 492 + index)
        specimens[index].maybeData = Data(repeating: 0, count: 500) + Data([UInt8(index % 7)])
      }
      let indexed = specimens.map(IndexedSpecimen.init)
      let store = try trial.open(with: indexed)
      for column in ["data", "maybe_data"] {
        var query = Query<IndexedSpecimen>()
        for descending in [false, true] {
          query.order = [SortKey(field: column, descending: descending)]
          try trial.expectAnswer(query, on: store, holding: indexed)
        }
        for comparison in Comparison.allCases {
          query.filter = .compare(column, comparison, specimens[20].value(of: column))
          try trial.expectAnswer(query, on: store, holding: indexed)
        }
      }
    },
    ConformanceCheck("query.longText.changed", "A long indexed text can be changed and deleted like a short one.") {
      trial in
      let long = String(repeating: "z", count: 700)
      var notes = (0..<12).map { Note(id: .version7(), text: "", title: long + "\($0)") }
      let store = try trial.open(with: notes)
      for index in notes.indices {
        notes[index].title = index % 2 == 0 ? long + "changed \(index)" : "short"
      }
      let gone = notes.removeLast()
      let changed = notes
      try store.write { transaction in
        for note in changed { try transaction.update(note) }
        try transaction.delete(Note.self, id: gone.id)
      }
      try trial.expectAnswer(Query<Note>().sorted(by: \.title), on: store, holding: notes)
      try trial.expectAnswer(Query<Note> { $0.title.hasPrefix(long) }, on: store, holding: notes)
      try trial.expectAnswer(Query<Note> { $0.title == long + "1" }, on: store, holding: notes)
    },
  ]

  private static func expectOrdered(_ trial: Trial, _ texts: [String]) throws {
    let notes = texts.map { NoteWorld.note("note", title: $0) }
    let store = try trial.open(with: notes)
    for descending in [false, true] {
      let query = Query<Note>().sorted(by: \.title, descending: descending)
      try trial.expectAnswer(query, on: store, holding: notes)
      try trial.expectAnswer(query.limit(7).offset(3), on: store, holding: notes)
      try trial.expectPages(of: query, size: 6, on: store, holding: notes)
    }
    for (index, text) in texts.enumerated() where index % 5 == 0 || index == texts.count - 1 {
      for comparison in Comparison.allCases {
        let filter = Filter.compare("title", comparison, .text(text))
        try trial.expectAnswer(Query<Note>(filter: filter), on: store, holding: notes)
      }
      try trial.expectAnswer(Query<Note> { $0.title.hasPrefix(text) }, on: store, holding: notes)
      let range = Query<Note>(filter: .compare("title", .greater, .text(text))).sorted(by: \.title).limit(4)
      try trial.expectAnswer(range, on: store, holding: notes)
    }
    try trial.expectAnswer(
      Query<Note>(filter: .isIn("title", texts.prefix(9).map { .text($0) })), on: store, holding: notes)
  }
}
