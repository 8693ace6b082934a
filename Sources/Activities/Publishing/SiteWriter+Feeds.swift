internal import FeedModel
import FeedParsing
internal import FeedStorage
internal import HTMLText
import System

extension SiteWriter {
  mutating func writeFeeds() throws {
    var stories: [SiteFeedStory] = []
    var bytes = 0
    for number in entries.indices.prefix(Self.pageStories) where bytes < Self.feedBytes {
      let story = SiteFeedStory(try wholeStory(number), of: feed(of: entries[number]))
      bytes += story.html.bytes.count
      stories.append(story)
    }
    let updated = entries.compactMap(\.instant).max() ?? 0
    let files = SiteFeedFiles(
      title: title,
      id: folder.id,
      address: address,
      stories: stories,
      updated: updated,
    )
    try write("atom.xml", files.atom)
    try write("rss.xml", files.rss)
    try write("feed.json", files.json)
    try writeList(updated)
  }

  /// Writes the list of feeds, without what is the user's alone, such as a command that prints a
  /// password.
  private mutating func writeList(_ updated: Int) throws {
    let listed = subscriptions.compactMap { subscription in
      feeds[subscription.url].flatMap { feed in
        feed.url.map { url in
          var listed = Subscription(url: url, title: feed.name)
          (listed.tags, listed.state.link) = (subscription.tags, feed.link)
          return listed
        }
      }
    }
    let lines = OPMLWriter(created: MailDate.text(updated)).lines(listed, OutlineDocument())
    try write("feeds.opml", Array((lines.joined(separator: "\n") + "\n").utf8))
  }
}
