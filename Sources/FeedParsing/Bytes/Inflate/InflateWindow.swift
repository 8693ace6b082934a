/// The output of an inflater: what is to be handed on, after the 32 KiB that copies may refer to.
struct InflateWindow {
  private static let history = 32 << 10
  private static let room = 64 << 10
  /// A copy's greatest length.
  private static let longestCopy = 258

  private var bytes: [UInt8] = []
  /// Where the bytes begin that have not been handed on.
  private var start = 0

  init() {
    bytes.reserveCapacity(Self.history + Self.room + Self.longestCopy)
  }

  /// Whether any symbol's output fits.
  var hasRoom: Bool { bytes.count < Self.history + Self.room }

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Repeats bytes that were put out before; false when there are not so many.
  mutating func copy(count: Int, distance: Int) -> Bool {
    guard distance <= bytes.count else { return false }
    let from = bytes.count - distance
    for index in from..<from + count { bytes.append(bytes[index]) }
    return true
  }

  mutating func flushIfFull(into sink: ByteSink) throws(FeedParsingError) {
    guard !hasRoom else { return }
    try flush(into: sink)
    bytes.removeFirst(bytes.count - Self.history)
    start = bytes.count
  }

  mutating func flush(into sink: ByteSink) throws(FeedParsingError) {
    guard start < bytes.count else { return }
    let range = start..<bytes.count
    start = bytes.count
    try bytes.withRawBytes { all throws(FeedParsingError) in
      try sink(UnsafeRawBufferPointer(rebasing: all[range]))
    }
  }
}
