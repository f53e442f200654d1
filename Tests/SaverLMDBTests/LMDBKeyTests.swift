#if LMDB
import Foundation
import SaverCore
import SaverLMDB
import Testing

/// Index keys of up to 511 bytes: values that are longer, and rows that share what a key holds of them.
@Suite struct LMDBKeyTests {
  let folder = TestFolder()

  /// Texts around every limit, many with one long beginning, whose order the ids contradict.
  private func samples() -> [Sample] {
    var texts: [String] = []
    for length in [1, 491, 492, 493, 494, 495, 509, 510, 511, 512, 4_000] {
      for ending in ["", "b", "a", "\0", "\0b", "c"] {
        texts.append(String(repeating: "x", count: length - min(length, ending.utf8.count)) + ending)
      }
    }
    for number in 0..<60 { texts.append(String(repeating: "x", count: 600) + "\(number % 30)") }
    return texts.reversed().enumerated().map { Sample(text: $1, title: $1, rank: $0 % 3) }
  }

  @Test func textsOfEveryLengthSortRight() throws {
    let store = try folder.open()
    let samples = samples()
    try store.write { transaction in for sample in samples { try transaction.insert(sample) } }
    for descending in [false, true] {
      let query = Query<Sample>().sorted(by: \.title, descending: descending)
      let expected = samples.sorted {
        let (one, other) = (Array($0.text.utf8), Array($1.text.utf8))
        if one == other { return ($0.id.hexadecimal < $1.id.hexadecimal) != descending }
        return one.lexicographicallyPrecedes(other) != descending
      }
      #expect(try store.read { try $0.explain(query).isOrderedByIndex })
      #expect(try store.read { try $0.fetch(query).map(\.id) } == expected.map(\.id))

      // Page by page: every place within a run of cut keys is one to go on from.
      var pages: [UUID] = []
      var next = query.limit(3)
      while true {
        let page = try store.read { try $0.fetch(next) }
        pages += page.map(\.id)
        guard let last = page.last else { break }
        next = next.after(last)
      }
      #expect(pages == expected.map(\.id))
    }
  }

  @Test func everyTextIsFoundByItsIndex() throws {
    let store = try folder.open()
    let samples = samples()
    try store.write { transaction in for sample in samples { try transaction.insert(sample) } }
    for text in Set(samples.map(\.text)) {
      let query = Query<Sample> { $0.title == text }
      let count = samples.count { $0.text == text }
      #expect(try store.read { try $0.explain(query).index } == "title")
      #expect(try store.read { try $0.count(query) } == count, "\(text.utf8.count) bytes")
      let below = Query<Sample> { $0.title < text }
      let expected = samples.count { Array($0.text.utf8).lexicographicallyPrecedes(Array(text.utf8)) }
      #expect(try store.read { try $0.count(below) } == expected, "\(text.utf8.count) bytes")
    }
  }

  @Test func whatIsDecidedByKeysIsNotReadAgain() throws {
    let store = try folder.open()
    try store.write { transaction in for sample in samples() { try transaction.insert(sample) } }
    let short = try store.read { try $0.explain(Query<Sample> { $0.title == "x" }) }
    #expect(short.pushed.count == 1 && short.residual.isEmpty)
    let long = try store.read { try $0.explain(Query<Sample> { $0.title == String(repeating: "x", count: 500) }) }
    #expect(long.pushed.isEmpty && long.residual.count == 1)
  }

  @Test func longTextsCanBeChangedAndDeleted() throws {
    let store = try folder.open()
    var samples = samples()
    try store.write { transaction in for sample in samples { try transaction.insert(sample) } }
    for index in samples.indices {
      samples[index].title = samples[samples.count - 1 - index].text + "!"
      let changed = samples[index]
      #expect(try store.write { try $0.update(changed) })
    }
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
    #expect(try store.write { try $0.delete(Query<Sample>()) } == samples.count)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
    #expect(try store.read { try $0.count(Query<Sample> { $0.title != nil }) } == 0)
  }
}
#endif
