#if canImport(Glibc)
let testStreamSocket = Int32(SOCK_STREAM.rawValue)
let testDatagramSocket = Int32(SOCK_DGRAM.rawValue)
#else
let testStreamSocket = SOCK_STREAM
let testDatagramSocket = SOCK_DGRAM
#endif

/// Binds a socket to a port of this machine, which the system chooses where it is 0.
func bind(_ descriptor: Int32, to host: String = "127.0.0.1", port: Int = 0) throws -> Int {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  inet_pton(AF_INET, host, &address.sin_addr)
  address.sin_port = in_port_t(UInt16(port).bigEndian)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let code = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
    }
  }
  guard code == 0 else { throw POSIXFailure("bind", host) }
  return Int(UInt16(bigEndian: address.sin_port))
}

/// Returns a port of 127.0.0.1 on which no program listened a moment ago.
package func freePort() throws -> Int {
  let descriptor = socket(AF_INET, testStreamSocket, 0)
  guard descriptor >= 0 else { throw POSIXFailure("socket", "") }
  defer { close(descriptor) }
  return try bind(descriptor)
}

func closeOnExec(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

/// Waits for a descriptor, and returns false if `stop`, which ends the server, is readable first.
func waitForReading(_ descriptor: Int32, orStop stop: Int32) -> Bool {
  var entries = [
    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
  ]
  while true {
    let count = poll(&entries, 2, -1)
    if count > 0 { return entries[1].revents == 0 }
    guard errno == EINTR else { return false }
  }
}

/// Sends as `send` does, without a signal when the client has gone.
func testSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Glibc)
  send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
  #else
  send(descriptor, bytes, count, 0)
  #endif
}
