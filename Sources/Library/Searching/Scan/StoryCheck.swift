package import System

/// A term of a search whose names of feeds and tags are resolved.
package enum StoryCheck: Hashable, Sendable {
  case word(SearchPlace, FoldedWord)
  case expression(SearchPlace, TextExpression)
  case host(String)
  /// The URLs of feeds, one of which has to carry the story.
  case feeds(Set<String>)
  case tag(StoryTag)
  case state(StoryState)
  /// Seconds since 2001; nil holds of every story.
  case storedAfter(Double?)
  case part(StoryPart)
  /// Seconds since 1970, included by `since` and not by `before`.
  case since(Int)
  case before(Int)
  case length(isAbove: Bool, Int)

  package enum Name {
    case feed(String)
    case tag(StoryTag)
    case language(String)
  }

  package var isAboutTexts: Bool {
    switch self {
    case .word(let place, _), .expression(let place, _): place == .anywhere || place == .text
    case .length, .part(.image): true
    default: false
    }
  }
}

extension Condition<StoryCheck> {
  /// Resolves the names in a search.
  ///
  /// `seen` returns the time when all stories were last listed, in seconds since 2001.
  package init(
    _ search: Condition<SearchTerm>,
    _ clock: WallClock,
    seen: () throws -> Double?,
    feeds: (StoryCheck.Name) throws -> Set<String>,
  ) rethrows {
    self = try search.flatMap { term in
      let check = StoryCheck(term, clock)
      return switch (term, check) {
      case (.feed(let word), _): .term(.feeds(try feeds(.feed(word))))
      case (.language(let tag), _): .term(.feeds(try feeds(.language(tag))))
      case (.state(.new), _): .term(.storedAfter(try seen()))
      // A tag may be one of stories, or of their feeds.
      case (_, .tag(let tag)): .any([.term(check), .term(.feeds(try feeds(.tag(tag))))])
      default: .term(check)
      }
    }
  }
}

extension StoryCheck {
  fileprivate init(_ term: SearchTerm, _ clock: WallClock) {
    let times = TimeExpression(clock: clock)
    switch term {
    case .text(let place, .words(let words)):
      // No search has a term of nothing but marks.
      self = FoldedWord(words).map { .word(place, $0) } ?? .feeds([])
    case .text(let place, .expression(let expression)): self = .expression(place, expression)
    case .site(let host): self = .host(host)
    case .tag(let name): self = .tag(StoryTag(name: name))
    case .state(let state): self = .state(state)
    case .part(let part): self = .part(part)
    case .since(let time): self = .since(times.seconds(time, edge: .start) ?? .max)
    case .before(let time): self = .before(times.seconds(time, edge: .start) ?? .min)
    case .today: self = .since(times.seconds("today", edge: .start) ?? .max)
    case .length(let isAbove, let number): self = .length(isAbove: isAbove, number)
    case .feed, .language: self = .feeds([])
    }
  }
}

extension Condition<StoryCheck> {
  package var isAboutTexts: Bool { terms.contains(where: \.isAboutTexts) }
}
