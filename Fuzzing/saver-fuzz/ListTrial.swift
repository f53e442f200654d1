import Glibc

@testable import SaverCore

/// Lists of texts, in both encodings that rows have. What is read is written in one way, which is read as the same.
enum ListTrial {
  static func run(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    if let list = StringList.decodeMessagePack(bytes) { requireStable(list, .messagePack) }
    if let list = StringList.decodeJSON(bytes) { requireStable(list, .json) }
    return 0
  }

  private static func requireStable(_ list: [String], _ encoding: RowWriter.ListEncoding) {
    var writer = RowWriter(columns: 1, listEncoding: encoding)
    writer.begin()
    writer.append(list: list)
    let again: [String]? = try? writer.finish { try $0[0] }
    let isSame = again.map { $0.elementsEqual(list) { $0.utf8.elementsEqual($1.utf8) } } ?? false
    Fuzzer.require(isSame, "a list is read back as another")
  }
}
