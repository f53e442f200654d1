import SaverCore

/// The meaning of `Filter.search` on the letters that the kit's world is written in.
enum SearchOracle {
  static func matches(_ query: String, _ values: [StoredValue]) -> Bool {
    let texts = values.flatMap { value -> [[Unicode.Scalar]] in
      switch value {
      case .text(let text): [fold(text)]
      case .texts(let list): list.map(fold)
      default: []
      }
    }
    let words = query.unicodeScalars.split { $0.properties.isWhitespace }.map { fold(String(Substring($0))) }
      // A word of marks alone has nothing to be found.
      .filter { !$0.isEmpty }
    return words.allSatisfy { word in
      texts.contains { text in
        text.indices.contains { text[$0...].starts(with: word) }
      }
    }
  }

  /// Full case folding, without marks, in compatibility form: for ASCII and the letters below.
  static func fold(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
      switch scalar {
      case "A"..."Z": [Unicode.Scalar(scalar.value + 32)!]
      case "é", "É", "è", "ê": ["e"]
      case "ü", "Ü": ["u"]
      case "ß", "ẞ": ["s", "s"]
      case "ﬁ": ["f", "i"]
      case "\u{300}"..."\u{36f}": []
      default: [scalar]
      }
    }
  }
}
