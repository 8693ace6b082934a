internal import System

/// The meanings of an element's class and id.
///
/// The words are those of Readability.js 0.6.0 (`REGEXPS`), and some that have become usual since.
struct PageNames: OptionSet, Sendable {
  let rawValue: UInt16

  static let unlikely = PageNames(rawValue: 1)
  /// A candidate even where it has an unlikely word.
  static let candidate = PageNames(rawValue: 2)
  static let positiveClass = PageNames(rawValue: 4)
  static let negativeClass = PageNames(rawValue: 8)
  static let positiveID = PageNames(rawValue: 16)
  static let negativeID = PageNames(rawValue: 32)
  static let sharing = PageNames(rawValue: 64)
  /// No part of an article, unless it holds most of the page: advertisements, related articles.
  static let foreign = PageNames(rawValue: 128)
  /// No part of any article: comments, a wall of consent, text for screen readers alone.
  static let never = PageNames(rawValue: 256)
  /// The element around the article's text in many pages.
  static let body = PageNames(rawValue: 512)
  /// The end of the free part, or the part that only subscribers may read.
  static let paywall = PageNames(rawValue: 1024)
  static let byline = PageNames(rawValue: 2048)
  /// Text in larger letters at the beginning of the article.
  static let lead = PageNames(rawValue: 4096)

  init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Reads a class and an id; a part's id is made of its heading in many pages, so that the words
  /// in it are the writer's.
  init(class className: String, id: String, isPart: Bool = false) {
    self = []
    for (text, isClass) in [(className, true), (id, false)] where !text.isEmpty {
      let bytes = text.utf8.prefix(Self.maximumLength).map(\.asciiLowercased)
      let words = isPart && !isClass ? [] : Self.words(in: bytes)
      formUnion(words.intersection([.unlikely, .candidate]))
      if words.contains(.positiveClass) { insert(isClass ? .positiveClass : .positiveID) }
      if words.contains(.negativeClass) { insert(isClass ? .negativeClass : .negativeID) }
      formUnion(Self.tokens(of: bytes, areWritten: isPart && !isClass))
    }
  }

  var weight: Int {
    (contains(.positiveClass) ? 25 : 0) + (contains(.positiveID) ? 25 : 0)
      - (contains(.negativeClass) ? 25 : 0) - (contains(.negativeID) ? 25 : 0)
  }

  private static let maximumLength = 512

  private static func words(in bytes: [UInt8]) -> PageNames {
    var found: PageNames = []
    for index in bytes.indices {
      for (word, meaning) in dictionary[Int(bytes[index])]
      where bytes[index...].starts(with: word) { found.formUnion(meaning) }
    }
    return found
  }

  private static let dictionary: [[([UInt8], PageNames)]] = {
    var table = [[([UInt8], PageNames)]](repeating: [], count: 256)
    for (meaning, words) in vocabulary {
      for word in words.split(separator: " ") {
        table[Int(word.utf8.first ?? 0)].append((Array(word.utf8), meaning))
      }
    }
    return table
  }()

  private static let vocabulary: [(PageNames, String)] = [
    (
      .unlikely,
      "-ad- ai2html banner breadcrumbs combx comment community cover-wrap disqus extra footer gdpr"
        + " header legends menu related remark replies rss shoutbox sidebar skyscraper social sponsor"
        + " supplemental ad-break agegate pagination pager popup yom-remote",
    ),
    (.candidate, "and article body column content main mathjax shadow"),
    (
      .positiveClass,
      "article body content entry hentry h-entry main page pagination post text blog story",
    ),
    (
      .negativeClass,
      "-ad- hidden banner combx comment com- contact footer gdpr masthead media meta outbrain promo"
        + " related scroll share shoutbox sidebar skyscraper sponsor shopping tags widget",
    ),
  ]

  /// Returns the meanings of names that as parts of other words would have none.
  ///
  /// A name that may be made of a heading's words counts only as a whole.
  private static func tokens(of bytes: [UInt8], areWritten: Bool) -> PageNames {
    var found: PageNames = []
    for token in bytes.split(whereSeparator: \.isASCIISpace) {
      let name = String(decoding: token, as: UTF8.self)
      found.formUnion(
        areWritten ? PageVocabulary.meaning(ofWhole: name) : PageVocabulary.meaning(of: name)
      )
    }
    return found
  }
}
