import FeedModel

/// URLs that files of other programs bring.
enum SubscriptionURL {
  /// Whether the scheme is http or https.
  static func isWeb(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("http:") || start.hasPrefix("https:")
  }

  /// An http or https URL with a host, white space around it removed; user and password stay,
  /// since some feeds are asked with them.
  static func web(_ text: String) -> String? {
    var url = SafeText.line(text)
    if url.lowercased().hasPrefix("feed://") { url = "https" + url.dropFirst(4) }
    if url.lowercased().hasPrefix("feed:http") { url = String(url.dropFirst(5)) }
    return SafeLink.isSafe(url) ? url : nil
  }
}
