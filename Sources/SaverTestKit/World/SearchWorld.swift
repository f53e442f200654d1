import FoundationEssentials
import SaverCore

/// Notes to search in, with words that are common, rare, and hard to compare; and searches that no index answers alone.
struct SearchWorld {
  private static let titles: [String?] = [
    nil, nil, nil, nil, "", "one", "One", "\u{e9}ins", "e\u{301}ins", "a\u{0}b", "a",
    String(repeating: "long ", count: 150) + "a",
    String(repeating: "long ", count: 150) + "b",
  ]
  private static let tags: [[String]] = [
    [], [], ["red"], ["red", "blue"], ["blue", "red"], ["RED"], ["re", "d"], ["red\n"], ["a\"b", "red"], ["a\\b"],
    ["\u{e9}lan"], ["\u{0}"], ["[\"red\"]"], [",", "\",\""], ["\u{1f600}"], ["", ""],
  ]
  private static let topics = ["Home: ", "HOME: ", "Work: ", "Garten: ", "", ": "]
  private static let words = ["alpha", "Beta", "gamma", "\u{c9}lan", "stra\u{df}e", "red", "missing", "1", "", "alp b"]

  // MARK: Records

  func note(_ random: inout RandomGenerator, among count: Int) -> Note {
    Note(
      id: SpecimenWorld.randomID(&random), text: text(&random), title: random.pick(Self.titles),
      tags: random.pick(Self.tags), kind: random.pick(Note.Kind.allCases), isDone: random.chance(oneIn: 2),
      rank: random.below(4), createdAt: time(&random, among: count), remindAt: reminder(&random))
  }

  /// A note of which some fields, or none, have changed.
  func changed(_ note: Note, _ random: inout RandomGenerator, among count: Int) -> Note {
    var note = note
    for _ in 0..<random.below(4) {
      switch random.below(10) {
      case 0, 1: note.text = text(&random)
      // The derived value stays as it is.
      case 2: note.text = note.text.uppercased()
      case 3: note.title = random.pick(Self.titles)
      case 4: note.tags = random.pick(Self.tags)
      case 5: note.kind = random.pick(Note.Kind.allCases)
      case 6: note.isDone.toggle()
      case 7: note.rank = random.below(4)
      case 8: note.createdAt = time(&random, among: count)
      default: note.remindAt = reminder(&random)
      }
    }
    return note
  }

  private func text(_ random: inout RandomGenerator) -> String {
    var text = random.pick(Self.topics) + "\(random.below(1_000))"
    for (word, rarity) in [("alpha", 2), ("BETA", 12), ("Gamma", 150), ("\u{e9}lan", 40), ("Strasse", 40)]
    where random.chance(oneIn: rarity) {
      text += " " + word
    }
    return text
  }

  /// Many ties.
  private func time(_ random: inout RandomGenerator, among count: Int) -> Date {
    Date(timeIntervalSince1970: 1_700_000_000 + Double(random.below(max(count / 4, 1))) / 8)
  }

  private func reminder(_ random: inout RandomGenerator) -> Date? {
    random.chance(oneIn: 2) ? nil : Date(timeIntervalSince1970: Double(random.below(40)) - 20)
  }

  // MARK: Searches

  func filter(_ random: inout RandomGenerator) -> Filter {
    // What is rare is looked for in the whole table.
    if random.chance(oneIn: 2) {
      return .search(["text", "tags"], random.pick(["gamma", "missing", "ELAN", "strasse al"]))
    }
    var parts = [search(depth: 2, &random)]
    if random.chance(oneIn: 3) { parts.append(search(depth: 1, &random)) }
    if random.chance(oneIn: 4) { parts.append(plain(&random)) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// The fields of an index, most often, or any, in one direction or in several.
  func order(_ random: inout RandomGenerator) -> [SortKey] {
    let indexed = [
      [], ["id"], ["created_at"], ["created_at"], ["title"], ["title"], ["is_done"], ["is_done", "rank"], ["kind"],
      ["kind", "remind_at"], ["kind", "remind_at", "created_at"], ["title", "id"],
    ]
    let all = ["text", "title", "kind", "is_done", "rank", "created_at", "remind_at", "id"]
    let fields = random.chance(oneIn: 4) ? (0..<random.below(4)).map { _ in random.pick(all) } : random.pick(indexed)
    let (isDescending, isMixed) = (random.chance(oneIn: 2), random.chance(oneIn: 5))
    return fields.map { SortKey(field: $0, descending: isMixed ? random.chance(oneIn: 2) : isDescending) }
  }

  /// A condition that an engine cannot leave to an index.
  private func search(depth: Int, _ random: inout RandomGenerator) -> Filter {
    switch random.below(depth > 0 ? 12 : 9) {
    case 0...3:
      let fields = random.pick([["text"], ["text", "title", "tags"], ["tags"], ["title", "text"], ["topic", "tags"]])
      return .search(fields, random.pick(Self.words))
    case 4, 5:
      return .hasElement("tags", random.pick(["red", "RED", "\u{e9}lan", "", "a\"b", "a\\b", ",", "\u{0}", "no"]))
    case 6: return .compare("tags", random.chance(oneIn: 3) ? .notEqual : .equal, .texts(random.pick(Self.tags)))
    case 7:
      return .count(
        random.pick(["text", "title", "tags"]), random.pick(Comparison.allCases), random.pick([0, 1, 2, 9, 14]))
    case 8: return derived(&random)
    case 9: return .not(search(depth: depth - 1, &random))
    case 10: return .or([search(depth: depth - 1, &random), plain(&random)])
    default: return .or([.and([plain(&random), search(depth: depth - 1, &random)]), search(depth: 0, &random)])
    }
  }

  private func derived(_ random: inout RandomGenerator) -> Filter {
    switch random.below(4) {
    case 0: .compare("topic", random.pick(Comparison.allCases), .text(random.pick(["home", "work", "", "Home"])))
    case 1: .isIn("topic", [.text("garten"), .text("")])
    case 2: .hasPrefix("topic", random.pick(["ho", "", "work"]))
    default: .compareFields("topic", random.pick(Comparison.allCases), "title")
    }
  }

  /// A condition that an engine may leave to SQL, or to an index.
  private func plain(_ random: inout RandomGenerator) -> Filter {
    switch random.below(9) {
    case 0: .compare("title", random.pick(Comparison.allCases), .text(random.pick(["one", "", "a\u{0}b", "long"])))
    case 1: .compare("title", random.chance(oneIn: 2) ? .equal : .notEqual, .null)
    case 2:
      .compare(
        "created_at", random.pick([.less, .greaterOrEqual]),
        .date(Date(timeIntervalSince1970: 1_700_000_000 + Double(random.below(100)))))
    case 3: .compare("rank", random.pick(Comparison.allCases), .int(random.below(5)))
    case 4: .isIn("kind", [.text("link"), .text("none")])
    case 5: .contains("text", random.pick(["alpha", "Gamma", "9"]))
    case 6: .compareFields("created_at", random.pick(Comparison.allCases), "remind_at")
    case 7: .hasSuffix("title", random.pick(["a", "\u{301}ins", ""]))
    default: .constant(random.chance(oneIn: 4))
    }
  }
}
