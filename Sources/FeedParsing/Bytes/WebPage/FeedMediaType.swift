/// Media types by which pages announce feeds.
enum FeedMediaType {
  /// Whether a `link` element's attributes announce a feed.
  static func isAnnouncement(_ attributes: [String: String]) -> Bool {
    let relations = Set(
      (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    )
    if relations.contains("feed") { return true }
    guard relations.contains("alternate"), !relations.contains("stylesheet") else { return false }
    let type = (attributes["type"] ?? "").lowercased().prefix { $0 != ";" }
      .filter { !$0.isWhitespace }
    if types.contains(type) { return true }
    // Also the type of translations, previews and programming interfaces.
    return vague.contains(type) && FeedAddress.isLikely(attributes["href"] ?? "")
  }

  private static let types: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
    "application/rss", "application/atom", "application/rdf", "application/x-rss+xml",
    "application/x.atom+xml", "application/x-atom+xml", "application/x-netcdf", "text/rss+xml",
    "text/atom+xml", "text/rss", "text/atom",
  ]

  private static let vague: Set<String> = [
    "application/xml", "text/xml", "application/json", "text/json",
  ]
}
