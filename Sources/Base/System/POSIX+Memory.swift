extension POSIX {
  static let largePage = 2 << 20

  /// Has the system use large pages where memory has room for them.
  ///
  /// PERF: most of the time of long copies went into faults of small pages.
  static func useLargePages(_ memory: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
    guard memory.count >= largePage, let start = memory.baseAddress else { return }
    let first = start.alignedUp(toMultipleOf: largePage)
    let count = start + memory.count - first
    if count > 0 { madvise(first, count, MADV_HUGEPAGE) }
    #endif
  }
}

extension [UInt8] {
  /// Reserves memory for so many bytes; what is not used costs at most the rest of a large page.
  package mutating func reserveMemory(_ count: Int) {
    reserveCapacity(count)
    guard count > POSIX.largePage else { return }
    withUnsafeMutableBytes {
      POSIX.useLargePages(UnsafeMutableRawBufferPointer(start: $0.baseAddress, count: count))
    }
  }
}
