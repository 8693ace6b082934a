package import FeedModel
package import System

package struct ForeignStory: Hashable, Sendable {
  /// The most bytes of a text that are taken.
  package static let maximumText = 1 << 20

  package var guid: String?
  package var title: String?
  package var html: String?
  package var text: String?
  /// The base of relative links in the text; nil for the story's own link.
  package var base: String?
  package var link: String?
  package var date: String?
  package var author: String?
  package var categories: [String] = []
  package var enclosures: [Enclosure] = []
  /// The marks that it had there, and when it came.
  package var (isRead, isStarred, isDeleted) = (false, false, false)
  package var tags: [String] = []
  package var stored: Date?

  package init() {}

  fileprivate var json: JSONValue {
    let texts = [
      ("id", guid), ("title", title), ("url", link), ("content_html", html),
      ("content_text", text), ("date_published", date), ("author", author),
    ]
    let members = texts.compactMap { name, text in
      text.map { JSONMember(name: name, value: .string($0)) }
    }
    let attachments = enclosures.map { file in
      JSONValue.object(
        [
          ("url", file.url), ("mime_type", file.type),
          ("size_in_bytes", file.length.map { "\($0)" }),
        ]
        .compactMap { name, text in text.map { JSONMember(name: name, value: .string($0)) } }
      )
    }
    return .object(
      members + [
        JSONMember(name: "tags", value: .array(categories.map { .string($0) })),
        JSONMember(name: "attachments", value: .array(attachments)),
      ]
    )
  }
}

extension FeedParser {
  /// Reads stories that another program kept as if their feed had brought them: cleaned, bounded,
  /// with summaries.
  ///
  /// There are as many items and whole texts as stories.
  package static func read(
    _ stories: [ForeignStory],
    of url: String,
  ) throws(FeedParsingError) -> (items: [Item], texts: [StoryText?]) {
    var limits = ParsingLimits(maximumBytes: 1 << 30)
    limits.kept = .texts
    let document = JSONMember(name: "items", value: .array(stories.map(\.json)))
    let feed = try JSONFeedReader(url: url, limits: limits).jsonFeed(.object([document]))
    var (items, texts) = (feed.items, feed.texts)
    for (index, story) in stories.enumerated() where items.indices.contains(index) {
      guard let base = story.base.flatMap({ WebURL.resolveBase($0, against: url) }),
        texts.indices.contains(index), var text = texts[index]
      else { continue }
      text.base = base
      (texts[index], items[index].textNumber) = (text, text.number)
    }
    return (items, texts)
  }
}
