import CUTF8Proc
import Glibc

/// The form under which texts are searched: blind to case, accents and compatibility variants.
public enum TextFolding {
  /// Full case folding, marks stripped, compatibility composition (NFKC), default-ignorable characters dropped.
  ///
  /// `ÉCOLE` and `école`, `Straße` and `STRASSE`, composed and decomposed forms fold alike. Dropping the ignorable
  /// characters (zero-width space, joiners, variation selectors) on both sides lets a word be found that has one inside,
  /// and an emoji sequence still finds itself.
  public static func fold(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      withFolded(UnsafeRawBufferPointer(bytes)) { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  /// Canonical composition (NFC).
  public static func composed(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue
      return withMapped(UnsafeRawBufferPointer(bytes), options) { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  /// Hands the folded form of UTF-8 bytes to `body`; `nil` if the bytes are not valid UTF-8.
  static func withFolded<Result>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    let options =
      UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_CASEFOLD.rawValue
      | UTF8PROC_STRIPMARK.rawValue | UTF8PROC_IGNORE.rawValue
    return withMapped(bytes, options, body)
  }

  private static func withMapped<Result>(
    _ bytes: UnsafeRawBufferPointer, _ options: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    var mapped: UnsafeMutablePointer<utf8proc_uint8_t>?
    let count = utf8proc_map(
      bytes.baseAddress?.assumingMemoryBound(to: utf8proc_uint8_t.self), utf8proc_ssize_t(bytes.count), &mapped,
      utf8proc_option_t(rawValue: options))
    defer { mapped.map { free($0) } }
    guard count >= 0 else { return nil }
    return body(UnsafeRawBufferPointer(start: mapped, count: count))
  }
}
