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
  private var file: UnsafeMutablePointer<FILE>?
  private var fileLength = 0
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

  deinit {
    if let file { fclose(file) }
  }

  /// The result of the request's job, where another process has the bytes and has done it.
  package private(set) var result: [UInt8]?

  /// Takes what another process has received.
  func take(_ head: ResponseHead?, result: [UInt8]?, _ content: [UInt8]) {
    self.head = head
    self.result = result
    content.withUnsafeBytes { if !$0.isEmpty { append($0) } }
  }

  package var count: Int { fileLength + bytes.count }

  /// Since the request's turn came.
  package var elapsed: Duration { started.duration(to: .now) }

  /// The content has begun: called once, before its first byte, for an empty body too.
  ///
  /// Only for an answer that is content (status 200, 206 for the rest of a file, or a local file):
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
    if file != nil, !hasFailed { return write(piece) }
    bytes.append(contentsOf: piece)
    guard bytes.count > maximumInMemory, !hasFailed else { return }
    file = Self.makeFile()
    let start = bytes
    bytes = []
    start.withUnsafeBytes { write($0) }
  }

  private func write(_ piece: UnsafeRawBufferPointer) {
    let written = file.map { fwrite(piece.baseAddress, 1, piece.count, $0) } ?? 0
    fileLength += written
    hasFailed = written < piece.count
    bytes.append(contentsOf: piece[written...])
  }

  package func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    guard let file, fileLength > 0 else {
      return try bytes.withUnsafeBufferPointer { (bytes) throws(E) in
        try body(UnsafeRawBufferPointer(bytes))
      }
    }
    if fflush(file) == 0, !hasFailed, bytes.isEmpty,
      let start = mmap(nil, fileLength, PROT_READ, MAP_PRIVATE, fileno(file), 0),
      start != MAP_FAILED
    {
      defer { munmap(start, fileLength) }
      return try body(UnsafeRawBufferPointer(start: start, count: fileLength))
    }
    return try whole(file).withUnsafeBufferPointer { (bytes) throws(E) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }

  /// All of it in memory; what cannot be read again is missing at its end.
  private func whole(_ file: UnsafeMutablePointer<FILE>) -> [UInt8] {
    rewind(file)
    let start = [UInt8](unsafeUninitializedCapacity: fileLength) { room, count in
      count = fread(room.baseAddress, 1, fileLength, file)
    }
    return start.count == fileLength ? start + bytes : start
  }

  private static func makeFile() -> UnsafeMutablePointer<FILE>? {
    let descriptor = Confinement.openUnnamedFile()
    guard descriptor >= 0 else { return nil }
    let file = fdopen(descriptor, "w+")
    if file == nil { _ = close(descriptor) }
    return file
  }
}
