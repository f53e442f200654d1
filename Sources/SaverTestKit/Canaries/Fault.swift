import FoundationEssentials
import SaverCore

/// Where a fault takes hold of the calls that pass through a ``BrokenEngine``. What is `nil` or `false` is left as it is.
struct Fault: Sendable {
  /// Changes what is asked for by scans, and by counts.
  var selection: (@Sendable (SelectionParts) -> SelectionParts)?
  /// Changes what is asked for by counts alone.
  var counted: (@Sendable (SelectionParts) -> SelectionParts)?
  /// Changes conditions, node by node, from the leaves up.
  var filter: (@Sendable (Filter, RecordType) -> Filter)?
  /// Changes the values of a row before it is written; gets the row that is there.
  var written: (@Sendable (_ new: [StoredValue], _ old: [StoredValue]?, RecordType) -> [StoredValue])?

  var dropsLastRow = false
  /// Goes on when the closure of a scan says that it has enough.
  var ignoresStop = false
  /// Ends a scan quietly when its closure throws.
  var swallowsErrorsOfScans = false
  var overwritesDuplicates = false
  /// Says of updates and deletions that there was nothing.
  var deniesWhatWasThere = false
  var forgetsDeletes = false
  /// Changes beyond these are left out of a transaction.
  var changesMax = Int.max
  /// Commits although the closure threw.
  var keepsRolledBack = false
  var reading = Reading.snapshot
  var hidesOwnWrites = false
  /// Decides on a snapshot, and writes when others may have written since.
  var losesUpdatesOfOthers = false
  var changesIdentity = false
  var readsEverything = false
  /// Wakes nobody after a commit.
  var isDeaf = false
  var history = HistoryFault()
  var maintenance = MaintenanceFault()

  enum Reading: Sendable {
    case snapshot
    /// Each question sees what is committed when it is asked.
    case latest
    /// The last transaction's insertions are not seen.
    case stale
  }
}

/// A selection as it was asked for.
struct SelectionParts: Sendable {
  var type: RecordType
  var filter: Filter
  /// Ends with the id.
  var order: [SortKey]
  var limit: Int?
  var offset: Int
  /// One value for each key, that of the id included.
  var after: [StoredValue]?

  init(_ selection: Selection) {
    type = selection.type
    filter = selection.filter
    order = selection.order.map { [type] in
      SortKey(field: type.name(ofColumn: $0.column), descending: $0.descending)
    }
    limit = selection.limit
    offset = selection.offset
    after = selection.after
  }

  func selection() throws -> Selection {
    // The id is a key of its own here, so that its direction can be changed; the place has its value already.
    let position = after.map { Position(values: $0, id: UUID.version7()) }
    return try Selection(type, filter: filter, order: order, limit: limit, offset: offset, after: position)
  }
}

extension Filter {
  /// The tree with each node replaced, from the leaves up.
  func replacing(_ replace: (Filter) -> Filter) -> Filter {
    switch self {
    case .not(let inner): replace(.not(inner.replacing(replace)))
    case .and(let parts): replace(.and(parts.map { $0.replacing(replace) }))
    case .or(let parts): replace(.or(parts.map { $0.replacing(replace) }))
    default: replace(self)
    }
  }
}
