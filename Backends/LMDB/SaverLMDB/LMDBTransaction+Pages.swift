#if LMDB
import CLMDB
import Glibc
import SaverCore

extension LMDBTransaction {
  /// Takes the pages of the map out of the process's memory. They stay in the system's cache, from where those that are
  /// read again come back without the disk, each with its neighbours.
  ///
  /// Does nothing where it is not sure what the map is: other memory would lose its content.
  ///
  /// - Parameter smallSize: a file of no more bytes is left alone.
  func releasePages(ofMoreThan smallSize: Int) throws {
    var status = MDB_stat()
    let information = environment.information
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    guard mdb_env_stat(environment.pointer, &status) == 0, Int(status.ms_psize) == pageSize,
      let base = try mapBase(pageSize, lastPage: information.me_last_pgno)
    else { return }
    let size = min((information.me_last_pgno + 1) * pageSize, information.me_mapsize)
    if size <= smallSize { return }
    madvise(UnsafeMutableRawPointer(mutating: base), size, MADV_DONTNEED)
  }

  /// Where the map begins, which LMDB does not tell: found from a value within it, since each page begins with its number.
  /// `lmdb.h` 0.9: 8 bytes of page number; the first page is one of meta data, with LMDB's magic number behind the header.
  private func mapBase(_ pageSize: Int, lastPage: Int) throws -> UnsafeRawPointer? {
    let identity = Array(StoreMeta.identityKey.utf8)
    let value = try StoreMeta.withValue(identity, tables.meta, transaction, path: path) {
      UInt(bitPattern: $0.baseAddress)
    }
    guard let value, let page = UnsafeRawPointer(bitPattern: value & ~(UInt(pageSize) - 1)),
      let number = Int(exactly: page.load(as: UInt64.self)), number <= lastPage
    else { return nil }
    let base = page - number * pageSize
    // A damaged number leads anywhere: memory that is not there is not looked at.
    var isResident: UInt8 = 0
    guard mincore(UnsafeMutableRawPointer(mutating: base), pageSize, &isResident) == 0,
      base.load(as: UInt64.self) == 0, base.load(fromByteOffset: 16, as: UInt32.self) == PageFile.magic
    else { return nil }
    return base
  }
}
#endif
