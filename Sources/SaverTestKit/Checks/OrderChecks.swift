import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let orderChecks: [ConformanceCheck] =
    SpecimenWorld.orderedColumns.map { column in
      ConformanceCheck("query.order.\(column)", "'\(column)' sorts by its values, nil first, and backwards.") { trial in
        for descending in [false, true] {
          let key = SortKey(field: column, descending: descending)
          try trial.expectAnswers([.constant(true), .compare("bool", .equal, .bool(true))], order: [key])
        }
      }
    } + [
      ConformanceCheck("query.order.none", "Without a sort key, records come in the order of their ids.") { trial in
        let store = try trial.open(with: SpecimenWorld.specimens)
        let ids = try store.read { try $0.ids(Query<Specimen>()) }
        let wanted = SpecimenWorld.specimens.map(\.id).sorted { $0.uuidString < $1.uuidString }
        try trial.expectEqual(ids, wanted, "ids")
        try trial.expectAnswers([.compare("int", .greater, .int(0)), .compare("kind", .equal, .text("b"))])
      },
      ConformanceCheck("query.order.nilFirst", "nil comes before every value, and last when descending.") { trial in
        let store = try trial.open(with: NoteWorld.notes(20))
        for field in ["title", "remind_at"] {
          for descending in [false, true] {
            var query = Query<Note>()
            query.order = [SortKey(field: field, descending: descending)]
            let nils = try store.read { try $0.fetch(query) }.map { $0.value(of: field) == .null }
            let sorted = nils.filter { $0 != descending } + nils.filter { $0 == descending }
            try trial.expectEqual(nils, sorted, "where nil is by \(field), descending: \(descending)")
          }
        }
      },
      ConformanceCheck("query.order.total", "Every sort is made total by the id, in the direction of the last key.") {
        trial in
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let notes = (0..<30).map { _ in Note(id: .version7(), text: "same", title: "same", createdAt: date) }
        let store = try trial.open(with: notes.shuffled())
        let ids = notes.map(\.id).sorted { $0.uuidString < $1.uuidString }
        for keys in [
          ["created_at"], ["title"], ["text"], ["title", "created_at"], ["is_done", "rank"], ["kind", "rank"],
        ] {
          for descending in [false, true] {
            var query = Query<Note>()
            query.order = keys.map { SortKey(field: $0, descending: descending) }
            let found = try store.read { try $0.ids(query) }
            try trial.expectEqual(
              found, descending ? ids.reversed() : ids, "ties by \(keys), descending: \(descending)")
          }
        }
      },
      ConformanceCheck("query.order.mixed", "Several keys, each in its own direction; the id follows the last.") {
        trial in
        for first in [false, true] {
          for last in [false, true] {
            for keys in [
              ["maybe_int", "text"], ["rank", "maybe_text"], ["bool", "maybe_date"], ["kind", "maybe_bool"],
            ] {
              let order = [SortKey(field: keys[0], descending: first), SortKey(field: keys[1], descending: last)]
              try trial.expectAnswers([.constant(true)], order: order)
            }
            let three = [
              SortKey(field: "bool", descending: first), SortKey(field: "maybe_date", descending: last),
              SortKey(field: "int", descending: first),
            ]
            try trial.expectAnswers([.constant(true)], order: three)
          }
        }
      },
      ConformanceCheck("query.order.byID", "The id may be a key itself; what stands behind it decides nothing.") {
        trial in
        for descending in [false, true] {
          let id = SortKey(field: "id", descending: descending)
          try trial.expectAnswers([.constant(true)], order: [id])
          try trial.expectAnswers([.constant(true)], order: [SortKey(field: "rank", descending: !descending), id])
          try trial.expectAnswers([.constant(true)], order: [id, SortKey(field: "int")])
        }
      },
      ConformanceCheck(
        "query.order.nulThenNil", "A text that ends in NUL sorts right before a key of another direction."
      ) {
        trial in
        var specimens: [Specimen] = []
        for (index, text) in ["a", "a\u{0}", "a\u{0}\u{0}", "a\u{1}", "a\u{0}b"].enumerated() {
          for (place, number) in [nil, 5, nil, 0, Int.max].enumerated() {
            var specimen = SpecimenWorld.with(
              SpecimenWorld.specimens[index], id: SpecimenWorld.specimens[index * 5 + place].id)
            (specimen.text, specimen.maybeText, specimen.maybeInt) = (text, text, number)
            specimen.data = Data(text.utf8)
            specimens.append(specimen)
          }
        }
        let indexed = specimens.map(IndexedSpecimen.init)
        let store = try trial.open(with: specimens)
        try store.write { transaction in
          for specimen in indexed { try transaction.insert(specimen) }
        }
        for column in ["text", "maybe_text", "data"] {
          for (first, last) in [(false, false), (false, true), (true, false), (true, true)] {
            let order = [
              SortKey(field: column, descending: first), SortKey(field: "maybe_int", descending: last),
            ]
            var query = Query<Specimen>()
            query.order = order
            try trial.expectAnswer(query, on: store, holding: specimens)
            var other = Query<IndexedSpecimen>()
            other.order = order
            try trial.expectAnswer(other, on: store, holding: indexed)
          }
        }
      },
      ConformanceCheck("query.order.created", "Records of one instant have an order that stays.") { trial in
        let notes = (0..<200).map { number in
          Note(
            id: .version7(), text: "\(number)",
            createdAt: Date(timeIntervalSince1970: Double(1_700_000_000 - number / 50)))
        }
        let store = try trial.open(with: notes)
        let query = Query<Note>().sorted(by: \.createdAt, descending: true)
        try trial.expectAnswer(query, on: store, holding: notes)
        try store.write { transaction in
          for var note in notes.prefix(60) {
            note.text += " changed"
            try transaction.update(note)
          }
        }
        try trial.expectAnswer(query, on: store, holding: notes)
      },
    ]
}
