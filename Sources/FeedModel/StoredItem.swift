package import System

/// A story in the data file: what its feeds published, and what the reader did with it.
package struct StoredItem: Hashable, Sendable {
  /// Sixteen lower-case hexadecimal digits, given once when the story is stored and never changed.
  package var id: String
  package var item: Item
  /// The URLs of the feeds that carried it, the first one first.
  package var feeds: [String]
  /// When it was first stored.
  package var stored: Optional<Date>
  package var isRead: Bool
  package var isStarred: Bool
  /// The article that its page had, and whether that is shown.
  package var article: StoredArticle
  /// What rules filed it under.
  package var tags: [String]
  /// The reader's note: a line of at most `SyncKey.maximumText` bytes.
  package var note: Optional<String>
  /// The names of the rules that did something to it as it came.
  package var rules: [String]
  /// Where its enclosure was saved: an absolute path.
  package var file: Optional<String>
  /// At most one of each feed: the last delivery that was taken for this story by something else
  /// than its key.
  package var matches: [StoryMatch]
  /// The last time that its feed changed it: of each part that changed then, and of those that
  /// make keys, in the order of the parts.
  package var changes: [StoryChange]

  /// The story as it comes back from a coder, of which the item is none of the business.
  package func passed<Coder: StoryCoder & ~Copyable>(
    through coder: inout Coder
  ) throws(Coder.Failure) -> StoredItem {
    StoredItem(
      id: try coder.text(.id, id) ?? "",
      item: item,
      feeds: try coder.texts(.feeds, feeds),
      stored: try coder.date(.stored, stored),
      isRead: try coder.flag(.read, isRead),
      isStarred: try coder.flag(.starred, isStarred),
      article: try article.passed(through: &coder),
      tags: try coder.texts(.tags, tags),
      note: try coder.text(.note, note),
      rules: try coder.texts(.rules, rules),
      file: try coder.text(.file, file).flatMap { $0.hasPrefix("/") ? $0 : nil },
      matches: try coder.matches(.matched, matches),
      changes: try coder.changes(.changed, .previous, changes),
    )
  }
}

extension StoredItem {
  package init(id: String, item: Item, feeds: [String], stored: Date?) {
    self.init(
      id: id,
      item: item,
      feeds: feeds,
      stored: stored,
      isRead: false,
      isStarred: false,
      article: StoredArticle(),
      tags: [],
      note: nil,
      rules: [],
      file: nil,
      matches: [],
      changes: [],
    )
  }
}

extension StoredItem {
  /// The texts that the reader has typed, each by what it is of the story.
  package var typedTexts: [SyncKey.StoryMark: String] {
    get { [.note: note].compactMapValues(\.self) }
    set { note = newValue[.note] }
  }
}

extension SyncKey.StoryMark {
  /// The field of a typed text in the data file; nil for what is none.
  package var textField: ItemField? { self == .note ? .note : nil }
}

/// The article of a story's page, kept beside the text that its feed published.
package struct StoredArticle: Hashable, Sendable {
  /// `StoryText.number` of the article; 0 where none stands beside the feed's text.
  package var number: Int
  /// Says that a page's text is shown.
  ///
  /// Without a number that is the text which stands in the place of the feed's: saved pages have it
  /// there, and earlier versions put all articles there.
  package var isShown: Bool

  package init(number: Int = 0, isShown: Bool = false) {
    (self.number, self.isShown) = (number, isShown)
  }

  package var isBeside: Bool { number != 0 }
  /// Says that a page's text stands in the feed's place, where no text of the feed replaces it.
  package var isInPlace: Bool { isShown && !isBeside }

  /// Returns the article as it comes back from a coder.
  package func passed<Coder: ItemCoder & ~Copyable>(
    through coder: inout Coder
  ) throws(Coder.Failure) -> StoredArticle {
    StoredArticle(
      number: try coder.number(.articleText, isBeside ? number : nil) ?? 0,
      isShown: try coder.flag(.pageText, isShown),
    )
  }

  /// Returns the keys of a story's whole texts, that which is shown first; none where its summary is
  /// all of it.
  ///
  /// Where an article is lost, the feed's text is shown.
  package func textKeys(ofStory id: String, hasText: Bool) -> [String] {
    (isShown && isBeside ? [key(ofStory: id)] : []) + (hasText ? [id] : [])
  }

  /// Returns the key of the article: each that a story ever had has its own.
  package func key(ofStory id: String) -> String {
    "\(id)-\(UInt64(truncatingIfNeeded: number).hexadecimal)"
  }
}

extension StoredItem {
  package var textKeys: [String] {
    article.textKeys(ofStory: id, hasText: item.textNumber != 0)
  }

  package var articleKey: String? { article.isBeside ? article.key(ofStory: id) : nil }
}

/// That a delivered story was taken for a stored one which its own key does not name.
package struct StoryMatch: Hashable, Sendable {
  /// What both had in common.
  package enum Rule: String, Hashable, Sendable {
    /// A guid that is a permanent URL, equal to the other's guid or link.
    case guid
    /// The link, without tracking parameters and fragment.
    case link
    /// The title, and the date where there is one.
    case titleAndDate
    /// The id: it was made of a key that the story has again.
    case id
  }

  /// The URL of the feed that delivered it.
  package var feed: String
  package var rule: Rule
  package var date: Date

  package init(feed: String, rule: Rule, date: Date) {
    self.feed = feed
    self.rule = rule
    self.date = date
  }
}

/// What the last change of a stored story by its feed did to a part of it.
package struct StoryChange: Hashable, Sendable {
  /// Parts of a story, in the order in which they are told; the names are those of the data file.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case title, pubDate, link, guid, author, summary, categories, enclosures, text

    /// Whether a story's id is made of it: its last change is kept beside later ones of other parts.
    package var makesKeys: Bool { self == .link || self == .guid }
  }

  package var part: Part
  package var date: Date
  /// What it was before, at most `maximumCharacters`; of a title, date, link or guid only, and nil
  /// where there was none.
  package var was: String?

  /// What is kept of an earlier title, date, link or guid.
  package static let maximumCharacters = 300

  package init(part: Part, date: Date, was: String?) {
    self.part = part
    self.date = date
    self.was = was
  }
}
