/// Folding for search: two texts that a reader takes for the same fold to the same bytes.
///
/// Folded text is
/// - decomposed by compatibility (NFKD: `ﬁ` is `fi`, `①` is `1`, a full-width letter is the letter),
/// - without marks (`é` is `e`, precomposed or not),
/// - without the characters that Unicode calls default ignorable (zero-width space and joiners, soft hyphens,
///   variation selectors, directional controls), so that none of them hides a match; an emoji sequence folds to its
///   parts on both sides and is found by itself,
/// - case-folded in full (`ß` is `ss`, `ς` is `σ`),
/// - composed again (NFKC), so that a Korean syllable does not match the beginning of another.
///
/// No language is favoured: `ø`, `ł` and the dotless `ı` are letters of their own. Marks that other scripts write
/// vowels with are stripped like accents, so a search in these scripts finds more than it should, never less.
/// Folding folded text changes nothing.
public enum TextFolding {
  /// The folded text.
  ///
  /// Linear in the text's length. For many texts in a row `SearchMatcher` folds without allocating.
  public static func fold(_ text: String) -> String {
    var buffer = FoldingBuffer()
    var text = text
    text.withUTF8 { buffer.fold(UnsafeRawBufferPointer($0)) }
    return String(decoding: buffer.folded, as: UTF8.self)
  }
}
