import System

/// Addresses that mean something only on this machine or in its own network.
///
/// A server on the internet that redirects there (or whose next host resolves to there) wants this
/// machine to ask what the server itself cannot reach: a router, a cloud's metadata.
package enum PrivateAddress {
  static func contains(_ text: String) -> Bool {
    self.bytes(text).map { contains(bytes: $0) } ?? false
  }

  package static func bytes(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  package static func bytes(_ address: UnsafeRawBufferPointer, family: Int32) -> [UInt8]? {
    switch family {
    case AF_INET where address.count >= 8: Array(address[4..<8])
    case AF_INET6 where address.count >= 24: Array(address[8..<24])
    default: nil
    }
  }

  package static func contains(bytes: [UInt8]) -> Bool {
    switch bytes.count {
    case 4: containsIPv4(bytes)
    case 16: containsIPv6(bytes)
    default: false
    }
  }

  /// Tests for the special-purpose blocks of RFC 6890 that are not global, and multicast.
  private static func containsIPv4(_ bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (224...255, _): true
    case (100, 64...127), (172, 16...31), (198, 18...19): true
    case (192, 0): bytes[2] == 0
    default: false
    }
  }

  private static func containsIPv6(_ bytes: [UInt8]) -> Bool {
    if let embedded = embeddedIPv4(bytes) { return containsIPv4(embedded) }
    // Link-local addresses and the site-local ones that came before fc00::/7.
    let isLocal = bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80
    return isLocal || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFF
      || bytes.starts(with: locallyTranslated)
  }

  /// The prefix `64:ff9b:1::/48`, which each network translates as it likes (RFC 8215).
  private static let locallyTranslated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 1]

  /// Returns the IPv4 address in `::/96` (`::` and `::1` too, which are of `0.0.0.0/8` then),
  /// `::ffff:0:0/96` (mapped), `64:ff9b::/96` (translated) and `2002::/16` (6to4).
  private static func embeddedIPv4(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.starts(with: [0x20, 0x02]) { return Array(bytes[2..<6]) }
    let zeros = [UInt8](repeating: 0, count: 10)
    let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0]
    let isEmbedded =
      bytes.starts(with: zeros + [0, 0]) || bytes.starts(with: zeros + [0xFF, 0xFF])
      || bytes.starts(with: translated + [0, 0])
    return isEmbedded ? Array(bytes[12...]) : nil
  }
}

/// Hosts that are reached without the internet: this machine's own, and those of its network.
package enum LocalHost {
  /// The endings of names that are nobody's on the internet (RFC 6761, 6762, 8375; `internal` by
  /// ICANN).
  private static let endings = [".localhost", ".local", ".internal", ".home.arpa"]

  /// Decides by the host's text alone; names are not looked up.
  ///
  /// A name without a dot is local: only a network's own resolver adds to it what it lacks.
  package static func contains(_ host: String) -> Bool {
    let name = host.last == "." ? String(host.dropLast()) : host
    if name.first == "[" { return PrivateAddress.contains(name.filter { $0 != "[" && $0 != "]" }) }
    // 127.1, 0x7f000001 and 2130706433 are addresses too, for the system's resolver.
    var address = in_addr()
    if inet_aton(name, &address) != 0 {
      return PrivateAddress.contains(bytes: withUnsafeBytes(of: address) { Array($0) })
    }
    return !name.contains(".") || endings.contains { name.hasSuffix($0) }
  }
}
