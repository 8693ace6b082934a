package import FeedModel
package import FeedParsing
package import System

/// The values that are taken of a server's answer.
package struct ServerAnswer: RecordValue {
  /// A line that says what came in place of an answer; nil for a good one.
  package var fault: String?
  package var user: String?
  /// The labels of stories, and other ones.
  package var (labels, folders): ([String], [String]) = ([], [])
  package var feeds: [ServerSubscription] = []
  package var ids: [ServerItemID] = []
  /// The continuation of a list of ids.
  package var next: String?
  package var stories: [ServerStory] = []

  package static let blank = ServerAnswer()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&fault, .line)
    coder.code(&user, .line)
    coder.code(&labels, .line)
    coder.code(&folders, .line)
    coder.code(&feeds)
    coder.code(&ids)
    coder.code(&next, .source)
    coder.code(&stories)
  }
}

package struct ServerSubscription: RecordValue, Hashable, Sendable {
  /// The server's id of the feed, such as `feed/12` or `feed/https://…`.
  package private(set) var stream: String
  package private(set) var url: String
  package private(set) var title: String
  package private(set) var tags: [String]

  package init(stream: String, url: String, title: String, tags: [String]) {
    (self.stream, self.url, self.title, self.tags) = (stream, url, title, tags)
  }

  /// Makes a feed of what a server said.
  init(received stream: String, _ url: String, _ title: String, _ tags: [String]) {
    self.init(
      stream: stream,
      url: WebURL.resolve(url, against: nil)
        ?? SafeText.prefix(url, maximumCharacters: WebURL.maximumLength),
      title: SafeText.prefix(SafeText.line(title), maximumCharacters: 300),
      tags: tags,
    )
  }

  /// The folder of feeds that have no folder: in FreshRSS and in Miniflux.
  private static let noFolders: Set<String> = ["Uncategorized", "All"]

  /// Returns the tag of a folder's name; nil for the folder of feeds that have none.
  package static func tag(_ name: String) -> String? {
    let tag = SafeText.prefix(SafeText.line(name), maximumCharacters: 100)
    return tag.isEmpty || noFolders.contains(tag) ? nil : tag
  }

  package static let blank = ServerSubscription(stream: "", url: "", title: "", tags: [])

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&stream, .source)
    coder.code(&url, .source)
    coder.code(&title, .line)
    coder.code(&tags, .line)
  }
}

package struct ServerStory: RecordValue, Sendable {
  package var id: ServerItemID
  /// The server's id of its feed.
  package var stream: String
  package var content: ForeignStory
  package var date: Int?
  /// When it came to the server; nil where the server does not say so.
  package var arrived: Date?
  /// When anything about it was last changed there; nil where the server does not say so.
  package var changed: Date?

  package init(_ id: ServerItemID, of stream: String, _ content: ForeignStory) {
    (self.id, self.stream, self.content) = (id, stream, content)
  }

  package static let blank = ServerStory(.blank, of: "", .blank)

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&id)
    coder.code(&stream, .source)
    coder.code(&content)
    coder.code(&date, in: Int.min...Int.max)
    coder.code(&arrived)
    coder.code(&changed)
  }
}

extension ServerItemID: RecordValue {
  package static let blank = ServerItemID(low: 0)

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var parts = (Int(high), Int(truncatingIfNeeded: low))
    coder.code(&parts.0, in: 0...Int(UInt32.max))
    coder.code(&parts.1, in: Int.min...Int.max)
    (high, low) = (UInt32(parts.0), UInt64(truncatingIfNeeded: parts.1))
  }
}
