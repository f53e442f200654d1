/// One promise of a storage engine, as a value: an id, the sentence that it stands for, and a way to test it.
///
///     @Test(arguments: ConformanceSuite.checks)
///     func conforms(_ check: ConformanceCheck) throws { try check.run(on: subject) }
public struct ConformanceCheck: Identifiable, Sendable {
  /// The area and the matter: `query.order.total`. Unique in the suite.
  public let id: String
  /// The promise, in one sentence.
  public let summary: String
  private let body: @Sendable (Trial) throws -> Void

  init(_ id: String, _ summary: String, _ body: @escaping @Sendable (Trial) throws -> Void) {
    self.id = id
    self.summary = summary
    self.body = body
  }

  /// Tests the promise on stores that are made for it, in a folder that is removed afterwards.
  ///
  /// A promise that the subject does not make (see ``ConformanceSubject/capabilities``) is kept.
  ///
  /// - Throws: ``ConformanceFailure`` if the promise is broken, or if the engine throws where it should not.
  public func run(on subject: ConformanceSubject) throws {
    do {
      try TemporaryFolder.with { folder in
        try body(Trial(check: id, subject: subject, folder: folder))
      }
    } catch let failure as ConformanceFailure {
      throw failure
    } catch {
      throw ConformanceFailure(check: id, message: "the engine threw unexpectedly: \(error)")
    }
  }
}

extension ConformanceCheck: CustomStringConvertible {
  public var description: String { id }
}
