import System

/// The reader's word on how a feed's server is reached; it stays on this machine.
package struct FeedRoute: Hashable, Sendable {
  /// The URL of a proxy, or `none` for the server itself, whatever the environment says.
  package var proxy: String?
  /// The path of certificates (PEM) to trust.
  package var authorities: String?
  /// The paths of the reader's own certificate, and of its key where that is in another file.
  package var (certificate, key): (String?, String?)

  package static let noProxy = "none"

  package init() {}

  package var isEmpty: Bool { self == FeedRoute() }

  package var hasCertificates: Bool { self != elsewhere }

  /// The route to other sites: a proxy hides the reader from all, certificates are for one.
  package var elsewhere: FeedRoute {
    var route = FeedRoute()
    route.proxy = proxy
    return route
  }
}

extension FeedRoute {
  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Returns true for `none` and for the URL of a proxy, as libcurl has it (CURLOPT_PROXY).
  package static func takesProxy(_ text: String) -> Bool {
    if text == noProxy { return true }
    let scheme = text.prefix { $0 != ":" }
    return schemes.contains(scheme.lowercased()) && text.dropFirst(scheme.count).hasPrefix("://")
      && text.utf8.count <= 1_024 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && WebURL.host(of: text) != nil
  }
}
