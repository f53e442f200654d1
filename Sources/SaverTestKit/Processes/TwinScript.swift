import FoundationEssentials
import SaverCore

/// The transactions of one writer, step by step, as a seed gives them: what the writer's records must be after any number
/// of steps can be computed without asking a store.
///
/// A writer touches its own records alone. Two of them, under fixed ids, carry the number of its last step.
struct TwinScript {
  enum Change: Equatable {
    case insert(Twin)
    case update(Twin)
    case delete(UUID)
    /// Everything of this writer that is done.
    case deleteDone
  }

  let writer: Int
  private var random: RandomGenerator
  private(set) var step = 0
  /// One of each two.
  private var elders: [Twin] = []

  init(writer: Int, seed: UInt64) {
    self.writer = writer
    random = RandomGenerator(seed: seed &+ UInt64(writer) &* 0x1_0001)
  }

  /// The id of the record that carries the number of the last step.
  static func counterID(of writer: Int, second: Bool = false) -> UUID {
    let number = UInt8(truncatingIfNeeded: writer)
    return UUID(uuid: (0xc0, number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, second ? 2 : 1))
  }

  private var counter: Twin {
    Twin(
      id: Self.counterID(of: writer), partner: Self.counterID(of: writer, second: true), writer: writer, step: step,
      shelf: "counters", rank: writer, isDone: false, text: "")
  }

  /// All records of the writer after the steps so far, by id.
  var records: [UUID: Twin] {
    var records: [UUID: Twin] = [:]
    for twin in elders + (step > 0 ? [counter] : []) {
      records[twin.id] = twin
      records[twin.partner] = twin.other
    }
    return records
  }

  /// Goes one step on; what it changes, in order.
  mutating func next() -> [Change] {
    step += 1
    var changes: [Change] = step == 1 ? [.insert(counter), .insert(counter.other)] : []
    if step > 1 { changes = [.update(counter), .update(counter.other)] }
    switch random.below(12) {
    case 0...4: changes += insert(1 + random.below(3))
    case 5 where elders.count < 30: changes += insert(10 + random.below(20))
    case 6, 7, 8: changes += update(1 + random.below(4))
    case 9: changes += deleteSome(1 + random.below(3))
    case 10:
      elders.removeAll { $0.isDone }
      changes.append(.deleteDone)
    default:
      changes += update(random.below(20))
      changes += insert(1)
      changes += deleteSome(elders.count > 50 ? 25 : 1)
    }
    // The second of each two comes last and backwards: half a transaction has many ones without partner.
    return changes
  }

  private mutating func insert(_ count: Int) -> [Change] {
    let twins = (0..<count).map { _ in
      Twin(
        id: SpecimenWorld.randomID(&random), partner: SpecimenWorld.randomID(&random), writer: writer, step: step,
        shelf: random.pick(Twin.shelves), rank: random.below(40), isDone: false,
        text: "text \(random.below(100)) of \(writer)")
    }
    elders += twins
    return twins.map { .insert($0) } + twins.reversed().map { .insert($0.other) }
  }

  private mutating func update(_ count: Int) -> [Change] {
    guard !elders.isEmpty else { return [] }
    var changed: [Twin] = []
    for index in Set((0..<count).map { _ in random.below(elders.count) }).sorted() {
      elders[index].step = step
      switch random.below(5) {
      case 0, 1: elders[index].rank = random.below(40)
      case 2: elders[index].isDone.toggle()
      case 3: elders[index].shelf = random.pick(Twin.shelves)
      default: elders[index].text = "text \(random.below(100)) of \(writer), again"
      }
      changed.append(elders[index])
    }
    return changed.map { .update($0) } + changed.reversed().map { .update($0.other) }
  }

  private mutating func deleteSome(_ count: Int) -> [Change] {
    var gone: [Twin] = []
    for _ in 0..<min(count, elders.count) { gone.append(elders.remove(at: random.below(elders.count))) }
    return gone.map { .delete($0.id) } + gone.reversed().map { .delete($0.partner) }
  }

  /// Makes the changes of a step in a transaction.
  static func make(_ changes: [Change], of writer: Int, in transaction: inout WriteTransaction) throws {
    for change in changes {
      switch change {
      case .insert(let twin): try transaction.insert(twin)
      case .update(let twin):
        guard try transaction.update(twin) else { throw Missing(id: twin.id) }
      case .delete(let id):
        guard try transaction.delete(Twin.self, id: id) else { throw Missing(id: id) }
      case .deleteDone: try transaction.delete(Query<Twin> { $0.isDone && $0.writer == writer })
      }
    }
  }

  struct Missing: Error, CustomStringConvertible {
    var id: UUID
    var description: String { "the record \(id.hexadecimal) is not there" }
  }
}
