internal import CommandLine
internal import System

/// A numeric address and a port to listen on.
package struct ListeningPlace: Hashable, Sendable {
  package let address: NetworkAddress
  package let port: UInt16

  package static let standard = "127.0.0.1:8265"

  /// Reads `127.0.0.1:8265`, `[::1]:8265`, `localhost:8265`, or on this machine's own address
  /// `:8265` and `8265`; nil for anything else.
  package init?(_ text: String) {
    let text = UInt16(text) != nil ? ":\(text)" : text
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard let address = NetworkAddress(["", "localhost"].contains(host) ? "127.0.0.1" : host) else {
      return nil
    }
    (self.address, self.port) = (address, port)
  }

  fileprivate init(address: NetworkAddress, port: UInt16) {
    (self.address, self.port) = (address, port)
  }

  package var text: String {
    address.bytes.count == 4 ? "\(address.text):\(port)" : "[\(address.text)]:\(port)"
  }
}

package struct ListeningSocket: Sendable {
  let descriptor: Int32
  package let place: ListeningPlace

  /// SOCK_STREAM, which the C library's header declares as no number.
  private static let stream: Int32 = 1
  private static let backlog: Int32 = 64

  /// Listens at a place; for port 0 the system chooses one.
  package init(at place: ListeningPlace) throws {
    let family = place.address.bytes.count == 4 ? AF_INET : AF_INET6
    let socket = POSIX.openSocket(family: family, type: Self.stream, protocol: 0)
    guard socket >= 0 else { throw Self.failure(place) }
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    let isBound = Self.withAddress(of: place) { bind(socket, $0, $1) == 0 }
    guard isBound, listen(socket, Self.backlog) == 0, let chosen = Self.place(of: socket)
    else {
      let failure = Self.failure(place)
      _ = close(socket)
      throw failure
    }
    (descriptor, self.place) = (socket, chosen)
  }

  /// Takes the first socket that the service manager has opened for this process
  /// (sd_listen_fds(3)); nil without one.
  package init?(passedBy variable: (String) -> String?) {
    guard variable("LISTEN_PID") == String(getpid()),
      let count = variable("LISTEN_FDS").flatMap({ Int($0) }), count >= 1,
      let place = Self.place(of: 3)
    else { return nil }
    _ = fcntl(3, F_SETFD, FD_CLOEXEC)
    (descriptor, self.place) = (3, place)
  }

  private static func failure(_ place: ListeningPlace) -> Failure {
    Failure("\(place.text) cannot be listened on: \(POSIX.errorMessage(errno))")
  }

  private static func withAddress<R>(
    of place: ListeningPlace,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> R,
  ) -> R {
    let isShort = place.address.bytes.count == 4
    var storage = sockaddr_storage()
    storage.ss_family = sa_family_t(isShort ? AF_INET : AF_INET6)
    withUnsafeMutableBytes(of: &storage) { bytes in
      bytes.storeBytes(of: place.port.bigEndian, toByteOffset: 2, as: UInt16.self)
      // The address follows the port, and an IPv6 one four more bytes.
      for (index, byte) in place.address.bytes.enumerated() {
        bytes[(isShort ? 4 : 8) + index] = byte
      }
    }
    let size = isShort ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    return withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }

  private static func place(of socket: Int32) -> ListeningPlace? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isNamed = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(socket, $0, &size) == 0
      }
    }
    guard isNamed else { return nil }
    return withUnsafeBytes(of: storage) { bytes in
      let port = UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
      let address = bytes.baseAddress.flatMap { NetworkAddress(socketAddress: $0) }
      return address.map { ListeningPlace(address: $0, port: port) }
    }
  }
}
