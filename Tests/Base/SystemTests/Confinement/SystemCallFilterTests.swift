#if os(Linux)
import CConfinement
import System
import TestSupport
import Testing

@Suite("The filters of system calls")
struct SystemCallFilterTests {
  private static let machines: [UInt32] = [
    0xc000_003e, 0xc000_00b7, 0x4000_0003, 0x4000_0028, 0, .max,
  ]

  /// The numbers of calls, those of x32 among them, and others that are none.
  private static let numbers: [UInt32] =
    (0...1100).flatMap { [$0, 0x4000_0000 + $0, 0x8000_0000 + $0] } + [0x3fff_ffff, .max]

  @Test(
    "answer each call as those that libseccomp makes of the same rules, whatever its arguments",
    arguments: [
      CCONFINEMENT_OFFLINE, CCONFINEMENT_ONLINE, CCONFINEMENT_SERVING, CCONFINEMENT_PROGRAM,
    ],
  )
  func answers(cage: cconfinement_cage) throws {
    let rules = FilterRule.all(in: cage)
    let (own, other) = (FilterProgram(cage), try FilterProgram(libseccomp: cage, rules))
    var found: Set<UInt32> = []
    var differing: [[UInt32]] = []
    for call in Self.calls(rules) {
      let answer = try #require(own.answer(call))
      found.insert(answer)
      if answer != other.answer(call) { differing.append(call) }
    }
    #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(9))")
    // ALLOW, KILL_PROCESS, and those that refuse with EPERM, EACCES and ENOSYS.
    #expect(found == [0x7fff_0000, 0x8000_0000, 0x5_0001, 0x5_000d, 0x5_0026])
  }

  #if arch(x86_64)
  /// What the fixture has was compared with filters that libseccomp made of names, not numbers.
  @Test("are of the rules that were compared by name")
  func rules() throws {
    let known = try readText(BuiltProduct.fixture("confinement/rules-x86_64.txt"))
    #expect(FilterRule.table == known)
  }
  #endif

  private static func calls(_ rules: [FilterRule]) -> [[UInt32]] {
    let plain = numbers.flatMap { number in
      machines.flatMap { machine in [0, .max].map { words(number, machine, [], others: $0) } }
    }
    return plain
      + rules.filter { !$0.conditions.isEmpty }.flatMap { rule in
        rule.calls.flatMap { call in
          rule.arguments.flatMap { arguments in
            machines[..<2].map { words(UInt32(call), $0, arguments, others: arguments[0].value) }
          }
        }
      }
  }

  private static func words(
    _ number: UInt32,
    _ machine: UInt32,
    _ arguments: [FilterRule.Argument],
    others: UInt64,
  ) -> [UInt32] {
    var values = [UInt64](repeating: others, count: 6)
    for (index, value) in arguments { values[index] = value }
    return [number, machine, 0, 0]
      + values.flatMap { [UInt32(truncatingIfNeeded: $0), UInt32($0 >> 32)] }
  }
}
#endif
