/// What was found of one work: a line of the table.
struct Finding: Encodable {
  /// What a figure counts.
  enum Unit: String, Encodable {
    /// Rows or commits; more is better.
    case perSecond
    case seconds
    case mebibytes
  }

  /// What a figure has to be; from the project's own promises.
  enum Target {
    /// Of the floor's speed, at least this part.
    case speed(Double)
    /// Our figure, at most this.
    case atMost(Double)
  }

  let work: String
  let engine: String
  /// How many items the store has.
  let items: Int
  /// What ours is compared with; empty if with nothing.
  var floorName = "C"
  var floor: Double?
  let ours: Double
  let unit: Unit
  var ratio: Spread?
  var target: String?
  var isMet: Bool?

  private enum CodingKeys: CodingKey { case work, engine, items, floorName, floor, ours, unit, ratio, target, isMet }

  /// A work that takes `times`, of `count` rows or commits.
  static func speed(
    _ work: String, _ engine: BenchmarkEngine, items: Int, _ times: Times, count: Int, floor: String = "C",
    target: Double? = nil
  ) -> Finding {
    Finding(
      work, engine, items, times, floor, unit: .perSecond, target.map { .speed($0) }
    ) { Double(count) / $0 }
  }

  /// A work that is done `count` times in `times`: what one takes.
  static func latency(
    _ work: String, _ engine: BenchmarkEngine, items: Int, _ times: Times, count: Int = 1, floor: String = "C",
    target: Target? = nil
  ) -> Finding {
    Finding(work, engine, items, times, floor, unit: .seconds, target) { $0 / Double(count) }
  }

  private init(
    _ work: String, _ engine: BenchmarkEngine, _ items: Int, _ times: Times, _ floorName: String, unit: Unit,
    _ target: Target?, figure: (Double) -> Double
  ) {
    self.init(
      work: work, engine: engine, items: items, ours: figure(Spread(times.ours).median), unit: unit,
      floor: figure(Spread(times.floor).median), floorName: floorName, ratio: times.ratios, target: target)
  }

  init(
    work: String, engine: BenchmarkEngine, items: Int, ours: Double, unit: Unit, floor: Double? = nil,
    floorName: String = "", ratio: Spread? = nil, target: Target? = nil
  ) {
    self.work = work
    self.engine = engine.rawValue
    self.items = items
    self.ours = ours
    self.unit = unit
    self.floor = floor
    self.floorName = floorName
    self.ratio = ratio
    switch target {
    case .speed(let part):
      self.target = "≥ " + Decimals.text(part)
      isMet = ratio.map { $0.median >= part }
    case .atMost(let limit):
      self.target = "≤ " + Decimals.figure(limit, unit)
      isMet = ours <= limit
    case nil: break
    }
  }
}
