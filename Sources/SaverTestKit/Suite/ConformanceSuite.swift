/// What every storage engine promises, as checks that need no test framework.
public enum ConformanceSuite {
  /// All checks; their ids are unique.
  public static let checks: [ConformanceCheck] =
    recordChecks + valueChecks + transactionChecks + isolationChecks + scanChecks
    + comparisonChecks + nullChecks + logicChecks + membershipChecks + textChecks + prefixChecks + searchChecks
    + orderChecks + orderedTextChecks + limitChecks + pagingChecks + deleteByQueryChecks + indexChecks
    + derivedFieldChecks + invalidQueryChecks + costChecks
    + predicateChecks + storeChecks + reopeningChecks + evolutionChecks + copyChecks
    + historyChangeChecks + historyTransactionChecks + historyTokenChecks + historyRetentionChecks
    + historyReopeningChecks + watcherChecks + liveListChecks + liveBehaviourChecks + backupChecks + restoreChecks
    + forgettingChecks

  /// The check of this id.
  public static func check(_ id: String) -> ConformanceCheck? {
    checks.first { $0.id == id }
  }

  /// Runs all checks and returns those that failed, with what each found.
  public static func run(on subject: ConformanceSubject) -> [ConformanceFailure] {
    checks.compactMap { check in
      do {
        try check.run(on: subject)
        return nil
      } catch let failure as ConformanceFailure {
        return failure
      } catch {
        return ConformanceFailure(check: check.id, message: "\(error)")
      }
    }
  }
}
