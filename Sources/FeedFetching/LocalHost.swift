/// Hosts that are reached without the internet: this machine's own, and those of its network.
package enum LocalHost {
  /// Names that are nobody's on the internet (RFC 6761, 6762, 8375; `internal` by ICANN).
  private static let endings = [".localhost", ".local", ".internal", ".home.arpa"]

  /// Whether a URL's host is one by its looks; names are not looked up.
  ///
  /// So is a name without a dot: only a network's own resolver adds to it what it lacks.
  package static func contains(_ host: String) -> Bool {
    let name = host.last == "." ? String(host.dropLast()) : host
    if name.first == "[" { return PrivateAddress.contains(name.filter { $0 != "[" && $0 != "]" }) }
    // 127.1, 0x7f000001 and 2130706433 are addresses too for those who ask.
    if let address = SystemCall.looseAddressBytes(name) {
      return PrivateAddress.contains(bytes: address)
    }
    return !name.contains(".") || endings.contains { name.hasSuffix($0) }
  }
}
