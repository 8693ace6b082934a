package enum SafeLink {
  /// Returns an absolute link, or an empty one: feeds in files have links that lead nowhere.
  package static func absolute(_ link: String) -> String { isAbsolute(link) ? link : "" }

  package static func isAbsolute(_ link: String) -> Bool {
    link.hasPrefix("https://") || link.hasPrefix("http://")
  }

  static let maximumBytes = 8_192

  /// Returns true for http or https with a host, and printable ASCII without spaces throughout.
  ///
  /// The data file may come from elsewhere, so the checks of storing are repeated here.
  package static func isSafe(_ url: String) -> Bool {
    guard url.utf8.count <= maximumBytes else { return false }
    let bytes = Array(url.utf8)
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return false }
    let start = url.prefix(8).lowercased()
    let prefix = start == "https://" ? 8 : start.hasPrefix("http://") ? 7 : 0
    guard prefix > 0, bytes.count > prefix else { return false }
    return bytes[prefix] != UInt8(ascii: "/")
  }
}
