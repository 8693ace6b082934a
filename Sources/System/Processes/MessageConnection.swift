internal import Synchronization

/// Messages to another process and from it, over a connection for bytes: four bytes with the length
/// before each.
package final class MessageConnection: Sendable {
  private let descriptor: Int32
  private let output = Mutex(Output())
  private let writing = Mutex(())
  private let input = Mutex(Input())

  /// What waits to be written.
  private struct Output {
    var bytes: [UInt8] = []
    var hasEnded = false

    mutating func append(_ message: [UInt8]) {
      bytes += MessageConnection.head(of: message) + message
    }
  }

  /// More of a message is not taken: a document has at most as many bytes, and so many again when
  /// it is read.
  private static let maximumMessage = 512 << 20
  /// What is longer is not put with others, and waits until it is written.
  private static let longMessage = 64 << 10

  /// Takes a descriptor over.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    _ = close(descriptor)
  }

  // MARK: Sending

  /// Has a message go with the next one that is sent.
  ///
  /// Callable from any thread, as `send` is.
  package func post(_ message: [UInt8]) {
    output.withLock { $0.append(message) }
  }

  /// Sends a message; false where the other end has gone.
  @discardableResult
  package func send(_ message: [UInt8]) -> Bool {
    if message.count > Self.longMessage {
      writing.withLock { _ in
        writePosted()
        if !write(Self.head(of: message)) || !write(message) { end() }
      }
    } else {
      post(message)
    }
    return flush()
  }

  /// Sends what is posted; false where the other end has gone.
  @discardableResult
  package func flush() -> Bool {
    while true {
      let (waiting, hasEnded) = output.withLock { ($0.bytes.count, $0.hasEnded) }
      guard waiting > 0, !hasEnded else { return !hasEnded }
      if waiting > Self.longMessage {
        writing.withLock { _ in writePosted() }
      } else if writing.withLockIfAvailable({ _ in writePosted() }) == nil {
        // PERF: whoever writes takes it along; else threads would wait for one another at each message.
        return true
      }
    }
  }

  /// Writes until nothing is posted any more; whoever calls it holds `writing`.
  private func writePosted() {
    while true {
      let bytes = output.withLock { output in
        defer { output.bytes = [] }
        return output.bytes
      }
      guard !bytes.isEmpty else { return }
      if !write(bytes) { end() }
    }
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { POSIX.writeAll($0, to: descriptor) == 0 }
  }

  private static func head(of message: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(message.count).littleEndian) { Array($0) }
  }

  // MARK: Receiving

  /// Receives the next message; nil at the end, and for what is none.
  ///
  /// To be called by one thread.
  package func receive() -> [UInt8]? {
    input.withLock { input in
      var length: UInt32 = 0
      let hasLength = withUnsafeMutableBytes(of: &length) { input.fill($0, from: descriptor) }
      let count = Int(UInt32(littleEndian: length))
      guard hasLength, count <= Self.maximumMessage else { return nil }
      var isWhole = false
      let message = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
        let bytes = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(room)[..<count]
        )
        isWhole = input.fill(bytes, from: descriptor)
        filled = isWhole ? count : 0
      }
      return isWhole ? message : nil
    }
  }

  /// Ends the connection for both: whoever waits for a message has none.
  package func end() {
    output.withLock { ($0.bytes, $0.hasEnded) = ([], true) }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// What came with a message before, and was read with it.
private struct Input {
  private var bytes = [UInt8](repeating: 0, count: 64 << 10)
  private var rest = 0..<0

  /// Fills room with the next bytes; false where the other end has gone before they came.
  mutating func fill(_ room: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Bool {
    var room = room
    while !room.isEmpty {
      if rest.isEmpty, room.count >= bytes.count {
        // What is long goes to its place at once.
        let count = POSIX.readPart(of: descriptor, into: room)
        guard count > 0 else { return false }
        room = UnsafeMutableRawBufferPointer(rebasing: room[count...])
        continue
      }
      if rest.isEmpty {
        let count = bytes.withUnsafeMutableBytes { POSIX.readPart(of: descriptor, into: $0) }
        guard count > 0 else { return false }
        rest = 0..<count
      }
      let next = rest.prefix(room.count)
      bytes.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[next])) }
      rest = next.upperBound..<rest.upperBound
      room = UnsafeMutableRawBufferPointer(rebasing: room[next.count...])
    }
    return true
  }
}
