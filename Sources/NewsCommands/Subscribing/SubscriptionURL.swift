import FeedModel

/// URLs that files of other programs bring.
enum SubscriptionURL {
  /// What becomes of `file:` URLs.
  enum Files {
    /// A list from elsewhere has no business with the files of this machine.
    case refused
    case taken
  }

  /// Why a URL cannot be followed.
  struct Refusal: Error, Hashable {
    let reason: String
  }

  /// Whether the scheme is http or https.
  static func isWeb(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("http:") || start.hasPrefix("https:")
  }

  /// The URL to subscribe to: http or https with a host, white space around it removed, what is not
  /// ASCII escaped; user and password stay, since some feeds are asked with them.
  static func read(_ text: String, files: Files) throws(Refusal) -> String {
    var url = SafeText.line(text)
    if url.lowercased().hasPrefix("feed://") { url = "https" + url.dropFirst(4) }
    if url.lowercased().hasPrefix("feed:http") { url = String(url.dropFirst(5)) }
    if let path = FilePath.path(ofFileURL: url) {
      guard files == .taken else { throw Refusal(reason: "a file (`--files` takes those too)") }
      return FilePath.fileURL(FilePath.normalized(path))
    }
    if SafeLink.isSafe(url) { return url }
    guard isWeb(url), let encoded = WebURL.resolveBase(url, against: nil),
      SafeLink.isSafe(encoded)
    else { throw Refusal(reason: "not an http or https URL") }
    return encoded
  }
}
