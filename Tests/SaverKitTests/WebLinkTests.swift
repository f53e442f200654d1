import Testing

@testable import SaverKit

struct WebLinkTests {
  @Test(arguments: [
    (
      "see https://en.wikipedia.org/wiki/APL_(programming_language).",
      "https://en.wikipedia.org/wiki/APL_(programming_language)"
    ),
    ("(https://example.org/a_(b)).", "https://example.org/a_(b)"),
    ("https://swift.org", "https://swift.org"),
    ("HTTPS://Swift.org/Blog, and more", "HTTPS://Swift.org/Blog"),
    ("first http://a.example/x?y=1#z then https://b.example", "http://a.example/x?y=1#z"),
    ("<https://example.org/path>", "https://example.org/path"),
    ("\"https://example.org/path\"!", "https://example.org/path"),
    ("[https://example.org/a[1]]", "https://example.org/a[1]"),
    ("https://example.org/日本語?q=é。", "https://example.org/日本語?q=é。"),
    ("really: https://example.org/wow!!!", "https://example.org/wow"),
  ])
  func findsTheWholeLink(_ text: String, _ link: String) {
    #expect(WebLink.first(in: text).map(String.init) == link)
  }

  @Test(arguments: [
    "", "a thought", "https://", "http://.", "xhttps://example.org", "ftp://example.org", "h", "https:/x",
  ])
  func findsNone(_ text: String) {
    #expect(WebLink.first(in: text) == nil)
  }

  @Test(arguments: [
    ("https://swift.org", "HTTPS://Swift.ORG/"),
    ("https://swift.org:443/a", "https://swift.org/a/"),
    ("http://swift.org:80", "http://swift.org"),
    ("https://swift.org/a?utm_source=x&b=1&fbclid=2", "https://swift.org/a?b=1"),
    ("https://swift.org/a?gclid=1&mc_cid=2&mc_eid=3&UTM_medium=z", "https://swift.org/a"),
    ("https://example.org/caf%C3%A9", "https://example.org/café"),
    ("https://example.org/cafe\u{301}", "https://example.org/caf\u{e9}"),
    ("https://example.org/%7Euser", "https://example.org/~user"),
    ("  https://swift.org\n", "https://swift.org"),
  ])
  func sameLink(_ first: String, _ second: String) throws {
    let key = try #require(WebLink.duplicateKey(of: first))
    #expect(key == WebLink.duplicateKey(of: second))
  }

  @Test(arguments: [
    ("http://swift.org", "https://swift.org"),
    ("https://swift.org/a#1", "https://swift.org/a#2"),
    ("https://swift.org/a", "https://swift.org/A"),
    ("https://swift.org/a?b=1", "https://swift.org/a?b=2"),
    ("https://swift.org/a%2Fb", "https://swift.org/a/b"),
    ("https://swift.org/a%3Fb", "https://swift.org/a?b"),
    ("https://swift.org/a?b=1%262", "https://swift.org/a?b=1&2"),
    ("https://swift.org:8443/", "https://swift.org/"),
    ("https://me@swift.org/", "https://swift.org/"),
    ("https://swift.org//", "https://swift.org/"),
    ("https://swift.org/a?b=c+d", "https://swift.org/a?b=c%2Bd"),
  ])
  func differentLinks(_ first: String, _ second: String) throws {
    let key = try #require(WebLink.duplicateKey(of: first))
    #expect(key != WebLink.duplicateKey(of: second))
  }

  @Test(arguments: [
    "a thought", "see https://swift.org", "https://", "https:///path", "swift.org", "1https://a", "", "://x",
  ])
  func onlyAWholeURLHasADuplicateKey(_ text: String) {
    #expect(WebLink.duplicateKey(of: text) == nil)
  }

  /// An escape that does not decode to UTF-8 stays as it is, and is still the same link as itself.
  @Test func invalidEscapes() {
    #expect(WebLink.duplicateKey(of: "https://a.example/%ff") == "https://a.example/%ff")
    #expect(WebLink.duplicateKey(of: "https://a.example/%zz%4") == "https://a.example/%zz%4")
    #expect(WebLink.duplicateKey(of: "https://a.example/%0A") == "https://a.example/%0A")
  }

  /// The short way gives what the long way gives, for links made at random of what matters to either.
  @Test func theShortWayAgrees() {
    var state = UInt64.random(in: 1...(.max))
    let seed = state
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let parts = [
      "/", "a", "B", "?", "&", "=", "#", "%41", ":", "@", ".", "utm_x=1", "fbclid=2", "gclid", "mc_cid=", "UTM_y", "é",
      " ",
      "ref=share", "//", "+", "m=1", "u", "443", "\n", "-", "~",
    ]
    var short = 0
    for _ in 0..<20_000 {
      var text =
        ["https://", "http://", "HTTPS://", "ftp://"][random(4) / 2 * random(2)]
        + ["swift.org", "Swift.org", "x"][random(3)]
      for _ in 0..<random(6) { text += parts[random(parts.count)] }
      if WebLink.isOwnDuplicateKey(text) {
        short += 1
        #expect(WebLink.normalizedKey(of: text) == text, "seed \(seed)")
      }
    }
    #expect(short > 1_000, "seed \(seed)")
  }
}
