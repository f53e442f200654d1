/// How much is done, so that a whole run takes about five minutes on a quiet machine.
struct Effort {
  /// The items in a store, where nothing else is said.
  var rows = 100_000
  var growthMax = 1_000_000
  var insertRounds = 5
  var readRounds = 7
  /// Of a round of reading, each side's best of so many counts.
  var readAttempts = 2
  var commitRounds = 10
  var commitsPerRound = 50
  var writerRounds = 3
  /// Of each of the writers.
  var writerCommits = 250
  var observedRounds = 3
  var observedCommits = 700
  /// Between two of them.
  var gapMicroseconds = 2_000
  var commandRuns = 40
  var idleSeconds = 60

  static let quick: Effort = {
    var effort = Effort()
    (effort.rows, effort.growthMax) = (20_000, 10_000)
    (effort.insertRounds, effort.readRounds, effort.readAttempts, effort.commitRounds) = (3, 3, 1, 4)
    (effort.writerRounds, effort.writerCommits) = (1, 100)
    (effort.observedRounds, effort.observedCommits) = (2, 200)
    (effort.commandRuns, effort.idleSeconds) = (10, 5)
    return effort
  }()

  /// 1,000 and its tenfolds.
  var growthSizes: [Int] {
    Array(sequence(first: 1_000) { $0 * 10 }.prefix { $0 <= growthMax })
  }
}
