/// An address as people paste it from a mail, a page or another program.
///
/// White space and signs without width around it go, as do the angle brackets of RFC 3986 (appendix
/// C). The schemes by which browsers and podcast programs were once told to follow something
/// (`feed:https://…`, `feed://…`, `itpc://…`) become those of the web.
package struct PastedAddress: Hashable, Sendable {
  /// The URL, with https if the scheme leaves that open (`alternative` has http then); a text that
  /// is no URL stays.
  package let url: String
  package let alternative: String?
  /// The URL without a scheme that is open, so that the scheme of a page applies.
  package let reference: String

  /// The old schemes; true for those with a secure connection.
  private static let schemes = [
    "feed": false, "feeds": true, "pcast": false, "itpc": false, "podcast": false,
  ]

  package init(_ text: String) {
    let address = Self.bare(text)
    guard let (scheme, rest) = Self.parts(address) else {
      (url, alternative, reference) = (address, nil, address)
      return
    }
    guard let isSecure = Self.schemes[scheme] else {
      let isWeb = scheme == "http" || scheme == "https"
      url = isWeb ? "\(scheme):\(rest)" : address
      (alternative, reference) = (nil, url)
      return
    }
    let place = rest.drop { $0 == "/" }
    if let (inner, _) = Self.parts(String(place)), ["http", "https"].contains(inner) {
      self = PastedAddress(String(place))
      return
    }
    url = "https://\(place)"
    alternative = isSecure ? nil : "http://\(place)"
    reference = isSecure ? url : "//\(place)"
  }

  package static func isForFollowing(_ text: String) -> Bool {
    parts(bare(text)).map { schemes[$0.scheme] != nil } ?? false
  }

  private static func bare(_ text: String) -> String {
    let address = WebURL.trimmed(text)
    guard address.hasPrefix("<"), address.hasSuffix(">") else { return address }
    let inner = address.dropFirst().dropLast()
    let isNamed = inner.prefix(4).lowercased() == "url:"
    return WebURL.trimmed(String(isNamed ? inner.dropFirst(4) : inner))
  }

  private static func parts(_ address: String) -> (scheme: String, rest: Substring)? {
    guard let colon = address[...].firstIndex(ofByte: UInt8(ascii: ":")) else { return nil }
    return (address[..<colon].lowercased(), address[...].after(colon))
  }
}
