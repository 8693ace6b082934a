/// How the texts of an item stand one after the other: title, date, guid, link, summary.
package struct ItemTextLayout: Hashable, Sendable {
  /// Where each text ends, in bytes from the beginning of the first.
  package var titleEnd = 0
  package var pubDateEnd = 0
  package var guidEnd = 0
  package var linkEnd = 0
  package var summaryEnd = 0

  package init() {}
}

/// The texts of an item that differ from one to the next.
enum ItemTexts: Hashable, Sendable {
  /// As they were parsed, and as most stay.
  ///
  /// PERF: one piece of memory for five strings. To make, keep and free them cost as much as
  /// everything else that is done for a story.
  case packed(PackedTexts)
  indirect case strings(ItemStrings)

  var title: String {
    switch self {
    case .packed(let texts): texts.title
    case .strings(let strings): strings.title
    }
  }

  var link: String {
    switch self {
    case .packed(let texts): texts.link
    case .strings(let strings): strings.link
    }
  }

  var pubDate: String {
    switch self {
    case .packed(let texts): texts.pubDate
    case .strings(let strings): strings.pubDate
    }
  }

  var guid: String? {
    switch self {
    case .packed(let texts): texts.guid
    case .strings(let strings): strings.guid
    }
  }

  var summary: String? {
    switch self {
    case .packed(let texts): texts.summary
    case .strings(let strings): strings.summary
    }
  }

  /// The texts to be changed.
  var strings: ItemStrings {
    get {
      switch self {
      case .packed(let texts): texts.strings
      case .strings(let strings): strings
      }
    }
    set { self = .strings(newValue) }
  }

  static func == (one: ItemTexts, other: ItemTexts) -> Bool {
    if case .packed(let first) = one, case .packed(let second) = other {
      return first.isEqual(to: second)
    }
    return one.strings == other.strings
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(strings)
  }
}

/// The same, each as a string.
struct ItemStrings: Hashable, Sendable {
  var title = ""
  var link = ""
  var pubDate = ""
  var guid: String?
  var summary: String?
}
