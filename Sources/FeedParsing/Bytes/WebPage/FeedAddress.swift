/// Addresses at which feeds are usually found.
enum FeedAddress {
  /// A `feed:` address, as browsers of old had them, as one of the web.
  static func web(_ address: String) -> String {
    let trimmed = String(address.drop(while: \.isWhitespace))
    guard trimmed.lowercased().hasPrefix("feed:") else { return trimmed }
    let rest = trimmed.dropFirst("feed:".count)
    return rest.hasPrefix("//") ? "http:\(rest)" : String(rest)
  }

  /// Whether an address looks like a feed's.
  static func isLikely(_ address: String) -> Bool {
    let lower = address.lowercased()
    if lower.hasPrefix("feed:") || lower.contains("//feeds.feedburner.com/") { return true }
    let path = lower.prefix { $0 != "?" && $0 != "#" }
    let query = lower.dropFirst(path.count).prefix { $0 != "#" }
    if ["?feed=rss", "&feed=rss", "?feed=atom", "&feed=atom", "format=rss", "format=feed"]
      .contains(where: query.contains)
    {
      return true
    }
    guard let name = path.split(separator: "/").last else { return false }
    return isLikelyName(name)
  }

  private static func isLikelyName(_ name: Substring) -> Bool {
    if [".rss", ".atom", ".rdf"].contains(where: name.hasSuffix) { return true }
    if ["feed", "feeds", "rss", "atom", "rss2", "rdf"].contains(name) { return true }
    guard name.hasSuffix(".xml") || name.hasSuffix(".json") else { return false }
    return ["feed", "rss", "atom", "rdf"].contains(where: name.contains) || name == "index.xml"
  }
}
