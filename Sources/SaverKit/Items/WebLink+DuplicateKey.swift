import SaverText

extension WebLink {
  /// What two texts have in common that are the same link; `nil` if the text, trimmed, is not one URL and nothing else.
  ///
  /// Scheme and host are lower-cased; the scheme's default port and one trailing slash are dropped, and the parameters
  /// that only say where a reader came from (`utm_*`, `fbclid`, `gclid`, `mc_cid`, `mc_eid`). Path and query are
  /// percent-decoded and composed (NFC), but for the characters that part them: `a%2Fb` is not `a/b`. The fragment stays
  /// as it is.
  public static func duplicateKey(of text: String) -> String? {
    isOwnDuplicateKey(text) ? text : normalizedKey(of: text)
  }

  /// Whether a text is plainly a link of which nothing is to be changed: most are, and each insertion asks.
  static func isOwnDuplicateKey(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = bytes[...]
      if rest.starts(with: "https://".utf8) {
        rest = rest.dropFirst(8)
      } else if rest.starts(with: "http://".utf8) {
        rest = rest.dropFirst(7)
      } else {
        return false
      }
      let host = rest.prefix { ($0 >= 97 && $0 <= 122) || ($0 >= 48 && $0 <= 57) || $0 == 46 || $0 == 45 }
      guard !host.isEmpty else { return false }
      rest = rest.dropFirst(host.count)
      guard rest.isEmpty || rest.first == UInt8(ascii: "/"), rest.last != UInt8(ascii: "/") else { return false }
      return rest.allSatisfy(isPlain) && !hasDoubtfulParameters(rest)
    }
  }

  /// Visible ASCII, no escapes; a fragment is looked at with care elsewhere.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "#")
  }

  /// Whether a slash ends the path before a query, or a parameter is empty, or may be one that is dropped.
  private static func hasDoubtfulParameters(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let question = rest.firstIndex(of: UInt8(ascii: "?")) else { return false }
    var previous = rest[question - 1]
    if previous == UInt8(ascii: "/") { return true }
    previous = UInt8(ascii: "&")
    for byte in rest[(question + 1)...] {
      if previous == UInt8(ascii: "&") {
        // utm_…, fbclid, gclid, mc_cid, mc_eid, in either case; an empty parameter.
        switch byte | 0x20 {
        case UInt8(ascii: "u"), UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "m"): return true
        default: if byte == UInt8(ascii: "&") { return true }
        }
      }
      previous = byte
    }
    return previous == UInt8(ascii: "&")
  }

  static func normalizedKey(of text: String) -> String? {
    guard let url = SplitURL(trimming: text) else { return nil }
    let scheme = url.scheme.lowercased()
    var host = url.host.lowercased()
    if let port = url.port.map(String.init), !port.isEmpty, port != defaultPort(scheme) { host += ":" + port }
    if let user = url.user { host = user + "@" + host }

    var path = decoded(url.path, keeping: "/?#%")
    if path.hasSuffix("/") { path.removeLast() }
    var key = scheme + "://" + host + path
    if let query = url.query {
      let kept = query.split(separator: "&", omittingEmptySubsequences: true).filter { !isTracking($0) }
      if !kept.isEmpty { key += "?" + kept.map { decoded($0, keeping: "&=#%+") }.joined(separator: "&") }
    }
    if let fragment = url.fragment { key += "#" + fragment }
    return key
  }

  private static func defaultPort(_ scheme: String) -> String? {
    switch scheme {
    case "http": "80"
    case "https": "443"
    case "ftp": "21"
    default: nil
    }
  }

  private static func isTracking(_ parameter: Substring) -> Bool {
    let name = parameter.prefix { $0 != "=" }.lowercased()
    return name.hasPrefix("utm_") || ["fbclid", "gclid", "mc_cid", "mc_eid"].contains(name)
  }

  /// Percent-decoded and composed. An escape that stands for one of `reserved` stays, in upper case; so does all of a text
  /// that would not decode to valid UTF-8.
  private static func decoded(_ text: some StringProtocol, keeping reserved: String) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        rest.removeFirst(2)
        if value < 0x21 || reserved.utf8.contains(value) {
          bytes.append(byte)
          bytes.append(contentsOf: String(decoding: digits, as: UTF8.self).uppercased().utf8)
        } else {
          bytes.append(value)
        }
      } else {
        bytes.append(byte)
      }
    }
    return TextNormalization.nfc(String(validating: bytes, as: UTF8.self) ?? String(text))
  }
}

/// A URL with an authority, taken apart (RFC 3986, section 3). Views into the text; nothing is decoded.
struct SplitURL {
  let scheme: Substring
  let user: Substring?
  let host: Substring
  let port: Substring?
  let path: Substring
  let query: Substring?
  let fragment: Substring?

  /// `nil` if the text, without white space around it, is not one URL with a scheme and a host.
  init?(trimming text: String) {
    // Most texts that are no link have no such bytes, and are not looked at again.
    guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
    var rest = text[start...]
    while rest.last?.isWhitespace == true { rest.removeLast() }
    guard !rest.contains(where: \.isWhitespace), let colon = rest.firstIndex(of: ":"),
      rest[colon...].hasPrefix("://")
    else { return nil }
    scheme = rest[..<colon]
    guard let first = scheme.first, first.isASCII, first.isLetter,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return nil }
    rest = rest[colon...].dropFirst(3)

    (rest, fragment) = Self.cut(rest, at: "#")
    (rest, query) = Self.cut(rest, at: "?")
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    path = rest[slash...]
    var authority = rest[..<slash]
    if let at = authority.lastIndex(of: "@") {
      user = authority[..<at]
      authority = authority[at...].dropFirst()
    } else {
      user = nil
    }
    let afterBrackets = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[afterBrackets...].lastIndex(of: ":") {
      host = authority[..<colon]
      port = authority[colon...].dropFirst()
    } else {
      host = authority
      port = nil
    }
    if host.isEmpty { return nil }
  }

  private static func cut(_ text: Substring, at separator: Character) -> (Substring, Substring?) {
    guard let index = text.firstIndex(of: separator) else { return (text, nil) }
    return (text[..<index], text[index...].dropFirst())
  }
}
