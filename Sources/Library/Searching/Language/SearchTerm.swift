package import FeedModel

package enum SearchTerm: Hashable, Sendable {
  case text(SearchPlace, SearchText)
  /// The host of the link, or a host above it.
  case site(String)
  case feed(String)
  case tag(String)
  case state(StoryState)
  case part(StoryPart)
  /// The time as it was typed: a saved search is always about now.
  case since(String)
  case before(String)
  case today
  /// More characters than these, or fewer.
  case length(isAbove: Bool, Int)
  case language(String)
}

package enum SearchText: Hashable, Sendable {
  case words(String)
  case expression(TextExpression)
}

/// The texts that are searched, by the names of the fields.
package enum SearchPlace: String, Hashable, Sendable, CaseIterable {
  /// Stands for title, author, categories, summary and whole text.
  case anywhere = ""
  case title, text, author, category, link, note
}

package enum StoryState: RawRepresentable, Hashable, Sendable, CaseIterable {
  case flag(StoryFlag)
  case unread, new, updated, downloaded

  package static let (read, starred) = (flag(.read), flag(.starred))
  package static let allCases =
    [read, unread] + StoryFlag.allCases.filter { $0 != .read }.map(flag) + [
      new, updated, downloaded,
    ]

  package init?(rawValue: String) {
    guard let state = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = state
  }

  package var rawValue: String {
    if case .flag(let flag) = self { flag.field.name } else { "\(self)" }
  }
}

package enum StoryPart: String, Hashable, Sendable, CaseIterable {
  case enclosure, image, text, comments, note
}

package struct StorySearch: Hashable, Sendable {
  package var condition = Condition<SearchTerm>.always
  package var sort: SearchSort?

  package init() {}

  package var isEmpty: Bool { self == StorySearch() }

  /// Joins the other search's condition by *and*; its order, if any, replaces this one.
  ///
  /// Fails where both together are larger than one search may be.
  package mutating func add(_ other: StorySearch) throws {
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

/// An order of stories, which keeps equal ones newest first.
package struct SearchSort: Hashable, Sendable {
  package enum Key: String, Hashable, Sendable, CaseIterable {
    case date, feed, title, length, unread, stored
  }

  package var key: Key
  package var isReversed = false

  package init(_ key: Key, isReversed: Bool = false) {
    (self.key, self.isReversed) = (key, isReversed)
  }
}

package enum SearchField: String, CaseIterable, Sendable {
  case title, text, author, category, link, note, site, feed, tag, `is`, has, since, before, length
  case lang, sort

  /// The values that the field knows; nil where it takes any.
  package var values: [String]? {
    switch self {
    case .is: StoryState.allCases.map(\.rawValue)
    case .has: StoryPart.allCases.map(\.rawValue)
    case .sort: SearchSort.Key.allCases.map(\.rawValue)
    default: nil
    }
  }

  package static var help: String {
    let fields = allCases.map { field in
      let what = field.values.map { $0.joined(separator: "|") } ?? "(\(field.meaning))"
      return field.values == nil ? "\(field.rawValue): \(what)" : "\(field.rawValue):\(what)"
    }
    return fields.joined(separator: ", ")
      + ", and today. A word with a colon goes in quotation marks where it could be a field."
  }

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
