package import FeedFetching
import FeedModel
package import FeedParsing
package import System

/// A part of another reader's database: a page of the list of its stories, or some of them.
package struct DatabaseReading: BodyReading {
  /// The most stories of a page, and the bytes of texts after which a part ends.
  private static let (pageSize, mostBytes) = (20_000, 16 << 20)

  /// The file, which the process that reads may open.
  var path: String
  /// The story with which the page begins; the newest have the greatest keys.
  var first = Int.max
  /// The stories that are wanted; none for a page of the list.
  var keys: [Int] = []

  package init(_ path: String, from first: Int) {
    (self.path, self.first) = (path, first)
  }

  package init(_ path: String, storiesAt keys: some Sequence<Int>) {
    (self.path, self.keys) = (path, Array(keys))
  }

  package static var blank: DatabaseReading { DatabaseReading("", from: .max) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&path, .own)
    coder.code(&first, in: Int.min...Int.max)
    coder.code(&keys, in: Int.min...Int.max)
  }

  package var kind: ReadingJob.Kind { .database }

  /// The head of a file as large as a part may be.
  package static var head: ResponseHead {
    var head = ResponseHead(status: nil, url: "")
    head.size = 2 * mostBytes
    return head
  }

  package func read(_: ForeignBytes) throws(FeedParsingError) -> DatabasePart {
    var part = DatabasePart()
    do throws(SQLiteFault) {
      let file = try SQLiteFile(path)
      part.isNewsboat = try file.hasTable("rss_item")
      if !part.isNewsboat {
        let tables = (try file.hasTable("articles"), try file.hasTable("statuses"))
        guard tables == (true, true) else {
          throw SQLiteFault("neither newsboat's cache nor NetNewsWire's database")
        }
      }
      try keys.isEmpty ? addPage(of: file, to: &part) : addStories(of: file, to: &part)
    } catch {
      part.fault = error.reason
    }
    return part
  }

  /// Returns false for a part after which an import would never end.
  package func isSound(_ part: DatabasePart) -> Bool {
    guard part.fault == nil, !keys.isEmpty else {
      return part.next ?? .min < first
    }
    return (1...keys.count).contains(part.stories.count)
  }

  private func addPage(of file: SQLiteFile, to part: inout DatabasePart) throws(SQLiteFault) {
    let feeds = try file.hasTable("rss_feed") && part.isNewsboat
    let (table, feed) = part.isNewsboat ? ("rss_item", "feedurl") : ("articles", "feedID")
    let rows = try file.query(
      "SELECT \(table).rowid AS key, \(feed) AS feed\(feeds ? ", rss_feed.title, rss_feed.url" : "") FROM \(table)"
        + (feeds ? " LEFT JOIN rss_feed ON rssurl = feedurl" : "")
        + " WHERE \(table).rowid <= ? ORDER BY \(table).rowid DESC LIMIT \(Self.pageSize)"
    )
    rows.start(with: first)
    var (count, last) = (0, Int.min)
    while try rows.next() {
      (count, last) = (count + 1, rows.integer("key"))
      guard let feed = rows.text("feed") else { continue }
      part.rows.append(
        DatabasePart.Row(key: last, feed: feed, title: rows.text("title"), link: rows.text("url"))
      )
    }
    if count == Self.pageSize, last > .min { part.next = last - 1 }
  }

  private func addStories(of file: SQLiteFile, to part: inout DatabasePart) throws(SQLiteFault) {
    let stories = try file.query(
      part.isNewsboat
        ? "SELECT * FROM rss_item WHERE rowid = ?"
        : "SELECT articles.*, read, starred, dateArrived FROM articles LEFT JOIN statuses"
          + " ON statuses.articleID = articles.articleID WHERE articles.rowid = ?"
    )
    var size = 0
    for key in keys where size < Self.mostBytes {
      stories.start(with: key)
      let isThere = try stories.next()
      let story = part.isNewsboat ? stories.newsboatStory : stories.article
      part.stories.append(isThere ? story : nil)
      size += (story.html ?? story.text)?.utf8.count ?? 0
    }
  }
}

extension SQLiteQuery {
  fileprivate var newsboatStory: ForeignStory {
    var story = ForeignStory()
    story.title = text("title")
    story.link = text("url")
    story.guid = text("guid").flatMap { Self.isMade($0, of: story) ? nil : $0 }
    story.author = text("author")
    if text("content_mime_type")?.hasPrefix("text/plain") == true {
      story.text = text("content")
    } else {
      story.html = text("content")
    }
    story.base = text("base")
    story.date = UnixTime.text(Double(integer("pubDate")))
    if let url = text("enclosure_url") {
      story.enclosures = [Enclosure(url: url, type: text("enclosure_type"))]
    }
    story.isRead = integer("unread") == 0
    story.tags = (text("flags") ?? "").filter(\.isLetter).prefix(64).map { "flag-\($0)" }
    story.isDeleted = integer("deleted") != 0
    return story
  }

  /// Returns true for a guid that newsboat made for a story without one: of link and date, or of
  /// the title.
  private static func isMade(_ guid: String, of story: ForeignStory) -> Bool {
    guard let link = story.link else { return guid == story.title }
    return guid.hasPrefix(link) && FeedDate.date(String(guid.dropFirst(link.count))) != nil
  }

  fileprivate var article: ForeignStory {
    var story = ForeignStory()
    story.guid = text("uniqueID")
    story.title = text("title")
    story.html = text("contentHTML")
    story.text = text("contentText") ?? text("summary")
    story.link = text("url") ?? text("externalURL")
    let date = text("datePublished") ?? text("dateModified")
    story.date = date.flatMap { Double($0) }.flatMap(UnixTime.text)
    story.isRead = integer("read") != 0
    story.isStarred = integer("starred") != 0
    story.stored = text("dateArrived").flatMap { Double($0) }.flatMap(UnixTime.date)
    return story
  }
}
