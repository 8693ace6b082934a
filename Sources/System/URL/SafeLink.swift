/// Links that may be printed and opened.
package enum SafeLink {
  /// A story's link where it is absolute, else none: a feed in a file has links that lead nowhere.
  package static func absolute(_ link: String) -> String { isAbsolute(link) ? link : "" }

  /// Whether `link` leads anywhere by itself.
  package static func isAbsolute(_ link: String) -> Bool {
    link.hasPrefix("https://") || link.hasPrefix("http://")
  }

  /// Whether `url` is http or https with a host, and printable ASCII without spaces throughout.
  ///
  /// The data file may come from elsewhere, so what was checked when it was stored is again here.
  package static func isSafe(_ url: String) -> Bool {
    let bytes = Array(url.utf8.prefix(8_193))
    guard bytes.count <= 8_192, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return false }
    let start = url.prefix(8).lowercased()
    let prefix = start == "https://" ? 8 : start.hasPrefix("http://") ? 7 : 0
    guard prefix > 0, bytes.count > prefix else { return false }
    return bytes[prefix] != UInt8(ascii: "/")
  }
}
