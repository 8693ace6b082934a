internal import CommandLine
internal import FeedModel
internal import FeedParsing
internal import FeedStorage
package import FeedUpdating
import System

package struct ReaderDatabase: ImportSource {
  private enum Reader {
    /// The cache `cache.db` (newsboat.org).
    case newsboat
    /// An account's `DB.sqlite3`.
    case netNewsWire
  }

  private let file: SQLiteFile
  private let reader: Reader
  private let stories: SQLiteQuery

  package init(_ file: SQLiteFile) throws {
    self.file = file
    if try file.hasTable("rss_item") {
      reader = .newsboat
      stories = try file.query("SELECT * FROM rss_item WHERE rowid = ?")
    } else if try file.hasTable("articles"), try file.hasTable("statuses") {
      reader = .netNewsWire
      stories = try file.query(
        "SELECT articles.*, read, starred, dateArrived FROM articles LEFT JOIN statuses"
          + " ON statuses.articleID = articles.articleID WHERE articles.rowid = ?"
      )
    } else {
      throw Failure("\(file.name): neither newsboat's cache nor NetNewsWire's database")
    }
  }

  package func index(_ note: (ImportedFeed?, _ key: Int?) throws -> Void) throws -> Bool {
    let (table, feed) = reader == .newsboat ? ("rss_item", "feedurl") : ("articles", "feedID")
    let feeds = try feeds()
    let rows = try file.query(
      "SELECT rowid AS key, \(feed) AS feed FROM \(table) ORDER BY rowid DESC"
    )
    while try rows.next() {
      guard let url = rows.text("feed") else { continue }
      try note(feeds[url] ?? self.feed(url), rows.integer("key"))
    }
    return true
  }

  private func feeds() throws -> [String: ImportedFeed] {
    guard reader == .newsboat, try file.hasTable("rss_feed") else { return [:] }
    var feeds: [String: ImportedFeed] = [:]
    let rows = try file.query("SELECT rssurl, title, url FROM rss_feed")
    while try rows.next(), feeds.count < ImportedStories.maximumFeeds {
      guard let url = rows.text("rssurl") else { continue }
      feeds[url] = feed(url, title: rows.text("title"), link: rows.text("url"))
    }
    return feeds
  }

  private func feed(_ url: String, title: String? = nil, link: String? = nil) -> ImportedFeed {
    let taken = reader == .newsboat ? NewsboatURLs.withShell(url) : url
    return ImportedFeed(url: taken, ownTitle: title, link: link)
  }

  package func stories(_ keys: [Int], of feed: String) throws -> StoryBatch {
    var foreign = ForeignStories()
    for key in keys {
      stories.start(with: key)
      guard try stories.next() else { continue }
      switch reader {
      case .newsboat: addNewsboatStory(to: &foreign)
      case .netNewsWire: addArticle(to: &foreign)
      }
      try StoryBatch.check(foreign.size, of: feed)
    }
    return try foreign.batch(of: feed, in: file.name)
  }

  private func addNewsboatStory(to foreign: inout ForeignStories) {
    var story = ForeignStory()
    story.title = stories.text("title")
    story.link = stories.text("url")
    story.guid = stories.text("guid").flatMap { Self.isMade($0, of: story) ? nil : $0 }
    story.author = stories.text("author")
    if stories.text("content_mime_type")?.hasPrefix("text/plain") == true {
      story.text = stories.text("content")
    } else {
      story.html = stories.text("content")
    }
    story.base = stories.text("base")
    story.date = UnixTime.text(Double(stories.integer("pubDate")))
    if let url = stories.text("enclosure_url") {
      story.enclosures = [Enclosure(url: url, type: stories.text("enclosure_type"))]
    }
    var original = ImportedStory.original
    original.isRead = stories.integer("unread") == 0
    original.tags = (stories.text("flags") ?? "").filter(\.isLetter).prefix(64).map { "flag-\($0)" }
    foreign.add(story, original, isDeleted: stories.integer("deleted") != 0)
  }

  /// Returns true for a guid that newsboat made for a story without one: of link and date, or of
  /// the title.
  private static func isMade(_ guid: String, of story: ForeignStory) -> Bool {
    guard let link = story.link else { return guid == story.title }
    return guid.hasPrefix(link) && FeedDate.date(String(guid.dropFirst(link.count))) != nil
  }

  private func addArticle(to foreign: inout ForeignStories) {
    var story = ForeignStory()
    story.guid = stories.text("uniqueID")
    story.title = stories.text("title")
    story.html = stories.text("contentHTML")
    story.text = stories.text("contentText") ?? stories.text("summary")
    story.link = stories.text("url") ?? stories.text("externalURL")
    let date = stories.text("datePublished") ?? stories.text("dateModified")
    story.date = date.flatMap { Double($0) }.flatMap(UnixTime.text)
    var original = ImportedStory.original
    original.isRead = stories.integer("read") != 0
    original.isStarred = stories.integer("starred") != 0
    original.stored = stories.text("dateArrived").flatMap { Double($0) }.flatMap(UnixTime.date)
    foreign.add(story, original)
  }
}
