import Foundation
import SaverCLI
import SaverText
import Testing

@Suite struct FormatsJSONTests {
  private func json(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("", #""""#), ("plain é 家族", #""plain é 家族""#), (#"a"b\c/"#, #""a\"b\\c/""#),
    ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
    ("\u{0}\u{1B}\u{1F}", #""\u0000\u001b\u001f""#), ("\u{7F}\u{9B}", #""\u007f\u009b""#),
    ("\u{2028}\u{202E}", #""\u2028\u202e""#),
    ("👨‍👩‍👧‍👦", "\"👨‍👩‍👧‍👦\""), ("\r\n", #""\r\n""#), ("e\u{301}", "\"e\u{301}\""),
  ])
  func strings(text: String, expected: String) {
    #expect(Array(json(text).utf8) == Array(expected.utf8))
  }

  /// Every scalar, read back by another parser.
  @Test func everyScalarIsExact() throws {
    for start in stride(from: UInt32(0), to: 0x110000, by: 0x1000) {
      var text = ""
      for value in start..<start + 0x1000 {
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      let written = json(text)
      #expect(!written.unicodeScalars.contains(where: VisibleText.needsEscape))
      let read = try JSONDecoder().decode([String].self, from: Data("[\(written)]".utf8))
      #expect(read.first?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "from \(start)")
    }
  }

  @Test func structures() {
    var json = JSONWriter()
    json.object {
      $0.member("id", "a")
      $0.member("title", nil)
      $0.member("tags", ["x", "y"])
      $0.member("none", [])
      $0.member("count", 3)
      $0.member("low", Int64.min)
      $0.member("ok", true)
      $0.member("nested") {
        $0.object {
          $0.member("list") {
            $0.array {
              $0.value(1)
              $0.null()
              $0.object { _ in }
            }
          }
        }
      }
      $0.member("last", false)
    }
    #expect(
      json.text
        == #"{"id":"a","title":null,"tags":["x","y"],"none":[],"count":3,"low":-9223372036854775808,"ok":true,"#
        + #""nested":{"list":[1,null,{}]},"last":false}"#)
  }

  @Test func arraysCanBeStreamed() {
    var json = JSONWriter()
    var taken: [UInt8] = []
    json.beginArray()
    for number in 1...3 {
      json.object { $0.member("n", number) }
      taken += json.takeBytes()
      #expect(json.bytes.isEmpty)
    }
    json.endArray()
    json.endLine()
    taken += json.takeBytes()
    #expect(String(decoding: taken, as: UTF8.self) == "[{\"n\":1},{\"n\":2},{\"n\":3}]\n")
  }

  @Test func linesAreValuesOfTheirOwn() {
    var json = JSONWriter()
    json.object { $0.member("token", "t") }
    json.endLine()
    json.array { _ in }
    json.endLine()
    #expect(json.text == "{\"token\":\"t\"}\n[]\n")
  }
}
