package indirect enum Condition<Term> {
  /// An empty list holds of every story.
  case all([Condition])
  case any([Condition])
  case not(Condition)
  case term(Term)

  package static var always: Condition { .all([]) }

  package static func && (one: Condition, other: Condition) -> Condition { joined([one, other]) }

  /// Joins conditions by *and*, as `either` does by *or*, without a list within a list, or a list
  /// of one.
  package static func joined(_ parts: [Condition]) -> Condition {
    let flat = parts.flatMap { part in
      if case .all(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : .all(flat)
  }

  package static func either(_ parts: [Condition]) -> Condition {
    let flat = parts.flatMap { part in
      if case .any(let inner) = part { inner } else { [part] }
    }
    return flat.count == 1 ? flat[0] : .any(flat)
  }

  var opposite: Condition {
    if case .not(let inner) = self { inner } else { .not(self) }
  }

  package var terms: [Term] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.terms)
    case .not(let inner): inner.terms
    case .term(let term): [term]
    }
  }

  package func map<Other>(_ change: (Term) throws -> Other) rethrows -> Condition<Other> {
    try flatMap { .term(try change($0)) }
  }

  func flatMap<Other>(
    _ change: (Term) throws -> Condition<Other>
  ) rethrows -> Condition<Other> {
    switch self {
    case .all(let parts): .all(try parts.map { try $0.flatMap(change) })
    case .any(let parts): .any(try parts.map { try $0.flatMap(change) })
    case .not(let inner): .not(try inner.flatMap(change))
    case .term(let term): try change(term)
    }
  }
}

extension Condition where Term: Equatable {
  /// Returns true if the condition holds only where the term does.
  func needs(_ term: Term) -> Bool {
    switch self {
    case .all(let parts): parts.contains { $0.needs(term) }
    case .term(let own): own == term
    case .any, .not: false
    }
  }

  /// Returns the condition that holds where this one, but for its need of the term, does.
  func without(_ term: Term) -> Condition {
    switch self {
    case .all(let parts): .all(parts.filter { $0 != .term(term) }.map { $0.without(term) })
    case .term(let own) where own == term: .always
    default: self
    }
  }
}

extension Condition: Equatable where Term: Equatable {}
extension Condition: Hashable where Term: Hashable {}
extension Condition: Sendable where Term: Sendable {}
