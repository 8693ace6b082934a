internal import Synchronization
internal import System

/// Mapped files, guarded against programs that cut them short meanwhile.
///
/// The kernel stops a process that touches a page behind the end of a mapped file (SIGBUS). Here
/// such pages become zeros, and the file counts as cut short: nothing that was read of it since is
/// to be believed, and nothing made from it may be saved.
enum MappedFiles {
  /// A mapping for the signal's handler, which uses no object, no lock and no allocation.
  struct Slot {
    var start: UInt = 0
    var end: UInt = 0
    var isCutShort = false
  }

  private struct State {
    var paths: [String?] = []
    var isHandling = false
  }

  /// Written with `state` locked; the handler only reads those of mappings that exist.
  nonisolated(unsafe) static let slots: UnsafeMutableBufferPointer<Slot> = {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: 256)
    slots.initialize(repeating: Slot())
    return slots
  }()

  static let pageSize = UInt(sysconf(Int32(_SC_PAGESIZE)))
  private static let state = Mutex(State())
  /// True if any file was ever cut short: this is asked after every access, so it has to be cheap.
  static let anyIsCutShort = Atomic(false)

  /// Reserves a slot for a mapping; nil when there are too many, and the file is better read.
  static func slot(for path: String) -> Int? {
    state.withLock { state in
      if !state.isHandling { state.isHandling = handleCuts() }
      guard state.isHandling else { return nil }
      let free = state.paths.firstIndex(of: nil) ?? state.paths.count
      guard free < slots.count else { return nil }
      if free == state.paths.count { state.paths.append(nil) }
      state.paths[free] = path
      return free
    }
  }

  static func guardAgainstCuts(_ slot: Int, _ buffer: UnsafeRawBufferPointer) {
    let start = UInt(bitPattern: buffer.baseAddress)
    state.withLock { _ in
      slots[slot] = Slot(start: start, end: start + UInt(buffer.count))
    }
  }

  static func release(_ slot: Int) {
    state.withLock { state in
      slots[slot] = Slot()
      state.paths[slot] = nil
    }
  }

  /// Returns true if what was read of a file may be zeros in place of what was cut off.
  @inline(__always)
  static func isCutShort(_ path: String) -> Bool {
    anyIsCutShort.load(ordering: .relaxed) && isReallyCutShort(path)
  }

  private static func isReallyCutShort(_ path: String) -> Bool {
    state.withLock { state in
      state.paths.indices.contains { slots[$0].isCutShort && state.paths[$0] == path }
    }
  }

  private static func handleCuts() -> Bool {
    // The handler must not be the first to make them.
    _ = (slots.count, pageSize, anyIsCutShort.load(ordering: .relaxed))
    return POSIX.setSignalHandler(SIGBUS) { _, info, _ in
      MappedFiles.handle(info?.pointee.faultAddress ?? 0)
    }
  }

  /// Puts zeros in place of what is not there any more; runs in the signal's handler.
  private static func handle(_ address: UInt) {
    let page = address & ~(pageSize - 1)
    for index in 0..<slots.count where address >= slots[index].start && address < slots[index].end {
      let zeros = mmap(
        UnsafeMutableRawPointer(bitPattern: page),
        Int(slots[index].end - page),
        PROT_READ,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
        -1,
        0,
      )
      guard zeros != MAP_FAILED else { break }
      slots[index].isCutShort = true
      anyIsCutShort.store(true, ordering: .relaxed)
      return
    }
    // Not ours: the access is tried again, and ends the process as it would have.
    signal(SIGBUS, SIG_DFL)
  }
}
