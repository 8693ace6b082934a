import TestSupport
import Testing

@testable import System

@Suite("Messages between processes")
struct MessageConnectionTests {
  private func connection() throws -> (MessageConnection, MessageConnection) {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    return (MessageConnection(ends[0]), MessageConnection(ends[1]))
  }

  @Test("what many threads send at once comes whole, and in the order of each")
  func manyThreads() throws {
    let (sender, receiver) = try connection()
    let (threads, messages) = (4, 600)
    for thread in 0..<threads {
      let isStarted = POSIX.startThread {
        for number in 0..<messages {
          // Messages are empty, short, and now and then large enough to be sent alone.
          let size = number % 100 == 99 ? 200_000 : number * 7 % 900
          let message = [UInt8(thread), UInt8(number >> 8), UInt8(number & 0xFF)]
          let bytes = [UInt8](repeating: UInt8(thread), count: size)
          bytes.withUnsafeBytes { content in
            switch number % 3 {
            case 0: sender.post(message, content)
            case 1: sender.send(message, content)
            default: sender.send(message + bytes)
            }
          }
        }
        sender.flush()
      }
      try #require(isStarted)
    }
    var next = [Int](repeating: 0, count: threads)
    for _ in 0..<threads * messages {
      let message = try #require(receiver.receive())
      let record = message.record
      let (thread, number) = (Int(record[0]), Int(record[1]) << 8 | Int(record[2]))
      try #require(next[thread] == number)
      next[thread] += 1
      let size = number % 100 == 99 ? 200_000 : number * 7 % 900
      #expect(record.count == (number % 3 == 2 ? size + 3 : 3))
      let bytes = record[3...] + message.content
      #expect(bytes.count == size && bytes.allSatisfy { $0 == record[0] })
    }
  }

  @Test("what is posted goes before what is sent, and nothing is waited for after the end")
  func order() throws {
    let (sender, receiver) = try connection()
    sender.post([1])
    sender.post([])
    #expect(sender.send([2, 2]))
    #expect([7].withUnsafeBytes { sender.send([6], $0) })
    sender.post([3])
    #expect(sender.flush())
    let messages = (0..<5).map { _ in receiver.receive() }
    #expect(messages.map { $0?.record } == [[1], [], [2, 2], [6], [3]])
    #expect(messages.map { $0?.content.count } == [0, 0, 0, 8, 0])
    sender.end()
    #expect(receiver.receive() == nil)
    #expect(!sender.send([4]))
  }

