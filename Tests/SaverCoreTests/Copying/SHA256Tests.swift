import Testing

@testable import SaverCore

/// The examples of FIPS 180-4 and NIST's test vectors, whole and in pieces.
@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 100_000), "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"
    ),
  ])
  func knownDigests(_ text: String, _ digest: String) {
    for size in [1, 63, 64, 65, 1_000_000] {
      if size == 1 && text.utf8.count > 1_000 { continue }
      #expect(Self.digest(Array(text.utf8), inPiecesOf: size) == digest, "in pieces of \(size)")
    }
  }

  /// Each length around a block has its own padding.
  @Test func everyLengthDiffers() {
    let digests = (0...200).map { Self.digest([UInt8](repeating: 0, count: $0), inPiecesOf: 7) }
    #expect(Set(digests).count == digests.count)
  }

  private static func digest(_ bytes: [UInt8], inPiecesOf size: Int) -> String {
    var hash = SHA256()
    var rest = bytes[...]
    while !rest.isEmpty {
      Array(rest.prefix(size)).withUnsafeBytes { hash.update($0) }
      rest = rest.dropFirst(size)
    }
    return hash.digest().map { UInt64($0).hexadecimal(digits: 2) }.joined()
  }
}
