/// A connection to 127.0.0.1 that speaks no more HTTP than the test writes.
package final class HTTPConnection {
  package struct Answer: Sendable {
    package let status: Int
    package let head: String
    package let body: String

    package func header(_ name: String) -> String? {
      let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name): ") }
      return line.map { String($0.dropFirst(name.count + 2)) }
    }
  }

  private let descriptor: Int32
  private var rest: [UInt8] = []

  package init(port: Int) throws {
    descriptor = socket(AF_INET, testStreamSocket, 0)
    guard descriptor >= 0 else { throw POSIXFailure("socket", "") }
    closeOnExec(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, length)
      }
    }
    guard code == 0 else { throw POSIXFailure("connect", "127.0.0.1:\(port)") }
    // An answer that never comes is waited for no longer than this.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_RCVTIMEO,
      &limit,
      socklen_t(MemoryLayout<timeval>.size),
    )
  }

  deinit { close(descriptor) }

  /// Sends bytes, and returns false if the other end takes no more.
  @discardableResult
  package func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { testSend(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  package func ask(
    _ target: String,
    headers: [String] = [],
    post body: String? = nil,
  ) -> Answer? {
    let method = body == nil ? "GET" : "POST"
    var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers
    if let body {
      lines += ["Content-Length: \(body.utf8.count)"]
      if !headers.contains(where: { $0.hasPrefix("Content-Type") }) {
        lines.append("Content-Type: application/x-www-form-urlencoded")
      }
    }
    send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    return readAnswer()
  }

  package func readAnswer() -> Answer? {
    let mark = Array("\r\n\r\n".utf8)
    var end: Int?
    while end == nil {
      end = rest.firstRange(of: mark)?.upperBound
      if end == nil, !receive() { return nil }
    }
    guard let end else { return nil }
    let head = String(decoding: rest[..<end], as: UTF8.self)
    let length = head.split(separator: "\r\n").first {
      $0.lowercased().hasPrefix("content-length: ")
    }.flatMap { Int($0.dropFirst(16)) }
    guard let length, let status = Int(head.dropFirst(9).prefix(3)) else { return nil }
    while rest.count < end + length { guard receive() else { return nil } }
    let body = String(decoding: rest[end..<end + length], as: UTF8.self)
    rest.removeFirst(end + length)
    return Answer(status: status, head: head, body: body)
  }

  package func isClosed() -> Bool {
    while receive() {}
    return errno != EAGAIN
  }

  private func receive() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    errno = 0
    let count = recv(descriptor, &piece, piece.count, 0)
    if count > 0 { rest += piece[..<count] }
    return count > 0
  }
}
