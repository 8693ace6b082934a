internal import System

enum ResidentMemory {
  /// Returns the peak during the work beyond what was there before, in bytes.
  ///
  /// It is nil where the system cannot forget an earlier peak.
  static func peak(of work: () throws -> Void) rethrows -> Double? {
    giveBack()
    let isForgotten = forgetPeak()
    let before = kilobytes("VmHWM")
    try work()
    guard isForgotten, let before, let after = kilobytes("VmHWM") else { return nil }
    return Double(after - before) * 1_024
  }

  /// Returns freed memory to the system, which would hide what the work takes.
  private static func giveBack() {
    // `malloc_trim` is not in the C library's module for Swift.
    guard let trim = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  /// Writes 5, at which Linux forgets the peak of a process.
  private static func forgetPeak() -> Bool {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return false }
    let isWritten = fputs("5", file) >= 0
    return fclose(file) == 0 && isWritten
  }

  private static func kilobytes(_ name: String) -> Int? {
    Machine.field(name, of: "/proc/self/status", separator: ":").flatMap {
      Int($0.prefix { $0.isNumber })
    }
  }
}
