internal import CommandLine
internal import FeedStorage
package import System

/// A connection between two machines in three exchanges, in each of which one sends and the other
/// waits.
///
/// The called machine sends its state. The caller merges that, and sends its new state and an empty
/// message. The other merges in turn, and sends an empty message when it is done. An interruption
/// leaves both as they are, or one ahead of the other, which the next sync mends.
package struct MachineConnection {
  let pipe: ProgramPipe
  let timeout: ProgramPipe.Timeout
  let name: String

  package init(pipe: ProgramPipe, timeout: ProgramPipe.Timeout, name: String) {
    self.pipe = pipe
    self.timeout = timeout
    self.name = name
  }

  private static let greeting = "news-sync 1 "
  /// The greeting, a length of ten digits and a line feed.
  private static let headLength = greeting.utf8.count + 11

  func send(_ bytes: [UInt8]) throws {
    let head = Self.greeting + bytes.count.padded(to: 10) + "\n"
    guard pipe.write(Array(head.utf8), timeout), pipe.write(bytes, timeout) else { throw brokenOff }
  }

  func receive(atMost limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws {
    guard let head = pipe.read(Self.headLength, timeout) else { throw brokenOff }
    let text = String(decoding: head, as: UTF8.self)
    guard text.hasPrefix(Self.greeting), text.hasSuffix("\n"),
      let length = Int(text.dropFirst(Self.greeting.count).dropLast())
    else {
      throw Failure(
        "\(name): it does not talk as news does (does its shell print something when it begins?)"
      )
    }
    guard (0...limit).contains(length) else {
      throw Failure("\(name): refused: more than \(limit) bytes at once")
    }
    guard pipe.read(length, timeout, body) else { throw brokenOff }
  }

  private var brokenOff: Failure { Failure("\(name): the connection broke off") }
}

extension MachineConnection {
  func receiveFile(_ intake: SyncIntake) throws -> SyncFile {
    var bytes: [UInt8] = []
    try receive(atMost: SyncFile.maximumSize) { bytes += $0 }
    do {
      return try SyncFile(bytes, from: name, intake)
    } catch StorageError.damaged(_, let reason) {
      throw Failure("\(name): what it says cannot be read: \(reason)")
    }
  }

  func receiveNothing() throws { try receive(atMost: 0) { _ in } }
}
