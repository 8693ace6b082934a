import FeedModel
import FeedParsing

/// Subscriptions out of the outlines of an OPML file.
enum OPMLImport {
  /// What a file gave.
  struct Result: Hashable, Sendable {
    var subscriptions: [Subscription] = []
    /// URLs that cannot be followed, as the file has them.
    var refused: [String] = []
  }

  /// Attributes that have a place of their own in a subscription.
  private static let known: Set<String> = ["text", "title", "type", "htmlurl"]

  static func read(_ bytes: [UInt8]) throws(FeedParsingError) -> Result {
    let outlines = try OutlineParser.feeds(bytes)
    var result = Result()
    for outline in outlines {
      if let subscription = subscription(outline) {
        result.subscriptions.append(subscription)
      } else {
        result.refused.append(outline.url)
      }
    }
    return result
  }

  /// Nil when the outline's URL is neither http nor https.
  private static func subscription(_ outline: OutlineFeed) -> Subscription? {
    guard let url = SubscriptionURL.web(outline.url) else { return nil }
    let title = (outline.value("text") ?? outline.value("title")).map { SafeText.line($0) }
    var subscription = Subscription(url: url, title: title)
    if let title, title == url || title.isEmpty { subscription.title = nil }
    if !outline.folders.isEmpty { subscription.tags = [FolderTag.tag(outline.folders)] }
    subscription.state.link = outline.value("htmlUrl").flatMap { WebURL.resolve($0, against: nil) }
    for attribute in outline.attributes where !known.contains(attribute.name.lowercased()) {
      subscription.attributes[attribute.name] = attribute.value
    }
    let other = outline.value("title")
    if let other, SafeText.line(other) != title { subscription.attributes["title"] = other }
    return subscription
  }
}
