import FoundationEssentials
import SaverCore

/// Notes for checks that need a table of plain ones.
enum NoteWorld {
  /// Notes with many ties, some of them without title and reminder.
  static func notes(_ count: Int, seed: UInt64 = 7) -> [Note] {
    var random = RandomGenerator(seed: seed)
    return (0..<count).map { number in
      Note(
        id: SpecimenWorld.randomID(&random),
        text: "\(random.pick(["Home", "Work", "work", "Garten"])): number \(number)",
        title: random.chance(oneIn: 3) ? nil : random.pick(["", "one", "two", "three"]),
        tags: random.pick([[], ["red"], ["red", "blue"]]),
        kind: random.pick(Note.Kind.allCases), isDone: random.chance(oneIn: 2), rank: random.below(4),
        createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(random.below(max(count / 2, 1)))),
        remindAt: random.chance(oneIn: 2) ? nil : Date(timeIntervalSince1970: Double(random.below(5))))
    }
  }

  /// One note, with an id of its own.
  static func note(_ text: String = "a text", rank: Int = 0, title: String? = nil, tags: [String] = []) -> Note {
    Note(id: .version7(), text: text, title: title, tags: tags, rank: rank)
  }
}
