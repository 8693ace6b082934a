package import FeedModel
package import FeedParsing
package import System

package struct DatabasePart: RecordValue {
  /// The key by which a story is asked for, and its feed.
  package struct Row: RecordValue {
    package var key = 0
    package var feed = ""
    package var (title, link): (String?, String?)

    package static let blank = Row()

    package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
      coder.code(&key, in: Int.min...Int.max)
      coder.code(&feed, .source)
      coder.code(&title, .line)
      coder.code(&link, .link)
    }
  }

  package var isNewsboat = false
  package var rows: [Row] = []
  /// The story with which the next page begins; nil after the last page.
  package var next: Int?
  /// The stories that were asked for, as far as there was room; nil for one that is gone.
  package var stories: [ForeignStory?] = []
  /// The reason why nothing of it can be read.
  package var fault: String?

  package static let blank = DatabasePart()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&isNewsboat)
    coder.code(&rows)
    coder.code(&next, in: Int.min...Int.max)
    coder.code(&stories)
    coder.code(&fault, .line)
  }
}

extension ForeignStory: RecordValue {
  package static let blank = ForeignStory()

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&guid, .source)
    coder.code(&title, .source)
    coder.code(&html, .source)
    coder.code(&text, .source)
    coder.code(&base, .source)
    coder.code(&link, .source)
    coder.code(&date, .source)
    coder.code(&author, .source)
    coder.code(&categories, .source)
    coder.code(&enclosures)
    coder.code(&isRead)
    coder.code(&isStarred)
    coder.code(&isDeleted)
    coder.code(&tags, .line)
    coder.code(&stored)
  }
}

extension Enclosure: RecordValue {
  package static var blank: Enclosure { Enclosure(url: "") }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&url, .source)
    coder.code(&type, .source)
    var bytes = length.map { Int($0) }
    coder.code(&bytes, in: 0...Int.max)
    length = bytes.map { Int64($0) }
  }
}