  @Test("files go along with their messages, beside others")
  func files() throws {
    let folder = try TemporaryFolder()
    let (sender, end) = try ends()
    let (connection, receiver) = (
      MessageConnection(sender), MessageConnection(end, takesFiles: true),
    )
    for number in UInt8(0)..<20 {
      connection.post([number])
      let path = try folder.write("file \(number)", to: "f")
      let file = POSIX.openForReading(path)
      connection.send([number, number], file: file)
      close(file)
      _ = [UInt8](repeating: number, count: 90_000).withUnsafeBytes { connection.send([], $0) }
      #expect(receiver.receive()?.record == [number])
      #expect(receiver.receive()?.record == [number, number])
      let taken = try #require(receiver.takeFile())
      POSIX.withBytes(of: taken, atMost: .max) { bytes in
        #expect(String(decoding: bytes, as: UTF8.self) == "file \(number)")
      }
      POSIX.withBytes(of: taken, atMost: 2) { #expect(Array($0) == Array("fi".utf8)) }
      close(taken)
      #expect(receiver.receive()?.content.count == 90_000)
    }
    #expect(receiver.takeFile() == nil)
  }

  @Test("who takes no files gets the messages alone")
  func refusedFiles() throws {
    let (sender, receiver) = try connection()
    sender.send([1], file: 0)
    #expect(receiver.receive()?.record == [1])
    #expect(receiver.takeFile() == nil)
  }

  @Test("what is posted waits for what is sent only as long as it is little")
  func much() throws {
    let (sender, receiver) = try connection()
    let content = [UInt8](repeating: 7, count: 9_000)
    for number in 0..<8 { content.withUnsafeBytes { sender.post([UInt8(number)], $0) } }
    for number in 0..<8 { #expect(receiver.receive()?.record == [UInt8(number)]) }
    let long = [UInt8](repeating: 8, count: 200_000)
    long.withUnsafeBytes { sender.post([9], $0) }
    #expect(receiver.receive()?.content == long)
  }

  private func ends() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  @Test("a message that stops in the middle, or trickles, ends the wait for it")
  func stopped() throws {
    let whole: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]
    for count in 1..<whole.count {
      let (sender, end) = try ends()
      let receiver = MessageConnection(end, patience: .milliseconds(1_200))
      #expect(whole[..<count].withUnsafeBytes { POSIX.writeAll($0, to: sender) } == 0)
      #expect(receiver.receive(isAwaited: { false }) == nil)
      close(sender)
    }
    let (sender, end) = try ends()
    let receiver = MessageConnection(end, patience: .seconds(1))
    let isStarted = POSIX.startThread {
      var start: [UInt8] = [0xff, 0xff, 0, 0, 0, 0, 0, 0]
      while start.withUnsafeBytes({ POSIX.writeAll($0, to: sender) }) == 0 {
        start = [0]
        POSIX.pause(.milliseconds(100))
      }
    }
    try #require(isStarted)
    #expect(receiver.receive() == nil)
    receiver.end()
  }

  @Test("a message that is awaited and does not come ends the wait, and no other")
  func silent() throws {
    let (sender, end) = try ends()
    let receiver = MessageConnection(end, patience: .seconds(1))
    #expect(receiver.receive(isAwaited: { true }) == nil)
    var asked = 0
    #expect(
      receiver.receive(isAwaited: {
        asked += 1
        return asked == 2
      }) == nil
    )
    #expect(asked == 2)
    close(sender)
  }

  @Test("nothing is sent for ever to an end that does not read")
  func unread() throws {
    let (sender, end) = try ends()
    let connection = MessageConnection(sender, patience: .seconds(1))
    let bytes = [UInt8](repeating: 1, count: 4 << 20)
    #expect(!connection.send(bytes))
    close(end)
  }

  @Test("a message that is longer than what it may be about is not read")
  func tooLong() throws {
    let (sender, end) = try ends()
    let (longer, shorter) = (
      MessageConnection(sender), MessageConnection(end, maximumMessage: 1_000),
    )
    shorter.take(upTo: 2_000)
    shorter.take(upTo: 500)
    longer.send([UInt8](repeating: 1, count: 2_000))
    #expect(shorter.receive()?.record.count == 2_000)
    longer.send([UInt8](repeating: 1, count: 2_001))
    #expect(shorter.receive() == nil)
  }

  @Test("a length that no message has is the end")
  func length() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let receiver = MessageConnection(ends[1])
    let bytes: [UInt8] = [1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3]
    #expect(bytes.withUnsafeBytes { POSIX.writeAll($0, to: ends[0]) } == 0)
    #expect(receiver.receive() == nil)
    close(ends[0])
  }
}

@Suite("What threads hand to others")
struct BlockingQueueTests {
  @Test("comes once, in its order, to whoever waits")
  func order() throws {
    let queue = BlockingQueue<Int>()
    #expect(!queue.push(1))
    #expect(queue.popAvailable() == 1 && queue.popAvailable() == nil)
    let found = BlockingQueue<Int?>()
    for _ in 0..<3 {
      let isStarted = POSIX.startThread {
        while let number = queue.pop() { found.push(number) }
        found.push(nil)
      }
      try #require(isStarted)
    }
    for number in 0..<1_000 { queue.push(number) }
    queue.close()
    var numbers: [Int] = []
    var ended = 0
    while ended < 3, let next = found.pop() {
      if let next { numbers.append(next) } else { ended += 1 }
    }
    #expect(numbers.sorted() == Array(0..<1_000))
    #expect(queue.pop() == nil)
  }
}
