import Foundation
import Testing

@testable import SaverCore
@testable import SaverTestKit

/// Lists of texts as JSON, as this program and as others write it.
struct JSONListTests {
  private func decode(_ json: String) -> [String]? { decode(Array(json.utf8)) }
  private func decode(_ bytes: [UInt8]) -> [String]? { bytes.withUnsafeBytes { StringList.decodeJSON($0) } }

  @Test(arguments: [
    ("[]", []), (" [ ] \n", []), (#"["a"]"#, ["a"]), ("\t[\r\n \"a\" , \"b\" ]", ["a", "b"]), (#"[""]"#, [""]),
    (#"["\"\\\/\b\f\n\r\t"]"#, ["\"\\/\u{8}\u{c}\n\r\t"]), (#"["\u0041\u00e9\u00E9"]"#, ["A\u{e9}\u{e9}"]),
    (#"["\u0000"]"#, ["\u{0}"]), (#"["\ud83d\ude00"]"#, ["\u{1f600}"]), (#"["x\uDBFF\uDFFFy"]"#, ["x\u{10ffff}y"]),
    (#"["\ud800\udc00"]"#, ["\u{10000}"]), (#"["é 👩‍👧"]"#, ["é 👩‍👧"]), (#"["a\nb","c\td"]"#, ["a\nb", "c\td"]),
  ])
  func validLists(_ json: String, _ list: [String]) {
    #expect(decode(json) == list)
  }

  @Test(arguments: [
    "", "[", "]", "[]]", "[] x", "{}", "null", "\"a\"", "[1]", "[null]", "[[\"a\"]]", #"["a"#, #"["a""#, #"["a",]"#,
    #"[,"a"]"#, #"["a" "b"]"#, #"['a']"#, "[\"a\nb\"]", "[\"\u{0}\"]", #"["\x"]"#, #"["\"#, #"["\u"]"#, #"["\u12"]"#,
    #"["\u12g4"]"#, #"["\ud800"]"#, #"["\udc00"]"#, #"["\ud800\u0041"]"#, #"["\ud800\ud800"]"#, #"["\ud800x"]"#,
    #"["\ud800\"#, #"["\ud800\u"#, "\u{feff}[]", "[\u{a0}]",
  ])
  func otherTexts(_ json: String) {
    #expect(decode(json) == nil)
  }

  /// The way past decoding gives what decoding gives, or nothing.
  @Test(arguments: [
    ("[]", []), (" [ ] \n", []), (#"["a"]"#, ["a"]), ("\t[\r\n \"a\" , \"b\" ]", ["a", "b"]),
    (#"["","]["]"#, ["", "]["]),
    (#"["a\n"]"#, nil), (#"["é"]"#, nil), ("", nil), ("[", nil), ("[] x", nil), (#"["a""#, nil), (#"["a",]"#, nil),
    (#"["a" "b"]"#, nil), ("[1]", nil), ("[\"a\nb\"]", nil), ("{}", nil),
  ])
  func plainElements(_ json: String, _ list: [String]?) {
    var elements: [String] = []
    let isPlain = Array(json.utf8).withUnsafeBytes { bytes in
      JSONListReader.forEachPlainElement(bytes) { elements.append(String(decoding: $0, as: UTF8.self)) }
    }
    #expect(isPlain == (list != nil))
    #expect(elements == list ?? [])
    if let list { #expect(decode(json) == list) }
  }

  /// Of random bytes, too: what is no list has no elements either way.
  @Test func plainElementsAreThoseThatAreDecoded() {
    var random = RandomGenerator.printed()
    let pieces = [
      "[", "]", "[", "]", "\"", "\"", "\"", ",", ",", "a", "b", " ", "\n", "\\", "\u{e9}", "\u{7f}", "\u{1}", "1", "{",
    ]
    for _ in 0..<4_000 {
      let isFramed = random.chance(oneIn: 2)
      let middle = (0..<random.below(9)).map { _ in random.pick(pieces) }.joined()
      let json = isFramed ? "[\"" + middle + "\"]" : middle
      var elements: [String] = []
      let isPlain = Array(json.utf8).withUnsafeBytes { bytes in
        JSONListReader.forEachPlainElement(bytes) { elements.append(String(decoding: $0, as: UTF8.self)) }
      }
      let list = decode(json)
      let mustBePlain = list != nil && json.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\\") }
      #expect(isPlain == mustBePlain && elements == (isPlain ? list : []), "\(json)")
    }
  }

  @Test func invalidUTF8() {
    #expect(decode([0x5b, 0x22, 0xe9, 0x22, 0x5d]) == nil)
    #expect(decode([0x5b, 0x22, 0x5c, 0x6e, 0xe9, 0x22, 0x5d]) == nil)
    #expect(decode([0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d]) == nil, "a surrogate in UTF-8")
  }

  /// What is written is what another reader of JSON reads.
  @Test func writtenListsAreJSON() throws {
    let lists = [[], [""], ["a", "b"], ["\"\\/", "\u{0}\u{1f}\u{7f}\u{2028}", "é👩‍👧", "]", "\n"]]
    var writer = RowWriter(columns: 1, listEncoding: .json)
    for list in lists {
      writer.begin()
      writer.append(list: list)
      let bytes = try writer.finish { row in Array(row[slot: 0].bytes) }
      #expect(try JSONDecoder().decode([String].self, from: Data(bytes)) == list)
      #expect(decode(bytes) == list)
    }
  }

  /// Mutated lists: never a crash, and what is accepted is what another reader of JSON reads too.
  @Test func fuzz() {
    let seed = UInt64.random(in: .min ... .max)
    print("JSON fuzz: seed \(seed)")
    var generator = SplitMix(state: seed)
    let start = Array(#" ["a\n\"\u00e9","\ud83d\ude00",  "é", ""] "#.utf8)
    let alphabet = Array("[]\",\\u0dDe8 \n\ta{".utf8) + [0, 0xe9, 0xff]
    for _ in 0..<4_000 {
      var bytes = start
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let position = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0: bytes[position] = alphabet.randomElement(using: &generator)!
        case 1: bytes.insert(alphabet.randomElement(using: &generator)!, at: position)
        default: bytes.remove(at: position)
        }
      }
      guard let list = decode(bytes) else { continue }
      let other = try? JSONDecoder().decode([String].self, from: Data(bytes))
      #expect(other == list, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
