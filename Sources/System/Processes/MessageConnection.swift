internal import Synchronization

/// Messages over a stream socket, each behind four bytes with its length, little-endian.
package final class MessageConnection: Sendable {
  private let descriptor: Int32
  private let output = Mutex(Output())
  private let writing = Mutex(())
  private let input = Mutex(Input())

  private struct Output {
    var bytes: [UInt8] = []
    var hasEnded = false

    mutating func append(_ message: [UInt8]) {
      bytes += MessageConnection.head(of: message) + message
    }
  }

  /// The largest message that is taken, in bytes.
  private let maximumMessage: Int
  /// Longer messages are written at once, alone, and their sender waits.
  private static let longMessage = 64 << 10

  package init(_ descriptor: Int32, maximumMessage: Int = 512 << 20) {
    (self.descriptor, self.maximumMessage) = (descriptor, maximumMessage)
  }

  deinit {
    _ = close(descriptor)
  }

  // MARK: Sending

  /// Queues a message to go with the next one that is sent; callable from any thread, as `send` is.
  package func post(_ message: [UInt8]) {
    output.withLock { $0.append(message) }
  }

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

  /// Writes until the queue is empty; the caller holds `writing`.
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

  /// Receives the next message; nil at the end and for a malformed one.
  ///
  /// Only one thread may call it.
  package func receive() -> [UInt8]? {
    input.withLock { input in
      var length: UInt32 = 0
      let hasLength = withUnsafeMutableBytes(of: &length) { input.fill($0, from: descriptor) }
      let count = Int(UInt32(littleEndian: length))
      guard hasLength, count <= maximumMessage else { return nil }
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

  /// Ends the connection both ways; who waits for a message gets nil.
  package func end() {
    output.withLock { ($0.bytes, $0.hasEnded) = ([], true) }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

private struct Input {
  private var bytes = [UInt8](repeating: 0, count: 64 << 10)
  private var rest = 0..<0

  mutating func fill(_ room: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Bool {
    var room = room
    while !room.isEmpty {
      if rest.isEmpty, room.count >= bytes.count {
        // A long message is read in place.
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
