import Testing

/// What happens to stores, and below the engines: processes that are killed, broken files, failing disks, garbage in every
/// input, many at once.
///
/// An ordinary run is short and the same each time. `make torture SECONDS=…` spends that time on more cases of new seeds;
/// a case that fails is repeated by the seed that its message names: `SAVER_FAULT_SEED=… swift test --filter …`.
///
/// One at a time: the children keep both cores busy as it is, and some tests count what processes do.
@Suite(
  .serialized,
  .compactMapIssues { issue in
    Trials.countIssue()
    return issue
  }) enum FaultTests
{}
