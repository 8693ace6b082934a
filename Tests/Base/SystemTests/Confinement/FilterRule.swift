#if os(Linux)
import CConfinement
import CSeccomp
import System
import Testing

/// A rule of `cconfinement_rules` that holds in a cage of this machine.
struct FilterRule {
  struct Condition {
    let argument: UInt32
    let mask: UInt64
    let values: [UInt64]
  }

  typealias Argument = (index: Int, value: UInt64)

  let answer: UInt32
  let calls: [Int32]
  let conditions: [Condition]

  static func all(in cage: cconfinement_cage) -> [FilterRule] {
    var count: Int32 = 0
    let rules = UnsafeBufferPointer(start: cconfinement_rules(&count), count: Int(count))
    return rules.filter { $0.cages & cage.rawValue != 0 }.map(FilterRule.init)
  }

  /// A line for each rule: its cages, answer, conditions and calls.
  static var table: String {
    var count: Int32 = 0
    let rules = UnsafeBufferPointer(start: cconfinement_rules(&count), count: Int(count))
    return rules.map { rule in
      let conditions = [rule.conditions.0, rule.conditions.1].filter { $0.count > 0 }.map {
        let values = UnsafeBufferPointer(start: $0.values, count: Int($0.count)).map { "\($0)" }
        return "\($0.argument)&\($0.mask)=\(values.joined(separator: "|"))"
      }
      let calls = UnsafeBufferPointer(start: rule.calls, count: Int(rule.count)).map { "\($0)" }
      return "\(rule.cages) \(rule.answer) \(conditions) \(calls.joined(separator: " "))\n"
    }.joined()
  }

  private init(_ rule: cconfinement_rule) {
    answer = rule.answer
    calls = UnsafeBufferPointer(start: rule.calls, count: Int(rule.count))
      .filter { $0 >= 0 }.map(Int32.init)
    conditions = [rule.conditions.0, rule.conditions.1].filter { $0.count > 0 }.map(Condition.init)
  }

  /// All arguments at which it could begin or cease to hold.
  var arguments: [[Argument]] {
    conditions.reduce([[]]) { all, condition in
      all.flatMap { some in condition.samples.map { some + [(Int(condition.argument), $0)] } }
    }
  }

  /// Returns what has libseccomp hold the rule where none of those before it holds.
  func comparisons(after others: [FilterRule]) throws -> [[scmp_arg_cmp]] {
    guard conditions.isEmpty, let other = others.first else {
      return conditions.reduce([[]]) { all, condition in
        all.flatMap { some in condition.comparisons.map { some + [$0] } }
      }
    }
    // Where one condition with one value is all that does not hold, some bit differs.
    try #require(others.count == 1 && other.conditions.count == 1)
    let condition = other.conditions[0]
    try #require(condition.values.count == 1)
    let bits = (0..<64).map { UInt64(1) << $0 }.filter { condition.mask & $0 != 0 }
    return bits.map { [condition.comparison($0, ~condition.values[0] & $0)] }
  }
}

extension FilterRule.Condition {
  init(_ condition: cconfinement_condition) {
    argument = UInt32(condition.argument)
    mask = condition.mask == 0 ? .max : UInt64(condition.mask)
    values = UnsafeBufferPointer(start: condition.values, count: Int(condition.count)).map {
      UInt64($0 == CCONFINEMENT_OWN_PROCESS ? UInt32(getpid()) : $0)
    }
  }

  var comparisons: [scmp_arg_cmp] { values.map { comparison(mask, $0) } }

  func comparison(_ mask: UInt64, _ value: UInt64) -> scmp_arg_cmp {
    scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
  }

  var samples: [UInt64] {
    values.flatMap { value in
      [value, value &+ 1, value &- 1, ~value] + (0..<64).map { value ^ (1 << $0) }
    }
  }
}
#endif
