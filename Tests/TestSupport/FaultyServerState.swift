final class FaultyServerState: Sendable {
  private let answer: @Sendable (FaultyRequest) -> FaultyAnswer
  private let stopReader: Int32
  private let stopWriter: Int32
  private let log = Monitor(Log())

  private struct Log {
    var requests: [FaultyRequest] = []
    var open = 0
    var mostOpen = 0
    var threads: [TestThread] = []
  }

  init(answer: @escaping @Sendable (FaultyRequest) -> FaultyAnswer) throws {
    self.answer = answer
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXFailure("pipe", "") }
    for end in ends { closeOnExec(end) }
    (stopReader, stopWriter) = (ends[0], ends[1])
  }

  deinit {
    close(stopReader)
    close(stopWriter)
  }

  /// A descriptor that is readable once the server is to stop.
  var stopDescriptor: Int32 { stopReader }

  func stop() {
    var byte: UInt8 = 0
    _ = write(stopWriter, &byte, 1)
  }

  func joinConnections() {
    for thread in log.change({ $0.threads }) { thread.join() }
  }

  var requests: [FaultyRequest] { log.change { $0.requests } }

  var mostConnections: Int { log.change { $0.mostOpen } }

  func waitForRequests(_ count: Int) {
    log.wait { $0.requests.count >= count }
  }

  func serve(_ connection: Int32) {
    log.change { log in
      log.open += 1
      log.mostOpen = max(log.mostOpen, log.open)
    }
    let thread = try? TestThread { [self] in
      converse(connection)
      // A client that sees the end may come again at once.
      log.change { $0.open -= 1 }
      close(connection)
    }
    // A test that uses up the machine's threads fails by a connection that says nothing.
    if let thread { log.change { $0.threads.append(thread) } }
  }

  private func converse(_ connection: Int32) {
    var buffered: [UInt8] = []
    while let request = readRequest(connection, &buffered) {
      log.change { $0.requests.append(request) }
      let answer = answer(request)
      for step in answer.steps {
        guard perform(step, connection) else { return }
      }
      guard answer.staysOpen else { return }
    }
  }

  private func readRequest(_ connection: Int32, _ buffered: inout [UInt8]) -> FaultyRequest? {
    let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    while true {
      if let range = buffered.firstRange(of: end) {
        var request = FaultyRequest(Array(buffered[..<range.lowerBound]))
        let length = request?.header("Content-Length").flatMap { Int($0) } ?? 0
        if buffered.count >= range.upperBound + length {
          request?.body = Array(buffered[range.upperBound..<range.upperBound + length])
          buffered.removeSubrange(..<(range.upperBound + length))
          return request
        }
      }
      guard waitForReading(connection, orStop: stopReader) else { return nil }
      var chunk = [UInt8](repeating: 0, count: 4_096)
      let count = read(connection, &chunk, chunk.count)
      guard count > 0 else { return nil }
      buffered += chunk[..<count]
    }
  }

  /// Carries out a step, and returns false if the connection is at its end.
  private func perform(_ step: FaultyAnswer.Step, _ connection: Int32) -> Bool {
    switch step {
    case .send(let bytes):
      return send(bytes, connection)
    case .flood(let bytes):
      while send(bytes, connection) {}
      return false
    case .drip(let bytes, let pause):
      while !isStopped(within: pause, connection) {
        guard send(bytes, connection) else { return false }
      }
      return false
    case .hang:
      while !isStopped(within: .seconds(3_600), connection) {}
      return false
    case .run(let body):
      body()
      return true
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection,
        SOL_SOCKET,
        SO_LINGER,
        &linger,
        socklen_t(MemoryLayout.size(ofValue: linger)),
      )
      return false
    }
  }

  private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      var entries = [
        pollfd(fd: connection, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: stopReader, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&entries, 2, -1) > 0, entries[1].revents == 0 else { return false }
      let count = rest.withUnsafeBytes { bytes in
        testSend(connection, bytes.baseAddress, min(bytes.count, 65_536))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits, and returns true if the client has gone or the server is to stop.
  ///
  /// Bytes that the client sends meanwhile are lost.
  private func isStopped(within pause: Duration, _ connection: Int32) -> Bool {
    let end = ContinuousClock.now + pause
    while true {
      var entries = [
        pollfd(fd: connection, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stopReader, events: Int16(POLLIN), revents: 0),
      ]
      let left = max(end - .now, .zero)
      let count = poll(&entries, 2, Int32(left / .milliseconds(1)))
      guard count != 0 else { return false }
      var chunk = [UInt8](repeating: 0, count: 4_096)
      if entries[1].revents != 0 || read(connection, &chunk, chunk.count) <= 0 { return true }
    }
  }
}
