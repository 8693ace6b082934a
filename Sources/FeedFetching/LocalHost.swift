/// Hosts that are reached without the internet: this machine's own, and those of its network.
package enum LocalHost {
  /// Whether a URL's host is one by its looks; names are not looked up.
  package static func contains(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") {
      return true
    }
    return PrivateAddress.contains(host.filter { $0 != "[" && $0 != "]" })
  }
}
