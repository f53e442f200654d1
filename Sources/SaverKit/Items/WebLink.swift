import SaverText

/// Links in shared texts: finding them, and telling whether two are the same.
public enum WebLink {
  /// The first `http` or `https` link in a text.
  ///
  /// It goes on to the next white space, quotation mark or angle bracket; punctuation that ends a sentence is not part of
  /// it, nor is a closing bracket that was not opened inside, so that `see (https://example.org/a_(b)).` gives
  /// `https://example.org/a_(b)`.
  public static func first(in text: String) -> Substring? {
    var search = text[...]
    while let start = search.firstIndex(where: { $0 == "h" || $0 == "H" }) {
      let rest = search[start...]
      if let scheme = webSchemes.first(where: {
        rest.utf8.prefix($0.utf8.count).elementsEqual($0.utf8, by: isSameLetter)
      }),
        !isWordCharacter(before: start, in: text)
      {
        let link = trimmed(rest.prefix { !endsLink($0) })
        if link.utf8.count > scheme.utf8.count { return link }
      }
      search = rest.dropFirst()
    }
    return nil
  }

  private static let webSchemes = ["https://", "http://"]

  private static func isSameLetter(_ first: UInt8, _ second: UInt8) -> Bool {
    first == second || (97...122).contains(second) && first == second ^ 0x20
  }

  private static func isWordCharacter(before index: String.Index, in text: String) -> Bool {
    guard index > text.startIndex else { return false }
    let character = text[text.index(before: index)]
    return character.isLetter || character.isNumber
  }

  private static func endsLink(_ character: Character) -> Bool {
    character.isWhitespace || "<>\"“”«»`".contains(character)
      || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Without the punctuation of the sentence around it.
  private static func trimmed(_ link: Substring) -> Substring {
    var link = link
    while let last = link.last {
      if ".,;:!?'’…*_~".contains(last) {
        link.removeLast()
      } else if let open = [")": "(", "]": "[", "}": "{"][String(last)],
        link.count(where: { $0 == last }) > link.count(where: { String($0) == open })
      {
        link.removeLast()
      } else {
        break
      }
    }
    return link
  }
}
