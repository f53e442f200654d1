import FoundationEssentials
import SaverCore

/// The small world that the checks of queries share: every value of the pools, in many combinations, with ties.
enum SpecimenWorld {
  /// The same at every run.
  static let specimens: [Specimen] = {
    var random = RandomGenerator(seed: 20_240_229)
    return (0..<48).map { specimen($0, &random) }
  }()

  static let columns = Specimen.columns
  static let optionalColumns = columns.filter { $0.hasPrefix("maybe_") }
  static let listColumns = ["tags", "maybe_tags"]
  static let orderedColumns = columns.filter { !listColumns.contains($0) }
  static let textColumns = ["text", "kind", "maybe_text", "maybe_kind"]

  /// A specimen of random values of the pools.
  static func specimen(id: UUID? = nil, _ random: inout RandomGenerator) -> Specimen {
    specimen(random.below(1000), id: id, &random)
  }

  /// The first specimens hold each value of each pool at least once.
  private static func specimen(_ number: Int, id: UUID? = nil, _ random: inout RandomGenerator) -> Specimen {
    func some<Value>(_ pool: [Value], _ random: inout RandomGenerator) -> Value {
      number < pool.count ? pool[number] : random.pick(pool)
    }
    func maybe<Value>(_ pool: [Value], _ random: inout RandomGenerator) -> Value? {
      random.chance(oneIn: 4) ? nil : random.pick(pool)
    }
    return Specimen(
      id: id ?? randomID(&random),
      bool: some([false, true], &random), int: some(ValuePool.ints, &random), double: some(ValuePool.doubles, &random),
      text: some(ValuePool.texts, &random), data: some(ValuePool.blobs, &random), date: some(ValuePool.dates, &random),
      uuid: some(ValuePool.uuids, &random), tags: some(ValuePool.lists, &random),
      kind: some(Specimen.Kind.allCases, &random), rank: some(Specimen.Rank.allCases, &random),
      maybeBool: maybe([false, true], &random), maybeInt: maybe(ValuePool.ints, &random),
      maybeDouble: maybe(ValuePool.doubles, &random), maybeText: maybe(ValuePool.texts, &random),
      maybeData: maybe(ValuePool.blobs, &random), maybeDate: maybe(ValuePool.dates, &random),
      maybeUUID: maybe(ValuePool.uuids, &random), maybeTags: maybe(ValuePool.lists, &random),
      maybeKind: maybe(Specimen.Kind.allCases, &random), maybeRank: maybe(Specimen.Rank.allCases, &random))
  }

  /// In no order: nothing may rely on ids that grow.
  static func randomID(_ random: inout RandomGenerator) -> UUID {
    let bytes = (random.next(), random.next())
    return UUID(uuid: unsafeBitCast(bytes, to: uuid_t.self))
  }

  /// Values to compare a column with: those of its pool, and null.
  static func constants(of column: String) -> [StoredValue] {
    let values: [StoredValue] =
      switch column.hasPrefix("maybe_") ? String(column.dropFirst(6)) : column {
      case "id": Array(specimens.prefix(5).map { .uuid($0.id) }) + ValuePool.uuids.map { .uuid($0) }
      case "bool": [.bool(false), .bool(true)]
      case "int": ValuePool.ints.map { .int($0) } + [.int(3)]
      case "double": ValuePool.doubles.map { .double($0) } + [.double(-0.0), .double(3)]
      case "text": ValuePool.texts.map { .text($0) } + [.text("ac")]
      case "data": ValuePool.blobs.map { .data($0) } + [.data(Data([2]))]
      case "date": ValuePool.dates.map { .date($0) } + [.date(Date(timeIntervalSince1970: 1))]
      case "uuid": ValuePool.uuids.map { .uuid($0) }
      case "tags": ValuePool.lists.map { .texts($0) } + [.texts(["a", "b", "c"])]
      case "kind": Specimen.Kind.allCases.map { .text($0.rawValue) } + [.text("c")]
      case "rank": Specimen.Rank.allCases.map { .int($0.rawValue) } + [.int(7)]
      default: []
      }
    return values + [.null]
  }
}

extension SpecimenWorld {
  /// The values of one specimen under another id.
  static func with(_ specimen: Specimen, id: UUID) -> Specimen {
    Specimen(
      id: id, bool: specimen.bool, int: specimen.int, double: specimen.double, text: specimen.text,
      data: specimen.data, date: specimen.date, uuid: specimen.uuid, tags: specimen.tags, kind: specimen.kind,
      rank: specimen.rank, maybeBool: specimen.maybeBool, maybeInt: specimen.maybeInt,
      maybeDouble: specimen.maybeDouble, maybeText: specimen.maybeText, maybeData: specimen.maybeData,
      maybeDate: specimen.maybeDate, maybeUUID: specimen.maybeUUID, maybeTags: specimen.maybeTags,
      maybeKind: specimen.maybeKind, maybeRank: specimen.maybeRank)
  }
}
