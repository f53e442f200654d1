import FoundationEssentials

@testable import SaverCLI
@testable import SaverCore
@testable import SaverKit

/// What people and programs write in one line: tokens, ids, dates, links.
enum TextTrial {
  static func run(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    let text = String(decoding: bytes, as: UTF8.self)
    if let token = HistoryToken(text) {
      Fuzzer.require(token.description.utf8.elementsEqual(text.utf8), "a token is written in another way")
    }
    if let reference = ItemReference(text) { _ = (reference.range, reference.isEnd(of: reference.range.lowerBound)) }
    if let date = DateExpression.parse(text, now: EpochMilliseconds(1_767_000_000_000)) {
      _ = (DateText.rfc3339(date), DateText.localWithSeconds(date))
    }
    _ = WebLink.duplicateKey(of: text)
    return 0
  }
}
