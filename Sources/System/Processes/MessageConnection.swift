internal import Synchronization

/// Messages to another process and from it, over a connection for bytes: four bytes with the length
/// before each.
package final class MessageConnection: Sendable {
  private let descriptor: Int32
  private let sending = Mutex(())

  /// More of a message is not taken: a document has at most as many bytes, and so many again when
  /// it is read.
  private static let maximumMessage = 512 << 20

  /// Takes a descriptor over.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    _ = close(descriptor)
  }

  /// Sends a message; false where the other end has gone.
  ///
  /// Callable from any thread.
  @discardableResult
  package func send(_ message: [UInt8]) -> Bool {
    let length = UInt32(message.count).littleEndian
    return sending.withLock { _ in
      withUnsafeBytes(of: length) { head in
        message.withUnsafeBytes { body in
          // Of what is short the head does not go by itself.
          body.count < 65_536
            ? (Array(head) + Array(body)).withUnsafeBytes {
              POSIX.writeAll($0, to: descriptor) == 0
            }
            : POSIX.writeAll(head, to: descriptor) == 0
              && POSIX.writeAll(body, to: descriptor) == 0
        }
      }
    }
  }

  /// Receives the next message; nil at the end, and for what is none.
  ///
  /// To be called by one thread.
  package func receive() -> [UInt8]? {
    var length: UInt32 = 0
    let hasLength = withUnsafeMutableBytes(of: &length) { fill($0) }
    let count = Int(UInt32(littleEndian: length))
    guard hasLength, count <= Self.maximumMessage else { return nil }
    var isWhole = false
    let message = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      isWhole = fill(
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[..<count])
      )
      filled = isWhole ? count : 0
    }
    return isWhole ? message : nil
  }

  private func fill(_ room: UnsafeMutableRawBufferPointer) -> Bool {
    var rest = room
    while !rest.isEmpty {
      let count = POSIX.readPart(of: descriptor, into: rest)
      guard count > 0 else { return false }
      rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  /// Ends the connection for both: whoever waits for a message has none.
  package func end() {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
