import FeedFetching
import FeedModel

/// URLs that files of other programs bring.
enum SubscriptionURL {
  /// What a list from elsewhere may name, which has no business with this machine or its network.
  struct Permission: Hashable, Sendable {
    var files = false
    var privateNetworks = false
  }

  struct Refusal: Error, Hashable {
    let reason: String
  }

  static func isWeb(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("http:") || start.hasPrefix("https:")
  }

  /// The URL to subscribe to: http or https with a host, white space around it removed, what is not
  /// ASCII escaped; user and password stay, since some feeds are asked with them.
  static func read(_ text: String, _ permission: Permission) throws(Refusal) -> String {
    var url = SafeText.line(text)
    if url.lowercased().hasPrefix("feed://") { url = "https" + url.dropFirst(4) }
    if url.lowercased().hasPrefix("feed:http") { url = String(url.dropFirst(5)) }
    if let path = LocalPath.path(ofFileURL: url) {
      guard permission.files else { throw Refusal(reason: "a file (`--files` takes those too)") }
      return LocalPath.fileURL(LocalPath.normalized(path))
    }
    let encoded = SafeLink.isSafe(url) ? url : WebURL.resolveBase(url, against: nil)
    guard let encoded, isWeb(encoded), SafeLink.isSafe(encoded) else {
      throw Refusal(reason: "not an http or https URL")
    }
    guard permission.privateNetworks || !(WebURL.host(of: encoded).map(LocalHost.contains) ?? false)
    else { throw Refusal(reason: "in a private network (`--allow-private` takes those too)") }
    return encoded
  }

  /// The subscription to a URL of a list: its server is to be one of the internet, unless those of
  /// private networks are taken too.
  static func subscription(
    _ url: String,
    title: String? = nil,
    _ permission: Permission,
  ) -> Subscription {
    var subscription = Subscription(url: url, title: title)
    if isWeb(url) { subscription.state.isOnInternet = !permission.privateNetworks }
    return subscription
  }
}
