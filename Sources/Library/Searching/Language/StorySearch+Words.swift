package import System

extension StorySearch {
  /// Describes a search in English: `have “camera”, and are unread`.
  ///
  /// The parts of an *or* stand in parentheses where it is one of several things, and a *not* of
  /// several things is said of each.
  package func words(_ clock: WallClock) -> String {
    condition.words(clock, isNegated: false, inside: nil)
  }
}

extension Condition<SearchTerm> {
  fileprivate func words(
    _ clock: WallClock,
    isNegated: Bool,
    inside isAnyOutside: Bool?,
  ) -> String {
    switch self {
    case .term(let term): return term.words(clock, isNegated: isNegated)
    case .not(let inner): return inner.words(clock, isNegated: !isNegated, inside: isAnyOutside)
    case .all(let parts), .any(let parts):
      let isAny = if case .any = self { !isNegated } else { isNegated }
      let words = parts.map { $0.words(clock, isNegated: isNegated, inside: isAny) }
      guard words.count > 1 else { return words.first ?? (isNegated ? "are none" : "are any") }
      let text = words.joined(separator: isAny ? " or " : ", and ")
      return isAnyOutside ?? isAny == isAny ? text : "(\(text))"
    }
  }
}

extension SearchTerm {
  fileprivate func words(_ clock: WallClock, isNegated: Bool) -> String {
    let (verb, rest) = predicate(clock)
    guard isNegated else { return "\(verb) \(rest)" }
    return verb == "are" ? "are not \(rest)" : "do not \(verb) \(rest)"
  }

  private func predicate(_ clock: WallClock) -> (verb: String, rest: String) {
    switch self {
    case .text(let place, let text): ("have", text.words + place.words)
    case .site(let host): ("lead", "to \(host)")
    case .feed(let word): ("are", "of the feed \(Self.quoted(word))")
    case .tag(let word): ("have", "the tag \(Self.quoted(word))")
    case .state(let state): ("are", state.words)
    case .part(let part): ("have", part.words)
    case .since(let time): ("are", "as new as \(Self.time(time, clock))")
    case .before(let time): ("are", "older than \(Self.time(time, clock))")
    case .today: ("are", "of today")
    case .length(let isAbove, let number):
      ("have", "\(isAbove ? "more" : "fewer") than \(Count.of(number, "character"))")
    case .language(let tag): ("are", "in the language \(tag)")
    }
  }

  fileprivate static func quoted(_ word: String) -> String { "“\(SafeText.line(word))”" }

  private static func time(_ text: String, _ clock: WallClock) -> String {
    guard let seconds = TimeExpression(clock: clock).seconds(text, edge: .start) else {
      return text
    }
    let time = clock.civilTime(seconds)
    return "\(time.dateText) \(time.timeText)"
  }
}

extension SearchText {
  fileprivate var words: String {
    switch self {
    case .words(let words): SearchTerm.quoted(words)
    case .expression(let expression): "what /\(SafeText.line(expression.source))/ matches"
    }
  }
}

extension SearchPlace {
  fileprivate var words: String {
    switch self {
    case .anywhere: ""
    case .title: " in the title"
    case .text: " in the text"
    case .author: " in the author"
    case .category: " in a category"
    case .link: " in the link"
    case .note: " in your note"
    }
  }
}

extension StoryState {
  fileprivate var words: String {
    switch self {
    case .flag, .unread, .downloaded: rawValue
    case .new: "new since you last listed them all"
    case .updated: "changed by their feed since they came"
    }
  }
}

extension StoryPart {
  fileprivate var words: String {
    switch self {
    case .enclosure: "an enclosure"
    case .image: "an image"
    case .text: "a text"
    case .comments: "a link to comments"
    case .note: "a note"
    }
  }
}

extension SearchSort {
  package var words: String {
    let (forth, back) =
      switch key {
      case .date: ("newest first", "oldest first")
      case .stored: ("latest first", "earliest first")
      case .feed, .title: ("A to Z", "Z to A")
      case .length: ("longest first", "shortest first")
      case .unread: ("unread first", "read first")
      }
    let name =
      switch key {
      case .unread: "state"
      case .stored: "arrival"
      default: key.rawValue
      }
    return "sorted by \(name), \(isReversed ? back : forth)"
  }
}
