import CLMDB

@testable import SaverCore
@testable import SaverLMDB

/// Entries of LMDB's history: the first 8 bytes are the key, the others the value. What is read is written as it was.
enum HistoryTrial {
  static func run(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    let (key, value) = (
      MDB_val(UnsafeRawBufferPointer(rebasing: bytes.prefix(8))),
      MDB_val(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(8)))
    )
    if let change = HistoryFormat.Change(value) {
      Fuzzer.require(change.id.count == 16, "an id of \(change.id.count) bytes")
      _ = (change.type.reduce(0) { $0 ^ $1 }, change.old?.reduce(0) { $0 ^ $1 })
    }
    guard let entry = TransactionEntry(key: key, value: value) else { return 0 }
    _ = entry.transaction
    var encoder = RowEncoder()
    entry.encode(into: &encoder)
    guard let again = TransactionEntry(key: key, value: encoder.value) else {
      Fuzzer.require(false, "an entry cannot be read back")
      return 0
    }
    Fuzzer.require(
      again.mark.sequences == entry.mark.sequences && again.mark.nonce == entry.mark.nonce
        && again.mark.bytesInAll == entry.mark.bytesInAll && again.operation?.id == entry.operation?.id,
      "an entry is read back as another")
    return 0
  }
}
