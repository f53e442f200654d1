internal import Glibc

/// Where the values of environment variables come from: the process, or a test.
package struct Environment: Sendable {
  private let lookUp: @Sendable (String) -> String?

  /// The process's own environment, read at each look-up.
  package static let process = Environment { name in getenv(name).map { String(cString: $0) } }

  /// Exactly these variables.
  package init(_ variables: [String: String]) {
    self.init { variables[$0] }
  }

  private init(lookUp: @escaping @Sendable (String) -> String?) {
    self.lookUp = lookUp
  }

  /// The variable's value; `nil` when it is not set.
  package subscript(name: String) -> String? {
    lookUp(name)
  }

  /// The variable's value; `nil` also when it is set to nothing.
  package func nonEmpty(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
