internal import Synchronization

/// Messages over a stream socket, each behind the lengths of its record and its content, four bytes
/// each, little-endian.
package final class MessageConnection: Sendable {
  private let descriptor: Int32
  private let output = Mutex(Output())
  private let writing = Mutex(())
  private let input = Mutex(Input())

  private struct Output {
    var bytes: [UInt8] = []
    var hasEnded = false
  }

  /// A record, and bytes that go with it as they are.
  package struct Message: Hashable, Sendable {
    package let record: [UInt8]
    package let content: [UInt8]
  }

  package static var noContent: UnsafeRawBufferPointer { .init(start: nil, count: 0) }

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
  package func post(_ record: [UInt8], _ content: UnsafeRawBufferPointer = noContent) {
    let start = Self.start(record, content.count)
    output.withLock { output in
      output.bytes += start
      output.bytes += content
    }
  }

  @discardableResult
  package func send(_ record: [UInt8], _ content: UnsafeRawBufferPointer = noContent) -> Bool {
    if record.count + content.count > Self.longMessage {
      writing.withLock { _ in
        writePosted()
        if !write(Self.start(record, content.count)) || !write(content) { end() }
      }
    } else {
      post(record, content)
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

  private func write(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(write) }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    POSIX.writeAll(bytes, to: descriptor) == 0
  }

  private static func start(_ record: [UInt8], _ content: Int) -> [UInt8] {
    let lengths = [record.count, content].map { UInt32($0).littleEndian }
    return lengths.withUnsafeBytes { Array($0) } + record
  }

  // MARK: Receiving

  /// Receives the next message; nil at the end and for a malformed one.
  ///
  /// Only one thread may call it.
  package func receive() -> Message? {
    input.withLock { input in
      var lengths: (UInt32, UInt32) = (0, 0)
      let hasLengths = withUnsafeMutableBytes(of: &lengths) { input.fill($0, from: descriptor) }
      let record = Int(UInt32(littleEndian: lengths.0))
      let content = Int(UInt32(littleEndian: lengths.1))
      guard hasLengths, record + content <= maximumMessage,
        let record = input.read(record, from: descriptor),
        let content = input.read(content, from: descriptor)
      else { return nil }
      return Message(record: record, content: content)
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

  mutating func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      let bytes = UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(room)[..<count]
      )
      isWhole = fill(bytes, from: descriptor)
      filled = isWhole ? count : 0
    }
    return isWhole ? bytes : nil
  }

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
