internal import CConfinement
internal import Synchronization

/// Messages over a stream socket, each behind the lengths of its record and its content, four bytes
/// each, little-endian.
///
/// With a patience, nothing is waited for without end: neither the rest of a message, nor one that
/// is awaited, nor that the other end takes what is sent.
package final class MessageConnection: Sendable {
  private let descriptor: Int32
  private let output = Mutex(Output())
  private let writing = Mutex(())
  private let input: Mutex<Input>

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
  private let maximumMessage: Atomic<Int>
  private let patience: Duration?
  /// Longer messages are written at once, alone, and their sender waits.
  private static let longMessage = 64 << 10

  /// The least bytes of a long message in a second.
  private static let leastRate = 1 << 20

  /// With `takesFiles` the other end, which has to be trusted, may send files along.
  package init(
    _ descriptor: Int32,
    maximumMessage: Int = 512 << 20,
    patience: Duration? = nil,
    takesFiles: Bool = false,
  ) {
    (self.descriptor, self.patience) = (descriptor, patience)
    input = Mutex(Input(files: takesFiles ? [] : nil))
    self.maximumMessage = Atomic(maximumMessage)
    guard let patience else { return }
    var time = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = setsockopt(descriptor, SOL_SOCKET, option, &time, size)
    }
  }

  /// Takes messages of up to so many bytes from now on, if shorter ones were taken before.
  package func take(upTo bytes: Int) {
    maximumMessage.max(bytes, ordering: .relaxed)
  }

  deinit {
    _ = close(descriptor)
  }

  // MARK: Sending

  /// Queues a message to go with the next one that is sent, or as soon as much waits; callable from
  /// any thread, as `send` is.
  package func post(_ record: [UInt8], _ content: UnsafeRawBufferPointer = noContent) {
    let start = Self.start(record, content.count)
    guard record.count + content.count <= Self.longMessage else {
      return writing.withLock { _ in
        writePosted()
        if !write(start) || !write(content) { end() }
      }
    }
    let waiting = output.withLock { output in
      output.bytes += start
      output.bytes += content
      return output.bytes.count
    }
    if waiting > Self.longMessage { flush() }
  }

  @discardableResult
  package func send(_ record: [UInt8], _ content: UnsafeRawBufferPointer = noContent) -> Bool {
    post(record, content)
    return flush()
  }

  /// Sends a message with an open file, which the other end has from then on, too.
  package func send(_ record: [UInt8], file: Int32) {
    let bytes = Self.start(record, 0)
    writing.withLock { _ in
      writePosted()
      let isBegun = cconfinement_send(descriptor, bytes, 1, [file], 1)
      if !isBegun || !write(Array(bytes.dropFirst())) { end() }
    }
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
    POSIX.writeAll(bytes, to: descriptor, until: end(of: bytes.count)) == 0
  }

  private func end(of count: Int) -> ContinuousClock.Instant? {
    patience.map { .now + $0 + .seconds(count / Self.leastRate) }
  }

  private static func start(_ record: [UInt8], _ content: Int) -> [UInt8] {
    let lengths = [record.count, content].map { UInt32($0).littleEndian }
    return lengths.withUnsafeBytes { Array($0) } + record
  }

  // MARK: Receiving

  /// Receives the next message; nil at the end, for a malformed one, and after the patience.
  ///
  /// Only one thread may call it. `isAwaited` is asked when nothing has come for so long.
  package func receive(isAwaited: () -> Bool = { true }) -> Message? {
    input.withLock { input -> Message? in
      while !input.begin(from: descriptor) {
        guard errno == EAGAIN, !isAwaited() else { return nil }
      }
      var lengths: (UInt32, UInt32) = (0, 0)
      let hasLengths = withUnsafeMutableBytes(of: &lengths) {
        input.fill($0, from: descriptor, until: self.end(of: 0))
      }
      let record = Int(UInt32(littleEndian: lengths.0))
      let content = Int(UInt32(littleEndian: lengths.1))
      let deadline = self.end(of: record + content)
      guard hasLengths, record + content <= maximumMessage.load(ordering: .relaxed),
        let record = input.read(record, from: descriptor, until: deadline),
        let content = input.read(content, from: descriptor, until: deadline)
      else { return nil }
      return Message(record: record, content: content)
    }
  }

  /// Takes the file of the message that was received last, which has to have one; the caller closes
  /// it.
  package func takeFile() -> Int32? {
    input.withLock { $0.files?.isEmpty == false ? $0.files?.removeFirst() : nil }
  }

  /// Ends the connection both ways; who waits for a message gets nil.
  package func end() {
    output.withLock { ($0.bytes, $0.hasEnded) = ([], true) }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

private struct Input {
  // PERF: pages that no message needs are never touched.
  private var bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { $1 = 64 << 10 }
  private var rest = 0..<0
  /// The files that came, in their messages' order; nil where none are taken.
  var files: [Int32]?

  init(files: [Int32]?) { self.files = files }

  /// Waits for the first byte of a message; false with `errno` where none has come, 0 at the end.
  mutating func begin(from descriptor: Int32) -> Bool {
    guard rest.isEmpty else { return true }
    let count = bytes.withUnsafeMutableBytes { Self.read(descriptor, into: $0, &files) }
    if count == 0 { errno = 0 }
    rest = 0..<max(count, 0)
    return count > 0
  }

  mutating func read(
    _ count: Int,
    from descriptor: Int32,
    until end: ContinuousClock.Instant?,
  ) -> [UInt8]? {
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      let bytes = UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(room)[..<count]
      )
      POSIX.useLargePages(bytes)
      isWhole = fill(bytes, from: descriptor, until: end)
      filled = isWhole ? count : 0
    }
    return isWhole ? bytes : nil
  }

  mutating func fill(
    _ room: UnsafeMutableRawBufferPointer,
    from descriptor: Int32,
    until end: ContinuousClock.Instant?,
  ) -> Bool {
    var room = room
    while !room.isEmpty {
      if rest.isEmpty, room.count >= bytes.count {
        // A long message is read in place.
        let count = Self.read(descriptor, into: room, &files)
        guard count > 0, end.map({ .now < $0 }) ?? true else { return false }
        room = UnsafeMutableRawBufferPointer(rebasing: room[count...])
        continue
      }
      guard begin(from: descriptor), end.map({ .now < $0 }) ?? true else { return false }
      let next = rest.prefix(room.count)
      bytes.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[next])) }
      rest = next.upperBound..<rest.upperBound
      room = UnsafeMutableRawBufferPointer(rebasing: room[next.count...])
    }
    return true
  }

  private static func read(
    _ descriptor: Int32,
    into room: UnsafeMutableRawBufferPointer,
    _ files: inout [Int32]?,
  ) -> Int {
    guard files != nil else { return POSIX.readPart(of: descriptor, into: room) }
    var (own, count) = ([Int32](repeating: -1, count: 8), 0)
    let read = cconfinement_receive(descriptor, room.baseAddress, room.count, &own, &count)
    files? += own[..<count]
    return read
  }
}
