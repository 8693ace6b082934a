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
    var url = url
    return url.withUTF8 { isSafe(UnsafeRawBufferPointer($0)) }
  }

  static func isSafe(_ url: UnsafeRawBufferPointer) -> Bool {
    let start = url.hasASCII("https://", at: 0) ? 8 : url.hasASCII("http://", at: 0) ? 7 : 0
    return start > 0 && start < url.count && url.count <= maximumBytes
      && url[start] != WebURL.slash && url.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}
