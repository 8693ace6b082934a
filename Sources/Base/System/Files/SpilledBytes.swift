internal import Synchronization

/// Bytes that are too many for memory, in chunks of one nameless file that all instances share.
///
/// A process that may open no file any more must have called `prepare` before.
package final class SpilledBytes {
  private struct Shared {
    /// -1 where it could not be opened.
    var file: Int32?
    var end = 0
    var free: [Int] = []
  }

  package private(set) var count = 0
  private var chunks: [Int] = []

  /// A multiple of every page size.
  private static let chunkBytes = 1 << 20
  private static let shared = Mutex(Shared())

  package init() {}

  deinit {
    let chunks = chunks
    Self.shared.withLock { $0.free += chunks }
  }

  @discardableResult
  package static func prepare() -> Bool {
    shared.withLock { shared in
      let file = shared.file ?? Confinement.openUnnamedFile()
      shared.file = file
      return file >= 0
    }
  }

  package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard Self.prepare() else { return false }
    var (rest, end) = (bytes, count)
    while !rest.isEmpty {
      let (chunk, start) = end.quotientAndRemainder(dividingBy: Self.chunkBytes)
      if chunk == chunks.count { chunks.append(Self.takeChunk()) }
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.chunkBytes - start))
      guard Self.write(part, at: chunks[chunk] + start) else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      end += part.count
    }
    count = end
    return true
  }

  /// Calls `body` with all bytes, mapped one behind the other; nil where they cannot be mapped.
  package func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R? {
    let size = chunks.count * Self.chunkBytes
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard size > 0, let start = mmap(nil, size, PROT_NONE, flags, -1, 0), start != MAP_FAILED else {
      return nil
    }
    defer { munmap(start, size) }
    let file = Self.shared.withLock { $0.file ?? -1 }
    for (index, chunk) in chunks.enumerated() {
      let place = start + index * Self.chunkBytes
      let part = mmap(
        place,
        Self.chunkBytes,
        PROT_READ,
        MAP_PRIVATE | MAP_FIXED,
        file,
        off_t(chunk),
      )
      guard part == place else { return nil }
    }
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  private static func takeChunk() -> Int {
    shared.withLock { shared in
      if let free = shared.free.popLast() { return free }
      defer { shared.end += chunkBytes }
      return shared.end
    }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    let file = shared.withLock { $0.file ?? -1 }
    var done = 0
    while done < bytes.count {
      let count = POSIX.retrying {
        pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
