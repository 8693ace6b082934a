internal import FeedModel
internal import FeedParsing
internal import HTMLParsing
internal import System

/// The parts of a feed (Atom) of a stream's stories.
enum StoryFeed {
  private static let prefix = "tag:google.com,2005:reader/"
  static let scheme = "http://www.google.com/reader/"

  static func head(_ stream: StreamID, title: String, _ newest: Int64) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\" "
      + "xmlns:gr=\"http://www.google.com/schemas/reader/atom/\">"
      + element("id", prefix + stream.text) + element("title", title)
      + element("updated", date(newest))
  }

  static func end(next: StreamPlace?) -> String {
    (next.map { element("gr:continuation", $0.text) } ?? "") + "</feed>"
  }

  static func element(_ name: String, _ text: String, _ attributes: String = "") -> String {
    "<\(name)\(attributes)>\(XMLText.escaped(text))</\(name)>"
  }

  static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(XMLText.escaped(value))\""
  }

  static func link(_ relation: String, _ url: String, type: String?) -> String {
    guard !url.isEmpty else { return "" }
    let type = type.map { attribute("type", $0) } ?? ""
    return "<link\(attribute("rel", relation))\(attribute("href", url))\(type)/>"
  }

  static func date(_ microseconds: Int64) -> String {
    RFC3339.string(Date(timeIntervalSince1970: Double(microseconds) / 1e6))
  }

  static func source(_ feed: (stream: String, title: String, page: String)) -> String {
    "<source>" + element("id", prefix + feed.stream) + element("title", feed.title)
      + link("alternate", feed.page, type: "text/html") + "</source>"
  }
}

extension ServedItems {
  /// Returns a story as an entry, with its whole text or only its summary.
  func entry(_ served: ServedStory, isWhole: Bool) throws -> String {
    let story = try story(served)
    let item = story.item
    let date = StoryFeed.date(served.place.date)
    var text = "<entry>" + StoryFeed.element("id", ServerItemID(low: served.number).text)
    for stream in streams(of: story) { text += Self.category(stream) }
    text += StoryFeed.element("title", Self.title(of: item))
    text += StoryFeed.element("published", date)
    text += StoryFeed.element("updated", date)
    text += StoryFeed.link("alternate", SafeLink.absolute(item.link), type: "text/html")
    for file in item.enclosures where SafeLink.isAbsolute(file.url) {
      text += StoryFeed.link("enclosure", file.url, type: file.type)
    }
    let html = html(of: story, isWhole: isWhole)
    text += StoryFeed.element("summary", html, StoryFeed.attribute("type", "html"))
    if let author = item.author {
      text += "<author>" + StoryFeed.element("name", MarkupSigns.text(author)) + "</author>"
    }
    return text + StoryFeed.source(feed(of: story)) + "</entry>"
  }

  /// Returns a category with a label, by which newsboat knows a state.
  private static func category(_ stream: StreamID) -> String {
    "<category" + StoryFeed.attribute("term", stream.text)
      + StoryFeed.attribute("scheme", StoryFeed.scheme)
      + StoryFeed.attribute("label", stream.label) + "/>"
  }
}
