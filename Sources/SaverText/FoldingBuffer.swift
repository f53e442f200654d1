internal import CUTF8Proc

/// Folds one text after another into memory that it keeps, so that a scan of many rows does not allocate.
///
/// `TextFolding` says what folding means. ASCII is lower-cased in one pass; only what is not ASCII goes through
/// utf8proc, run by run. Cutting a text at the borders of its ASCII runs changes nothing: folding removes every
/// mark, and but for marks nothing composes, or changes places, with an ASCII character.
///
/// The memory grows to the longest text and is given back at the end of the buffer's life.
struct FoldingBuffer: ~Copyable {
  // MARK: Mutable state
  // All of it is owned by this value alone; exclusive access to the value guards it.

  /// The folded text: the first `count` of `capacity` bytes.
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0
  /// The scalars of the run at hand: the first `scalarCount` of `scalarCapacity`, and one to spare for utf8proc.
  private var scalars: UnsafeMutablePointer<Int32>
  private var scalarCapacity: Int
  private var scalarCount = 0
  /// What one scalar decomposes to.
  private let expansion: UnsafeMutablePointer<Int32>

  /// More than any scalar decomposes to (the longest, U+FDFA, gives 18).
  private static let expansionMax = 64

  init() {
    capacity = 256
    bytes = .allocate(capacity: capacity)
    scalarCapacity = 256
    scalars = .allocate(capacity: scalarCapacity + 1)
    expansion = .allocate(capacity: Self.expansionMax)
  }

  deinit {
    bytes.deallocate()
    scalars.deallocate()
    expansion.deallocate()
  }

  /// The folded text, until the next fold.
  var folded: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes, count: count)
  }

  /// Replaces the content by the folded text. Each byte that is not valid UTF-8 becomes U+FFFD.
  mutating func fold(_ text: UnsafeRawBufferPointer) {
    count = 0
    reserveBytes(text.count)
    if appendLowercased(text) { return }
    count = 0
    var position = 0
    while position < text.count {
      let start = position
      if text[position] < 0x80 {
        repeat { position += 1 } while position < text.count && text[position] < 0x80
        _ = appendLowercased(UnsafeRawBufferPointer(rebasing: text[start..<position]))
      } else {
        position = foldRun(text, from: start)
      }
    }
  }

  // MARK: ASCII

  /// Appends the bytes with `A` to `Z` in lower case and tells whether all of them were ASCII. One loop without a
  /// branch, which the compiler turns into vector instructions.
  private mutating func appendLowercased(_ text: UnsafeRawBufferPointer) -> Bool {
    reserveBytes(text.count)
    let target = bytes + count
    var seen: UInt8 = 0
    for index in 0..<text.count {
      let byte = text[index]
      seen |= byte
      target[index] = byte | (byte &- 0x41 < 26 ? 0x20 : 0)
    }
    count += text.count
    return seen < 0x80
  }

  // MARK: The rest

  /// Folds from `start` to the next ASCII byte and returns where that is.
  private mutating func foldRun(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    scalarCount = 0
    var position = start
    let base = text.assumingMemoryBound(to: UInt8.self).baseAddress!
    while position < text.count, text[position] >= 0x80 {
      var scalar: Int32 = -1
      let length = utf8proc_iterate(base + position, text.count - position, &scalar)
      if length > 0 {
        appendFolded(scalar)
        position += length
      } else {
        appendFolded(0xFFFD)
        position += 1
      }
    }
    // Composes (only Hangul is left to compose) and encodes in place.
    let length = utf8proc_reencode(scalars, scalarCount, .composition)
    if length > 0 {
      reserveBytes(length)
      UnsafeMutableRawPointer(bytes + count).copyMemory(from: scalars, byteCount: length)
      count += length
    }
    return position
  }

  /// Appends what the scalar folds to. It is decomposed before its case is folded: the other way round U+1FB3 (alpha
  /// with iota subscript) would keep a letter iota that its decomposed spelling does not have.
  private mutating func appendFolded(_ scalar: Int32) {
    var boundary: Int32 = 0
    let count = utf8proc_decompose_char(scalar, expansion, Self.expansionMax, .decomposition, &boundary)
    guard count > 0 else { return }
    reserveScalars(count * Self.expansionMax)
    for index in 0..<count {
      let free = scalarCapacity - scalarCount
      scalarCount += max(
        0, utf8proc_decompose_char(expansion[index], scalars + scalarCount, free, .caseFolding, &boundary))
    }
  }

  // MARK: Memory

  private mutating func reserveBytes(_ additional: Int) {
    guard count + additional > capacity else { return }
    let grown = max(count + additional, capacity * 2)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
    memory.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = memory
    capacity = grown
  }

  private mutating func reserveScalars(_ additional: Int) {
    guard scalarCount + additional > scalarCapacity else { return }
    let grown = max(scalarCount + additional, scalarCapacity * 2)
    let memory = UnsafeMutablePointer<Int32>.allocate(capacity: grown + 1)
    memory.update(from: scalars, count: scalarCount)
    scalars.deallocate()
    scalars = memory
    scalarCapacity = grown
  }
}

extension utf8proc_option_t {
  fileprivate static let decomposition =
    UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE | UTF8PROC_STRIPMARK
  fileprivate static let caseFolding = decomposition | UTF8PROC_CASEFOLD
  fileprivate static let composition = UTF8PROC_COMPOSE | UTF8PROC_STABLE

  /// The union of two sets of options, which C writes alike.
  static func | (left: Self, right: Self) -> Self {
    Self(rawValue: left.rawValue | right.rawValue)
  }
}
