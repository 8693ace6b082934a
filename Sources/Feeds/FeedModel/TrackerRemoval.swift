internal import System

/// Leaves trackers out of links that are opened, printed, copied and published.
///
/// Stories keep the links that their feeds published: by those they are recognised and stored.
package struct TrackerRemoval: Sendable {
  /// The URLs of feeds whose links stay as they are (`FeedSettings.keepsTracking`).
  private let exceptions: Set<String>

  package init(_ subscriptions: [Subscription]) {
    exceptions = Set(subscriptions.filter(\.settings.keepsTracking).map(\.url))
  }

  /// Returns false for a story that is carried by a feed whose links stay as they are.
  package func applies(to feeds: [String]) -> Bool {
    exceptions.isEmpty || !feeds.contains(where: exceptions.contains)
  }

  /// Returns the link of a story as it is shown; one without a page leads to its file, which keeps
  /// its URL.
  package func link(
    _ url: String,
    of feeds: [String],
    files: () throws -> [Enclosure],
  ) rethrows -> String {
    guard applies(to: feeds) else { return url }
    let clean = WebURL.withoutTracking(url)
    return try clean == url || files().contains { $0.url == url } ? url : clean
  }

  package func link(of story: StoredItem) -> String {
    link(story.item.link, of: story.feeds) { story.item.enclosures }
  }

  /// Returns a title or another text as it is shown.
  package func text(_ text: String, of feeds: [String]) -> String {
    applies(to: feeds) ? TextLink.withoutTracking(in: text) : text
  }

  /// Returns the story as it is shown; its files have the URLs that were published.
  package func story(_ story: StoredItem) -> StoredItem {
    guard applies(to: story.feeds) else { return story }
    let item = story.item
    var story = story
    let link = link(of: story)
    if link != item.link { story.item.link = link }
    let title = TextLink.withoutTracking(in: item.title)
    if title != item.title { story.item.title = title }
    let summary = item.summary.map(TextLink.withoutTracking)
    if summary != item.summary { story.item.summary = summary }
    let details = story.item.details
    let clean = details.withoutTrackers
    if clean != details { story.item.details = clean }
    return story
  }
}

extension Subscription {
  /// The link to the feed's web page as it is shown.
  package var page: String? {
    settings.keepsTracking ? state.link : state.link.map(WebURL.withoutTracking)
  }
}

extension ItemDetails {
  fileprivate var withoutTrackers: ItemDetails {
    var details = self
    details.comments = comments.map(WebURL.withoutTracking)
    for index in related.indices where related[index].role.isPage {
      details.related[index].url = WebURL.withoutTracking(related[index].url)
    }
    for index in chapters.indices {
      details.chapters[index].url = chapters[index].url.map(WebURL.withoutTracking)
    }
    for index in people.indices {
      details.people[index].url = people[index].url.map(WebURL.withoutTracking)
    }
    return details
  }
}
