import SaverCore

extension ArgumentType<HistoryToken> {
  /// A place in a store's history, as `watch` and `changes` print it.
  static func token(_ placeholder: String = "TOKEN") -> Self {
    ArgumentType(placeholder) { text throws(InvalidValue) in
      guard let token = HistoryToken(text) else {
        throw InvalidValue("expected a token, as 'saver watch' and 'saver changes' print it")
      }
      return token
    }
  }
}

extension HistoryToken.Standing {
  /// What is wrong with the token, for people.
  var words: String {
    switch self {
    case .usable: "is usable"
    case .tooOld: "is too old: the history has been trimmed beyond it"
    case .ahead: "is ahead of the store: the store was put back to an earlier state"
    case .otherStore: "was taken from another store"
    case .otherBranch: "was taken from another branch of the store's history: the store was put back, and went on"
    }
  }
}
