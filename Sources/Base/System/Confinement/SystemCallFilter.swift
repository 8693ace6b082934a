internal import CConfinement
internal import CSeccomp

/// The system calls that a process may still make (seccomp(2)).
///
/// libseccomp makes the filter, and knows the numbers of this machine's calls. A call without a
/// rule is refused as unknown to the system: libraries that are newer than this list do without it,
/// as they would on an old kernel.
struct SystemCallFilter: Sendable {
  enum Action: Sendable {
    case allow
    case refuse(Int32)
    /// The process dies by SIGSYS, for calls that no reading library makes.
    case kill
  }

  /// A condition on one argument, counted from 0.
  enum Condition: Sendable {
    case equals(Int, Int32)
    case differs(Int, Int32)
    /// The bits of `mask` are exactly `bits`.
    case masked(Int, mask: Int32, bits: Int32)
  }

  private struct Rule: Sendable {
    let calls: [String]
    let action: Action
    let conditions: [Condition]
  }

  private var rules: [Rule] = []

  /// Adds a rule for calls, separated by blanks, that holds where all conditions do.
  ///
  /// Each condition must be on another argument, and no rule with another action may hold for the
  /// same arguments.
  mutating func add(_ action: Action, _ calls: String, where conditions: Condition...) {
    let names = calls.split(whereSeparator: \.isWhitespace).map(String.init)
    rules.append(Rule(calls: names, action: action, conditions: conditions))
  }

  func program() throws(Failure) -> [UInt8] {
    if let fault = LibraryFault(.seccomp, loading: cseccomp_load()) {
      throw Failure(description: fault.sentence)
    }
    let file = cconfinement_memory_file()
    guard file >= 0, let filter = cseccomp_begin(ENOSYS) else { throw Failure(errno) }
    defer { _ = close(file) }
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
    let result = cseccomp_export(filter, file)
    guard code == 0, result == 0 else { throw Failure(code == 0 ? result : code) }
    return try Self.contents(of: file)
  }

  private static func contents(of file: Int32) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    let count = pread(file, &bytes, bytes.count, 0)
    guard count == bytes.count else { throw Failure(errno) }
    return bytes
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  func apply() -> Confinement.Wall {
    do throws(Failure) {
      let bytes = try program()
      guard cconfinement_filter(bytes, bytes.count) else { throw Failure(errno) }
      let version = cseccomp_version()
      return .on("libseccomp \(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)")
    } catch {
      return .off(reason: error.description)
    }
  }
}

extension SystemCallFilter.Failure {
  fileprivate init(_ code: Int32) { self.init(description: POSIX.errorMessage(code)) }
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
