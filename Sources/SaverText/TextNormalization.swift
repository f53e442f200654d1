internal import CUTF8Proc

/// Unicode normalisation.
public enum TextNormalization {
  /// The text in normalisation form C: canonically equivalent texts become the same bytes.
  ///
  /// Linear for real text; ASCII is returned as it is.
  public static func nfc(_ text: String) -> String {
    var text = text
    let normalized: String? = text.withUTF8 { utf8 in
      guard let base = utf8.baseAddress, utf8.contains(where: { $0 >= 0x80 }) else { return nil }
      var result: UnsafeMutablePointer<UInt8>?
      let length = utf8proc_map(base, utf8.count, &result, UTF8PROC_STABLE | UTF8PROC_COMPOSE)
      defer { result?.deallocate() }
      // Negative only when memory or the length's range is exhausted; the text is valid.
      guard length >= 0, let result else { return nil }
      return String(decoding: UnsafeBufferPointer(start: result, count: length), as: UTF8.self)
    }
    return normalized ?? text
  }
}
