import System

/// A body as it comes, whole at its end: in memory while it is short, else in a file without a name,
/// so that many servers which send much at once do not fill memory.
package final class ReceivedBody {
  private static let maximumBytesInMemory = 512 << 10

  private var bytes: [UInt8] = []
  private var file: UnsafeMutablePointer<FILE>?
  private var fileLength = 0
  /// Where no file can be written (a full disk), all stays in memory.
  private var hasFailed = false

  package init() {}

  deinit {
    if let file { fclose(file) }
  }

  package var count: Int { fileLength + bytes.count }

  package func append(_ piece: UnsafeRawBufferPointer) {
    if file != nil, !hasFailed { return write(piece) }
    bytes.append(contentsOf: piece)
    guard bytes.count > Self.maximumBytesInMemory, !hasFailed else { return }
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
