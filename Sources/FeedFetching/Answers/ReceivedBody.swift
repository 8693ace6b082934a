import System

/// A body as it comes, whole at its end: in memory while it is short, else in a file without a name,
/// so that many servers which send much at once do not fill memory.
///
/// Safe to pass between threads: made for one request, it is used on one of them at a time.
package final class ReceivedBody: @unchecked Sendable {
  /// What is known of the answer; nil as long as no content has begun.
  package private(set) var head: ResponseHead?
  private let started = ContinuousClock.now
  private let isWanted: (ResponseHead) -> Bool
  private let sink: ((UnsafeRawBufferPointer) -> Bool)?
  private var isRefused = false

  private let maximumInMemory: Int
  private var bytes: [UInt8] = []
  private var spilled: SpilledBytes?
  /// Where no file can be written (a full disk), all stays in memory.
  private var hasFailed = false

  /// - Parameters:
  ///   - maximumInMemory: Bytes of a body that goes to no file.
  ///   - isWanted: Is told of the content before its first byte; where it says no, the first byte
  ///     stops the transfer.
  ///   - sink: Takes the bytes in the body's place, and stops the transfer by saying no.
  package init(
    maximumInMemory: Int = 512 << 10,
    isWanted: @escaping (ResponseHead) -> Bool = { _ in true },
    into sink: ((UnsafeRawBufferPointer) -> Bool)? = nil,
  ) {
    self.maximumInMemory = maximumInMemory
    (self.isWanted, self.sink) = (isWanted, sink)
  }

  /// Makes one for a request: of what it does not want no byte is taken.
  package convenience init(_ request: FetchRequest) {
    self.init(isWanted: request.content.takes)
  }

  /// The result of the request's job, where another process has done it.
  package private(set) var result: Result<[UInt8], ReaderFailure>?

  /// Takes what another process has made of the bytes.
  func take(_ result: Result<[UInt8], ReaderFailure>) {
    self.result = result
  }

  /// Takes what another process has received.
  func take(_ head: ResponseHead?, _ content: [UInt8]) {
    self.head = head
    content.withUnsafeBytes { if !$0.isEmpty { append($0) } }
  }

  package var count: Int { (spilled?.count ?? 0) + bytes.count }

  /// Since the request's turn came.
  package var elapsed: Duration { started.duration(to: .now) }

  /// The content has begun: called once, before its first byte, for an empty body too.
  ///
  /// Only for an answer that is content (a success, or a local file):
  /// neither a redirect's body nor an error page comes here.
  package func begin(_ head: ResponseHead) {
    self.head = head
    isRefused = !isWanted(head)
    if let size = head.size { bytes.reserveCapacity(min(size, maximumInMemory)) }
  }

  /// The next bytes, decoded (no gzip, no chunks), in pieces of any size that is not zero.
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

  package func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    if let spilled, spilled.count > 0 {
      if bytes.isEmpty, let result = try spilled.withBytes(body) { return result }
      // What cannot be mapped is missing at its beginning; its end is in memory.
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

/// Why the process that reads has done no job.
package enum ReaderFailure: Error, Hashable, Sendable {
  /// The process ended in the middle of the job, by itself, too.
  case ended
  /// There can be none: this machine has no room for it.
  case exhausted
}
