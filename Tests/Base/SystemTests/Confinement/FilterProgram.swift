#if os(Linux)
import CConfinement
import CSeccomp
import System
import Testing

/// A filter as the kernel reads it: each instruction has its code, two jumps and a value.
struct FilterProgram {
  private let instructions: [UInt64]

  init(_ cage: cconfinement_cage) {
    instructions = [UInt64](unsafeUninitializedCapacity: 1024) { room, count in
      count = cconfinement_write_filter(cage, room.baseAddress, room.count * 8) / 8
    }
  }

  /// Returns what the kernel does with a call: its number, its machine, its place, its arguments, in
  /// words of 32 bits.
  func answer(_ call: [UInt32]) -> UInt32? {
    var (next, word) = (0, UInt32(0))
    while next < instructions.count {
      let instruction = instructions[next]
      let value = UInt32(instruction >> 32)
      var isTrue: Bool?
      switch instruction & 0xffff {
      case 0x20: word = call[Int(value) / 4]
      case 0x54: word &= value
      case 0x15: isTrue = word == value
      case 0x25: isTrue = word > value
      case 0x35: isTrue = word >= value
      case 0x05: next += Int(value)
      case 0x06: return value
      default: return nil
      }
      next += 1
      if let isTrue { next += Int(instruction >> (isTrue ? 16 : 24) & 0xff) }
    }
    return nil
  }
}

extension FilterProgram {
  /// Makes one by libseccomp, for which no two rules with other answers may hold for a call.
  init(libseccomp cage: cconfinement_cage, _ rules: [FilterRule]) throws {
    let filter = try #require(seccomp_init(0x5_0000 | UInt32(ENOSYS)))
    defer { seccomp_release(filter) }
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SECCOMP_RET_KILL_PROCESS)
    for (index, rule) in rules.enumerated() {
      for call in rule.calls {
        let before = rules[..<index].filter { $0.calls.contains(call) }
        for comparisons in try rule.comparisons(after: before) {
          let count = UInt32(comparisons.count)
          let code = seccomp_rule_add_array(filter, rule.answer, call, count, comparisons)
          try #require(code == 0, "\(call)")
        }
      }
    }
    let file = try #require(tmpfile())
    defer { fclose(file) }
    try #require(seccomp_export_bpf(filter, fileno(file)) == 0)
    let size = Int(lseek(fileno(file), 0, SEEK_END))
    instructions = [UInt64](unsafeUninitializedCapacity: size / 8) { room, count in
      count = pread(fileno(file), room.baseAddress, size, 0) / 8
    }
  }
}
#endif
