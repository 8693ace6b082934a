import System

/// A body as it comes: in memory while it is short, else in a file without a name, so that many
/// servers which send much at once do not fill memory.
///
/// Safe to pass between threads: made for one request, it is used on one of them at a time.
package final class ReceivedBody: @unchecked Sendable {
  /// The head of the answer; nil as long as no content has begun.
  package private(set) var head: ResponseHead?
  private let started = ContinuousClock.now
  private let isWanted: (ResponseHead) -> Bool
  private let sink: ((UnsafeRawBufferPointer) -> Bool)?
  private var isRefused = false

  private let maximumInMemory: Int
  private var bytes: [UInt8] = []
  private var spilled: SpilledBytes?
  /// True after a file could not be written (a full disk); the rest then stays in memory.
  private var hasFailed = false

  /// Makes an empty body, of which at most `maximumInMemory` bytes stay in memory.
  ///
  /// `isWanted` is called with the head before the first byte; where it returns false, the first
  /// byte stops the transfer. `sink` receives the bytes in the body's place, and returns false to
  /// stop the transfer.
  package init(
    maximumInMemory: Int = 512 << 10,
    isWanted: @escaping (ResponseHead) -> Bool = { _ in true },
    into sink: ((UnsafeRawBufferPointer) -> Bool)? = nil,
  ) {
    self.maximumInMemory = maximumInMemory
    (self.isWanted, self.sink) = (isWanted, sink)
  }

  package convenience init(_ request: FetchRequest) {
    self.init(isWanted: request.content.takes)
  }

  /// The result of the request's job, where another process has done it.
  package internal(set) var result: Result<[UInt8], ReaderFailure>?

  func take(_ head: ResponseHead?, _ content: [UInt8]) {
    self.head = head
    if count == 0, content.count <= maximumInMemory {
      bytes = content
    } else {
      content.withUnsafeBytes { append($0) }
    }
  }

  package var count: Int { (spilled?.count ?? 0) + bytes.count }

  /// The time since the request's turn came.
  package var elapsed: Duration { started.duration(to: .now) }

  /// Begins the content: called before its first byte, for an empty body too, and again where it is
  /// asked for once more.
  ///
  /// Only a success or a local file is content, neither a redirect's body nor an error page.
  package func begin(_ head: ResponseHead) {
    self.head = head
    (bytes, spilled, hasFailed) = ([], nil, false)
    isRefused = !isWanted(head)
    if let size = head.size { bytes.reserveCapacity(min(size, maximumInMemory)) }
  }

  /// Receives the next bytes, decoded (no gzip, no chunks), in pieces of any size that is not zero.
  ///
  /// - Returns: false to stop the transfer: the outcome is `FetchError.stoppedByReceiver`.
  package func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard !isRefused else { return false }
    if let sink { return sink(piece) }
    append(piece)
    return true
  }

  package func append(_ piece: UnsafeRawBufferPointer) {
    if let spilled, !hasFailed { return spill(piece, into: spilled) }
    bytes.append(contentsOf: piece)
    guard bytes.count > maximumInMemory, !hasFailed else { return }
    let (start, file) = (bytes, SpilledBytes())
    (bytes, spilled) = ([], file)
    start.withUnsafeBytes { spill($0, into: file) }
  }

  private func spill(_ piece: UnsafeRawBufferPointer, into file: SpilledBytes) {
    hasFailed = !file.append(piece)
    if hasFailed { bytes.append(contentsOf: piece) }
  }

  /// All bytes in memory.
  var allBytes: [UInt8] { spilled == nil ? bytes : withBytes { Array($0) } }

  package func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    if let spilled, spilled.count > 0 {
      if bytes.isEmpty, let result = try spilled.withBytes(body) { return result }
      // A file that cannot be mapped leaves out the beginning; the end is in memory.
      let start = spilled.withBytes { Array($0) } ?? []
      return try Self.withBytes(of: start + bytes, body)
    }
    return try Self.withBytes(of: bytes, body)
  }

  private static func withBytes<R, E: Error>(
    of bytes: [UInt8],
    _ body: (UnsafeRawBufferPointer) throws(E) -> R,
  ) throws(E) -> R {
    try bytes.withUnsafeBufferPointer { (bytes) throws(E) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}

/// The reason why the process that reads has done no job.
///
/// It `ended` in the middle of the job, even when it was started for that job alone; or this
/// machine is `exhausted`, and has no room for such a process.
package enum ReaderFailure: Error, Hashable, Sendable {
  case ended
  case exhausted
}
