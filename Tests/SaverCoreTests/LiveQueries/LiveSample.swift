import Foundation
import SaverCore
import SaverMemory
import SaverTestKit

/// A record of a few fields, for tests of lists.
struct LiveSample: Record, Hashable {
  let id: UUID
  var text: String
  var rank: Int
  var due: Date?

  static let schema = Schema(
    "live_sample", version: 1,
    Field("id", \Self.id),
    Field("text", \.text),
    Field("rank", \.rank, indexed: true),
    Field("due", \.due),
    make: Self.init(id:text:rank:due:))

  init(id: UUID, text: String, rank: Int, due: Date?) {
    self.id = id
    self.text = text
    self.rank = rank
    self.due = due
  }

  /// The sample of a number: the same id for the same number, and ids in the order of their numbers.
  init(_ number: Int, text: String = "text", rank: Int? = nil, due: Date? = nil) {
    let bits = (UInt64(number).bigEndian, UInt64(number &* 7).bigEndian)
    self.init(id: UUID(uuid: unsafeBitCast(bits, to: uuid_t.self)), text: text, rank: rank ?? number, due: due)
  }

  /// A new store of samples, in memory.
  static func store(_ samples: [LiveSample] = [], history: HistoryRetention = HistoryRetention()) throws -> Store {
    let store = try MemoryBackend.open(
      StoreLocation(base: "live", history: history), types: [schema.type],
      configuration: MemoryBackend.Configuration())
    if !samples.isEmpty { try store.write { for sample in samples { try $0.insert(sample) } } }
    return store
  }
}

extension RandomGenerator {
  /// A generator whose seed is printed, so that a failure can be repeated.
  static func printed(_ name: String = #function) -> RandomGenerator {
    let seed = UInt64.random(in: 0 ... .max)
    print("\(name) seed: \(seed)")
    return RandomGenerator(seed: seed)
  }
}
