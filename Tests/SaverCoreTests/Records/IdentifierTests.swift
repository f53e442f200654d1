import Foundation
import Testing

@testable import SaverCore

/// Identifiers of version 7, and their text.
struct IdentifierTests {
  @Test func layout() {
    let id = UUID(version7At: 0x0123_4567_89ab, random: (.max, .max))
    #expect(id.uuidString == "01234567-89AB-7FFF-BFFF-FFFFFFFFFFFF")
    #expect(UUID(version7At: 0x0123_4567_89ab, random: (0, 0)).uuidString == "01234567-89AB-7000-8000-000000000000")
  }

  @Test func versionAndVariant() {
    for _ in 0..<1000 {
      let bytes = UUID.version7().uuid
      #expect(bytes.6 >> 4 == 7)
      #expect(bytes.8 >> 6 == 0b10)
    }
  }

  /// Never behind the clock; ahead of it only after thousands in a millisecond.
  @Test func timeIsNow() {
    let before = UInt64(Date().timeIntervalSince1970 * 1000) - 1
    let time = Self.time(of: .version7())
    #expect(time >= before)
    #expect(time <= UInt64(Date().timeIntervalSince1970 * 1000) + 10_000)
  }

  private static func time(of id: UUID) -> UInt64 {
    let bytes = id.uuid
    return [bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5].reduce(0) { $0 << 8 | UInt64($1) }
  }

  @Test func uniqueAcrossThreads() async {
    let ids = await withTaskGroup(of: [UUID].self) { group in
      for _ in 0..<4 {
        group.addTask { (0..<25_000).map { _ in UUID.version7() } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(ids.count == 100_000)
    #expect(Set(ids).count == 100_000)
  }

  /// With a clock that the test sets: more than the counter holds in one millisecond, and a clock that goes back a
  /// little, keep the order; one that is set back far is followed.
  @Test func inTheOrderOfCreation() {
    var generator = Version7Generator()
    var clock = Array(repeating: UInt64(1_000_000), count: 20_000)
    clock += [1_000_001, 1_000_500, 1_000_499, 1_000_500, 995_000, 1_000_501]
    let ids = clock.map { generator.next(at: $0) }
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0.hexadecimal < $1.hexadecimal })
    #expect(ids.prefix(2000).allSatisfy { Self.time(of: $0) == 1_000_000 })
    #expect(Self.time(of: generator.next(at: 5000)) == 5000)
  }

  @Test func nearlyOrdered() {
    let ids = (0..<100_000).map { _ in UUID.version7() }
    // One step back is allowed: somebody may set the clock of the machine.
    #expect(zip(ids, ids.dropFirst()).filter { $0.hexadecimal >= $1.hexadecimal }.count <= 1)
  }

  @Test func hexadecimal() {
    #expect(
      UUID(version7At: 0x0123_4567_89ab, random: (.max, .max)).hexadecimal == "01234567-89ab-7fff-bfff-ffffffffffff")
    for _ in 0..<1000 {
      let id = UUID()
      #expect(id.hexadecimal == id.uuidString.lowercased())
    }
  }
}
