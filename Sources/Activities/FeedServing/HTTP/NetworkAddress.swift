internal import FeedFetching
internal import System

/// A numeric address of the Internet: four bytes of IPv4, or sixteen of IPv6.
package struct NetworkAddress: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    self.bytes = bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
  }

  /// Reads a numeric address; nil for other text.
  package init?(_ text: String) {
    guard let bytes = PrivateAddress.bytes(text) else { return nil }
    self.init(bytes: bytes)
  }

  /// Reads an address as proxies name it: also with a port, a zone, brackets and quotation marks
  /// (RFC 7239 §6); nil for other text, such as `unknown`.
  init?(forwarded text: Substring) {
    let text = text.filter { !" \t\"".contains($0) }
    let isBracketed = text.first == "["
    // One colon is a port's, several are those of IPv6.
    let end: Character = isBracketed ? "]" : text.count { $0 == ":" } == 1 ? ":" : "%"
    let host = (isBracketed ? text.dropFirst() : text[...]).prefix { $0 != end && $0 != "%" }
    self.init(String(host))
  }

  /// Reads the address in a `sockaddr`.
  init?(socketAddress: UnsafeRawPointer) {
    let family = socketAddress.loadUnaligned(as: sockaddr.self).sa_family
    let address = UnsafeRawBufferPointer(start: socketAddress, count: family == AF_INET ? 8 : 24)
    guard let bytes = PrivateAddress.bytes(address, family: Int32(family)) else { return nil }
    self.init(bytes: bytes)
  }

  /// True if the internet cannot reach it; false for the one that stands for all addresses.
  package var isPrivate: Bool {
    bytes.contains { $0 != 0 } && PrivateAddress.contains(bytes: bytes)
  }

  /// The private addresses that this machine has in its networks (IPv4).
  package static var ofThisMachine: [NetworkAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var (addresses, next) = ([NetworkAddress](), first)
    while let entry = next?.pointee {
      if let address = entry.ifa_addr.flatMap({ NetworkAddress(socketAddress: $0) }),
        address.bytes.count == 4, address.bytes[0] != 127, address.isPrivate
      {
        addresses.append(address)
      }
      next = entry.ifa_next
    }
    return addresses
  }

  /// The part that one user of the internet surely has: the address, or 64 bits of an IPv6 one.
  var network: [UInt8] { bytes.count == 4 ? bytes : Array(bytes.prefix(8)) }

  package var text: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
