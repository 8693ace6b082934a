/// A port of `::1` that never answers, not even with a refusal: its queue is full.
package final class SilentListener: Sendable {
  private let descriptors: [Int32]

  package init(port: Int) throws {
    let listener = socket(AF_INET6, testStreamSocket, 0)
    guard listener >= 0 else { throw POSIXFailure("socket", "::1") }
    closeOnExec(listener)
    try Self.with(port) { address, length in
      guard bind(listener, address, length) == 0, listen(listener, 0) == 0 else {
        throw POSIXFailure("listen", "::1")
      }
    }
    var descriptors = [listener]
    // One or two connections get in, the others never do.
    for _ in 0..<8 {
      let knocking = socket(AF_INET6, testStreamSocket, 0)
      guard knocking >= 0 else { throw POSIXFailure("socket", "::1") }
      closeOnExec(knocking)
      descriptors.append(knocking)
      _ = fcntl(knocking, F_SETFL, O_NONBLOCK)
      try Self.with(port) { address, length in
        guard connect(knocking, address, length) == 0 || errno == EINPROGRESS else {
          throw POSIXFailure("connect", "::1")
        }
      }
    }
    self.descriptors = descriptors
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  private static func with(
    _ port: Int,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void,
  ) throws {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    address.sin6_port = in_port_t(UInt16(port).bigEndian)
    try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        try body(address, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
  }
}
