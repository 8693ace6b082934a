package import System

package struct StoredItem: Hashable, Sendable {
  /// Sixteen lower-case hexadecimal digits, given once when the story is stored and never changed.
  package var id: String
  package var item: Item
  /// The URLs of the feeds that carried it, the first one first.
  package var feeds: [String]
  package var stored: Optional<Date>
  /// When it came to this home, for one that another home or reader had stored before.
  package var arrived: Optional<Date>
  package var flags: StoryFlags
  package var article: StoredArticle
  @TagList package var tags: [String]
  /// A line of at most `SyncKey.maximumText` bytes.
  package var note: Optional<String>
  package var rules: [String]
  /// The absolute path of the saved enclosure.
  package var file: Optional<String>
  /// The last delivery of each feed that was matched by anything but its key.
  package var matches: [StoryMatch]
  /// The feeds' last change: the parts that changed then, and links and guids that changed before.
  ///
  /// In the order of the parts.
  package var changes: [StoryChange]

  package func coded<Coder: StoryCoder & ~Copyable>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> StoredItem {
    StoredItem(
      id: try coder.text(.id, id) ?? "",
      item: item,
      feeds: try coder.texts(.feeds, feeds),
      stored: try coder.date(.stored, stored),
      arrived: try coder.date(.arrived, arrived),
      flags: try flags.coded(by: &coder),
      article: try article.coded(by: &coder),
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
      arrived: nil,
      flags: StoryFlags(),
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
  package var isRead: Bool {
    get { flags[.read] }
    set { flags[.read] = newValue }
  }

  package var isStarred: Bool {
    get { flags[.starred] }
    set { flags[.starred] = newValue }
  }

  package var typedTexts: [SyncKey.StoryMark: String] {
    get { [.note: note].compactMapValues(\.self) }
    set { note = newValue[.note] }
  }
}

extension SyncKey.StoryMark {
  package var textField: ItemField? { self == .note ? .note : nil }
}

extension StoryFlags {
  fileprivate func coded<Coder: ItemCoder & ~Copyable>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> StoryFlags {
    var flags = self
    for flag in StoryFlag.allCases { flags[flag] = try coder.flag(flag.field, self[flag]) }
    return flags
  }
}

package struct StoredArticle: Hashable, Sendable {
  /// `StoryText.number` of the article; 0 where none stands beside the feed's text.
  package var number: Int
  /// True where a page's text is shown.
  ///
  /// Without a number that text stands in the place of the feed's, as it does for saved pages and
  /// did for all articles in earlier versions.
  package var isShown: Bool

  package init(number: Int = 0, isShown: Bool = false) {
    (self.number, self.isShown) = (number, isShown)
  }

  package var isBeside: Bool { number != 0 }
  /// True for a page's text in the feed's place, as long as no text of the feed replaces it.
  package var isInPlace: Bool { isShown && !isBeside }

  package func coded<Coder: ItemCoder & ~Copyable>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> StoredArticle {
    StoredArticle(
      number: try coder.number(.articleText, isBeside ? number : nil) ?? 0,
      isShown: try coder.flag(.pageText, isShown),
    )
  }

  /// Returns the keys of a story's whole texts, the shown one first; none where its summary is all.
  ///
  /// The feed's text is shown if an article is lost.
  package func textKeys(ofStory id: String, hasText: Bool) -> [String] {
    (isShown && isBeside ? [key(ofStory: id)] : []) + (hasText ? [id] : [])
  }

  /// Returns a key that no other article of the story has ever had.
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

/// A delivery that was matched to a stored story although their keys differ.
package struct StoryMatch: Hashable, Sendable {
  package enum Rule: String, Hashable, Sendable {
    /// A guid that is a permanent URL, equal to the other's guid or link.
    case guid
    /// The link, compared without tracking parameters and fragment.
    case link
    /// The date counts only where there is one.
    case titleAndDate
    /// The id: it was made of a key that the story has again.
    case id
  }

  package var feed: String
  package var rule: Rule
  package var date: Date

  package init(feed: String, rule: Rule, date: Date) {
    self.feed = feed
    self.rule = rule
    self.date = date
  }
}

/// The last change of one part of a stored story by its feed.
package struct StoryChange: Hashable, Sendable {
  /// The order is that of printing; the names are those of the data file.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case title, pubDate, link, guid, author, summary, categories, enclosures, text

    /// True for parts that make keys: their last change is kept beside later ones of other parts.
    package var makesKeys: Bool { self == .link || self == .guid }
  }

  package var part: Part
  package var date: Date
  /// The former text of a title, date, link or guid, cut to `maximumCharacters`; nil where none
  /// was.
  package var was: String?

  package static let maximumCharacters = 300

  package init(part: Part, date: Date, was: String?) {
    self.part = part
    self.date = date
    self.was = was
  }
}
