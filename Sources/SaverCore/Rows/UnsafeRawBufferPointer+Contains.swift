import Glibc

extension UnsafeRawBufferPointer {
  /// Whether `needle` occurs in these bytes. An empty needle occurs everywhere.
  func contains(_ needle: UnsafeRawBufferPointer) -> Bool {
    guard let first = needle.first, let needleBase = needle.baseAddress else { return true }
    guard var position = baseAddress, count >= needle.count else { return false }
    let last = position + (count - needle.count)
    while position <= last {
      guard let found = memchr(position, Int32(first), last - position + 1) else { return false }
      if memcmp(found, needleBase, needle.count) == 0 { return true }
      position = UnsafeRawPointer(found) + 1
    }
    return false
  }
}
