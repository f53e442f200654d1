/// A command of the tool as data: what parsing, help, completion and the reference need of it.
package struct Command: Sendable {
  package let name: String
  /// One sentence.
  package let abstract: String
  /// Paragraphs separated by an empty line; a line that begins with a space is printed as it is. May be empty.
  package let discussion: String
  /// Options and positional arguments, in the order of help and of the command line.
  package let parameters: [ParameterSpecification]

  /// - Precondition: names are distinct; no positional argument follows one that may take fewer values than it could,
  ///   unless it may be left out itself; nothing follows a repeated one.
  package init(_ name: String, abstract: String, discussion: String = "", parameters: [any Parameter] = []) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.parameters = parameters.map(\.specification)
    checkInvariants()
  }

  package var options: [ParameterSpecification] { parameters.filter { !$0.isPositional } }

  package var positionals: [ParameterSpecification] { parameters.filter(\.isPositional) }

  private func checkInvariants() {
    let names = parameters.map(\.name)
    precondition(Set(names).count == names.count, "Two parameters of '\(name)' have the same name")
    let shorts = parameters.compactMap(\.short)
    precondition(Set(shorts).count == shorts.count, "Two options of '\(name)' have the same letter")
    let arities = positionals.compactMap { if case .positional(let arity) = $0.kind { arity } else { nil } }
    for (arity, next) in zip(arities, arities.dropFirst()) {
      precondition(arity.maximum != nil, "In '\(name)' an argument follows a repeated one")
      precondition(arity.minimum == 1 || next.minimum == 0, "In '\(name)' a required argument follows an optional one")
    }
  }
}
