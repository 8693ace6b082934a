/// One thing that a search asks of a story.
package enum SearchTerm: Hashable, Sendable {
  /// A word, a phrase or an expression in one of the texts of a place.
  case text(SearchPlace, SearchText)
  /// The host of the link, or one above it.
  case site(String)
  /// As `--feed` has them.
  case feed(String)
  case tag(String)
  case state(StoryState)
  case part(StoryPart)
  /// Times as they were typed: a saved search is always about now.
  case since(String)
  case before(String)
  case today
  /// More characters than these, or fewer.
  case length(isAbove: Bool, Int)
  case language(String)
}

/// What is looked for in texts.
package enum SearchText: Hashable, Sendable {
  case words(String)
  case expression(TextExpression)
}

/// Where a text is looked for; the names are those of the fields.
package enum SearchPlace: String, Hashable, Sendable, CaseIterable {
  /// Title, author, categories, summary and whole text.
  case anywhere = ""
  case title, text, author, category, link, note
}

/// What `is:` asks.
package enum StoryState: String, Hashable, Sendable, CaseIterable {
  case read, unread, starred, new, updated, downloaded
}

/// What `has:` asks for.
package enum StoryPart: String, Hashable, Sendable, CaseIterable {
  case enclosure, image, text, comments, note
}

/// A search as it was typed: which stories, and in which order.
package struct StorySearch: Hashable, Sendable {
  package var condition = Condition<SearchTerm>.always
  /// nil for the newest first.
  package var sort: SearchSort?

  package init() {}

  package var isEmpty: Bool { self == StorySearch() }

  /// Takes up what else was typed; the last order counts.
  ///
  /// - Throws: where both together are larger than one search may be.
  package mutating func add(_ other: StorySearch) throws(SearchFault) {
    let all = condition && other.condition
    let terms = all.terms
    let expressions = terms.count { if case .text(_, .expression) = $0 { true } else { false } }
    guard terms.count <= SearchParser.maximumTerms,
      expressions <= SearchParser.maximumExpressions
    else {
      throw SearchFault(
        offset: 0,
        reason: "all together there are more than \(SearchParser.maximumTerms) words or "
          + "\(SearchParser.maximumExpressions) expressions",
      )
    }
    condition = all
    sort = other.sort ?? sort
  }
}

/// An order of stories; those that are equal in it stand newest first.
package struct SearchSort: Hashable, Sendable {
  package enum Key: String, Hashable, Sendable, CaseIterable {
    case date, feed, title, length, unread
  }

  package var key: Key
  /// Whether it is turned round.
  package var isReversed = false

  package init(_ key: Key, isReversed: Bool = false) {
    (self.key, self.isReversed) = (key, isReversed)
  }
}

/// The fields of a search: what stands before a colon.
package enum SearchField: String, CaseIterable, Sendable {
  case title, text, author, category, link, note, site, feed, tag, `is`, has, since, before, length
  case lang, sort

  /// All values that it can have; nil where these have no end.
  package var values: [String]? {
    switch self {
    case .is: StoryState.allCases.map(\.rawValue)
    case .has: StoryPart.allCases.map(\.rawValue)
    case .sort: SearchSort.Key.allCases.map(\.rawValue)
    default: nil
    }
  }

  /// All of them with their values, or else what they are about.
  package static var help: String {
    let fields = allCases.map { field in
      let what = field.values.map { $0.joined(separator: "|") } ?? "(\(field.meaning))"
      return field.values == nil ? "\(field.rawValue): \(what)" : "\(field.rawValue):\(what)"
    }
    return fields.joined(separator: ", ")
      + ", and today. A word with a colon goes in quotation marks where it could be a field."
  }

  /// What it is about, for the help and the shells.
  package var meaning: String {
    switch self {
    case .title: "in the title"
    case .text: "in the summary or the whole text"
    case .author: "in the author"
    case .category: "in a category"
    case .link: "in the link"
    case .note: "in your note on it"
    case .site: "the host of the link, or one above it"
    case .feed: "a feed, as --feed has it"
    case .tag: "a tag of the feed or the story"
    case .is: "its state"
    case .has: "what it carries"
    case .since: "not older than: 2026-11-01, tuesday, 3d"
    case .before: "older than, in the same forms"
    case .length: "characters of its text: >2000, <500"
    case .lang: "the language of its feed: de"
    case .sort: "the order; -sort: turns it round"
    }
  }
}
