/// The hash function SHA-256 (FIPS 180-4), of bytes that come piece by piece.
///
/// Here and not from a library, because the core depends on none; for digests that are compared, not for secrets.
struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// What does not fill a block yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0
  private var schedule = [UInt32](repeating: 0, count: 64)

  private static let blockSize = 64

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    var bytes = bytes[...]
    if !rest.isEmpty {
      let missing = bytes.prefix(Self.blockSize - rest.count)
      rest += missing
      bytes = bytes.dropFirst(missing.count)
      if rest.count < Self.blockSize { return }
      let block = rest
      block.withUnsafeBytes { compress($0) }
      rest.removeAll(keepingCapacity: true)
    }
    while bytes.count >= Self.blockSize {
      compress(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.blockSize)))
      bytes = bytes.dropFirst(Self.blockSize)
    }
    rest += bytes
  }

  /// The 32 bytes of the digest.
  func digest() -> [UInt8] {
    var copy = self
    let bits = (count * 8).bigEndian
    var padding = [0x80] + [UInt8](repeating: 0, count: (Self.blockSize * 2 - 9 - rest.count) % Self.blockSize)
    withUnsafeBytes(of: bits) { padding += $0 }
    padding.withUnsafeBytes { copy.update($0) }
    return copy.state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  private mutating func compress(_ block: UnsafeRawBufferPointer) {
    // Pointers, because the bounds of arrays would be checked hundreds of times for each block.
    Self.constants.withUnsafeBufferPointer { constants in
      schedule.withUnsafeMutableBufferPointer { schedule in
        state.withUnsafeMutableBufferPointer { Self.compress(block, constants, schedule, $0) }
      }
    }
  }

  private static func compress(
    _ block: UnsafeRawBufferPointer, _ constants: UnsafeBufferPointer<UInt32>,
    _ schedule: UnsafeMutableBufferPointer<UInt32>, _ state: UnsafeMutableBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
    for index in 16..<64 {
      let (early, late) = (schedule[index - 15], schedule[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = h &+ mixed &+ (e & f ^ ~e & g) &+ constants[index] &+ schedule[index]
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word &>> bits | word &<< (32 &- bits)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
