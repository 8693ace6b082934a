internal import CSeccomp

/// The calls that a process may still make of the system (seccomp(2)).
///
/// libseccomp makes the filter, and knows the numbers of this machine's calls. A call that no rule
/// names is refused as one that the system does not have: so libraries that are newer than this list
/// do without it, as they would on an old kernel.
struct SystemCallFilter: Sendable {
  enum Action: Sendable {
    case allow
    case refuse(Int32)
    /// The process ends by SIGSYS: for what no library does that only reads.
    case kill
  }

  /// A condition on one argument of a call, from 0.
  enum Condition: Sendable {
    case equals(Int, Int32)
    case differs(Int, Int32)
    /// Of the bits of `mask`, it has `bits` and no others.
    case masked(Int, mask: Int32, bits: Int32)
  }

  private struct Rule: Sendable {
    let calls: [String]
    let action: Action
    let conditions: [Condition]
  }

  private var rules: [Rule] = []

  /// Adds a rule for calls, separated by blanks, where all conditions hold, of which each is about
  /// another argument.
  ///
  /// Another rule with another action must not hold for the same arguments.
  mutating func add(_ action: Action, _ calls: String, where conditions: Condition...) {
    let names = calls.split(whereSeparator: \.isWhitespace).map(String.init)
    rules.append(Rule(calls: names, action: action, conditions: conditions))
  }

  /// Puts the filter on this thread and those that it starts.
  ///
  /// - Returns: the library's name and version, or why there is no filter.
  func apply() -> Confinement.Wall {
    if let reason = cseccomp_load() { return .off(reason: String(cString: reason)) }
    guard let filter = cseccomp_begin(ENOSYS) else {
      return .off(reason: POSIX.errorMessage(ENOMEM))
    }
    var code: Int32 = 0
    for rule in rules {
      let comparisons = rule.conditions.map(\.comparison)
      for call in rule.calls where code == 0 {
        code = cseccomp_add(
          filter,
          rule.action.number,
          call,
          comparisons,
          UInt32(comparisons.count),
        )
      }
    }
    // What lacks a rule would be another filter; the library frees it all the same.
    let result = cseccomp_apply(filter)
    guard code == 0, result == 0 else {
      return .off(reason: POSIX.errorMessage(code == 0 ? result : code))
    }
    let version = cseccomp_version()
    return .on("libseccomp \(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)")
  }
}

extension SystemCallFilter.Action {
  fileprivate var number: UInt32 {
    switch self {
    case .allow: CSECCOMP_ALLOW.rawValue
    case .refuse(let code): CSECCOMP_REFUSE.rawValue | UInt32(code)
    case .kill: CSECCOMP_KILL.rawValue
    }
  }
}

extension SystemCallFilter.Condition {
  fileprivate var comparison: cseccomp_comparison {
    switch self {
    case .equals(let argument, let value): Self.comparison(argument, CSECCOMP_EQUALS, value)
    case .differs(let argument, let value): Self.comparison(argument, CSECCOMP_DIFFERS, value)
    case .masked(let argument, let mask, let bits):
      Self.comparison(argument, CSECCOMP_MASKED, mask, bits)
    }
  }

  private static func comparison(
    _ argument: Int,
    _ operation: cseccomp_operation,
    _ first: Int32,
    _ second: Int32 = 0,
  ) -> cseccomp_comparison {
    // The kernel looks at the lower half of what C calls an int; of the upper one nothing is sure.
    cseccomp_comparison(
      argument: UInt32(argument),
      operation: operation,
      first: UInt64(UInt32(bitPattern: first)),
      second: UInt64(UInt32(bitPattern: second)),
    )
  }
}
