import CLMDB

@testable import SaverCore
@testable import SaverLMDB

/// Keys of LMDB's databases, as any program may have put them there.
enum KeyTrial {
  static func run(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    let key = MDB_val(bytes)
    _ = HistoryFormat.sequence(key)
    if let id = IndexKey.id(key) {
      Fuzzer.require(id.mv_size == IndexKey.idSize && id.mv_size < key.mv_size, "the id is not the key's end")
      _ = UnsafeRawBufferPointer(start: id.mv_data, count: id.mv_size).reduce(0) { $0 ^ $1 }
    }
    // LMDB itself has no longer ones.
    guard bytes.count <= 511, !bytes.isEmpty else { return 0 }
    _ = IndexKey.isCut(key)
    _ = IndexKey.isCut(key, sharing: Array(repeating: 1, count: IndexKey.tupleMax))
    return 0
  }
}
