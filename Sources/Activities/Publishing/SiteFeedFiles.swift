internal import CommandLine
internal import FeedModel
internal import HTMLParsing
internal import HTMLText
import System

struct SiteFeedFiles {
  let title: String
  let id: String
  /// The site's URL with a slash at the end; nil if it is unknown.
  let address: String?
  let stories: [SiteFeedStory]
  /// The time of the newest story, so that nothing changes if no story does.
  let updated: Int

  /// The feed as Atom (RFC 4287).
  var atom: [UInt8] {
    var feed: Markup = """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
      <id>\(id)</id>
      <title>\(title)</title>
      <updated>\(SiteDay.exact(updated))</updated>
      <author><name>\(title)</name></author>
      <link rel="alternate" type="text/html" href="\(address ?? "index.html")"/>

      """
    if let address {
      feed += "<link rel=\"self\" type=\"application/atom+xml\" href=\"\(address)atom.xml\"/>\n"
    }
    for story in stories { feed += entry(story) }
    feed += "</feed>\n"
    return feed.bytes
  }

  private func entry(_ published: SiteFeedStory) -> Markup {
    let story = published.story
    let date = RFC3339.string(story.date)
    var entry: Markup = """
      <entry>
      <id>\(SiteID.urn(story: story.entry.id))</id>
      <title>\(story.feedTitle)</title>
      <updated>\(date)</updated>
      <published>\(date)</published>

      """
    if let author = story.feedAuthor { entry += "<author><name>\(author)</name></author>\n" }
    if let link = story.link { entry += "<link rel=\"alternate\" href=\"\(link)\"/>\n" }
    for file in story.enclosures {
      let length: Markup = file.length.map { " length=\"\(String($0))\"" } ?? ""
      entry += "<link rel=\"enclosure\" type=\"\(file.type)\"\(length) href=\"\(file.url)\"/>\n"
    }
    for page in story.pages {
      let relation = page.role == .via ? "via" : "related"
      entry += "<link rel=\"\(relation)\" href=\"\(page.url)\"/>\n"
    }
    if let picture = story.picture { entry += Self.media(picture) }
    for category in story.categories { entry += "<category term=\"\(category)\"/>\n" }
    if let source = published.feed, let url = source.url {
      entry += """
        <source><id>\(url)</id><title>\(MarkupSigns.text(source.name))</title><updated>\(date)</updated></source>

        """
    }
    entry += "<content type=\"html\">\(asText: published.html)</content>\n</entry>\n"
    return entry
  }

  /// The feed as RSS 2.0, with the whole text in `content:encoded`.
  ///
  /// Titles are plain text, which is how most readers take them.
  var rss: [UInt8] {
    var feed: Markup = """
      <?xml version="1.0" encoding="utf-8"?>
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" \
      xmlns:content="http://purl.org/rss/1.0/modules/content/" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:media="http://search.yahoo.com/mrss/">
      <channel>
      <title>\(title)</title>
      <link>\(address ?? id)</link>
      <description>\(title)</description>
      <lastBuildDate>\(MailDate.text(updated))</lastBuildDate>

      """
    if let address {
      feed += """
        <atom:link rel="self" type="application/rss+xml" href="\(address)rss.xml"/>

        """
    }
    for story in stories { feed += item(story) }
    feed += "</channel>\n</rss>\n"
    return feed.bytes
  }

  private func item(_ published: SiteFeedStory) -> Markup {
    let story = published.story
    let summary = story.summary
    var item: Markup = """
      <item>
      <title>\(story.feedTitle)</title>
      <guid isPermaLink="false">\(SiteID.urn(story: story.entry.id))</guid>
      <pubDate>\(MailDate.text(story.date.wholeSeconds))</pubDate>

      """
    if let link = story.link { item += "<link>\(link)</link>\n" }
    if let author = story.feedAuthor { item += "<dc:creator>\(author)</dc:creator>\n" }
    for category in story.categories { item += "<category>\(category)</category>\n" }
    // An item has at most one.
    if let file = story.enclosures.first {
      let length = String(file.length ?? 0)
      item += "<enclosure url=\"\(file.url)\" length=\"\(length)\" type=\"\(file.type)\"/>\n"
    }
    if let picture = story.picture { item += Self.media(picture) }
    if let source = published.feed, let url = source.url {
      item += "<source url=\"\(url)\">\(MarkupSigns.text(source.name))</source>\n"
    }
    if !summary.isEmpty { item += "<description>\(asText: "\(summary)")</description>\n" }
    item += "<content:encoded>\(asText: published.html)</content:encoded>\n</item>\n"
    return item
  }

  /// An element of Media RSS, which Atom takes as well.
  private static func media(_ picture: String) -> Markup {
    "<media:content medium=\"image\" url=\"\(picture)\"/>\n"
  }

  /// The feed as JSON Feed 1.1.
  var json: [UInt8] {
    let feed = PrintedJSON.object([
      ("version", .string("https://jsonfeed.org/version/1.1")), ("title", .string(title)),
    ])
    .adding("home_page_url", address.map(PrintedJSON.string))
    .adding("feed_url", address.map { .string("\($0)feed.json") })
    .adding("items", .array(stories.map(object)))
    return Array((feed.description + "\n").utf8)
  }

  private func object(_ published: SiteFeedStory) -> PrintedJSON {
    let story = published.story
    let known = { (text: String) -> PrintedJSON? in text.isEmpty ? nil : .string(text) }
    let (tags, files) = (story.categories, story.enclosures.map(attachment))
    return PrintedJSON.object([
      ("id", .string(SiteID.urn(story: story.entry.id))),
      ("content_html", .string(String(decoding: published.html.bytes, as: UTF8.self))),
      ("date_published", .date(story.date)),
    ])
    .adding("title", known(story.feedTitle))
    .adding("url", story.link.map(PrintedJSON.string))
    .adding("external_url", story.pages.first { $0.role != .via }.map { .string($0.url) })
    .adding("image", story.picture.map(PrintedJSON.string))
    .adding("summary", known(story.summary))
    .adding("authors", story.feedAuthor.map { .array([.object([("name", .string($0))])]) })
    .adding("tags", tags.isEmpty ? nil : .strings(tags))
    .adding("attachments", files.isEmpty ? nil : .array(files))
  }

  private func attachment(_ file: SiteEnclosure) -> PrintedJSON {
    PrintedJSON.object([("url", .string(file.url)), ("mime_type", .string(file.type))])
      .adding("size_in_bytes", file.length.map { .integer(Int(clamping: $0)) })
      .adding("duration_in_seconds", file.duration.map(PrintedJSON.integer))
  }
}

struct SiteFeedStory {
  let story: SiteStory
  let feed: SiteFeed?
  let html: Markup

  init(_ story: SiteStory, of feed: SiteFeed?) {
    (self.story, self.feed) = (story, feed)
    let document = story.document.belowPlayers(of: story.item)
    html = StoryHTML.markup(document, below: 1, plays: true)
  }
}
