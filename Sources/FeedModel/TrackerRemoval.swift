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

  package func link(_ url: String, of feeds: [String]) -> String {
    applies(to: feeds) ? WebURL.withoutTracking(url) : url
  }

  /// Returns the story as it is shown; its files have the URLs that were published.
  package func story(_ story: StoredItem) -> StoredItem {
    guard applies(to: story.feeds) else { return story }
    var story = story
    let link = WebURL.withoutTracking(story.item.link)
    if link != story.item.link { story.item.link = link }
    let details = story.item.details
    let clean = details.withoutTrackers
    if clean != details { story.item.details = clean }
    return story
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
