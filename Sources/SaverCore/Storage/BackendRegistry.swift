/// The backends that a program is built with: a value, handed to whoever opens stores.
public struct BackendRegistry: Sendable {
  public let backends: [any StorageBackend.Type]

  /// - Precondition: no two have the same name.
  public init(_ backends: [any StorageBackend.Type]) {
    precondition(Set(backends.map { $0.name }).count == backends.count, "two backends have the same name")
    self.backends = backends
  }

  public var names: [String] { backends.map { $0.name } }

  /// The backend of this name.
  ///
  /// - Throws: ``StorageError`` with `unknownBackend`, listing those that there are.
  public func backend(named name: String) throws -> any StorageBackend.Type {
    guard let backend = backends.first(where: { $0.name == name }) else {
      throw StorageError(
        .unknownBackend, "There is no backend '\(name)'; this program has \(names.joined(separator: ", ")).")
    }
    return backend
  }
}
