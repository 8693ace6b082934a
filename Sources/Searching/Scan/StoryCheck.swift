internal import CommandLine
package import System

/// A term of a search with the names in it resolved: what is asked of a story, by what this home has.
package enum StoryCheck: Hashable, Sendable {
  case word(SearchPlace, FoldedWord)
  case expression(SearchPlace, TextExpression)
  /// The host of the link, or one above it.
  case host(String)
  /// The URLs of feeds, of which one carries it.
  case feeds(Set<String>)
  case tag(StoryTag)
  case state(StoryState)
  /// Seconds since 2001; of no time, all is later.
  case storedAfter(Double?)
  case part(StoryPart)
  /// Seconds since 1970: from then on, or up to there without it.
  case since(Int)
  case before(Int)
  case length(isAbove: Bool, Int)

  /// A name in a search that stands for feeds.
  package enum Name {
    case feed(String)
    case tag(StoryTag)
    case language(String)
  }

  /// Whether it can be about a whole text.
  package var isAboutTexts: Bool {
    switch self {
    case .word(let place, _), .expression(let place, _): place == .anywhere || place == .text
    case .length, .part(.image): true
    default: false
    }
  }
}

extension Condition<StoryCheck> {
  /// What a search asks, where `seen` is when all stories were last listed, in seconds since 2001,
  /// and `feeds` gives the URLs of the feeds that a name means.
  package init<Failure: Error>(
    _ search: Condition<SearchTerm>,
    _ clock: WallClock,
    seen: () throws(Failure) -> Double?,
    feeds: (StoryCheck.Name) throws(Failure) -> Set<String>,
  ) throws(Failure) {
    self = try search.map { term throws(Failure) in
      switch term {
      case .feed(let word): .feeds(try feeds(.feed(word)))
      case .language(let tag): .feeds(try feeds(.language(tag)))
      case .state(.new): .storedAfter(try seen())
      default: StoryCheck(term, clock)
      }
    }.withFeeds(ofTags: feeds)
  }

  /// A tag is of stories, and of their feeds.
  private func withFeeds<Failure: Error>(
    ofTags feeds: (StoryCheck.Name) throws(Failure) -> Set<String>
  ) throws(Failure) -> Condition {
    switch self {
    case .all(let parts):
      .all(try parts.map { part throws(Failure) in try part.withFeeds(ofTags: feeds) })
    case .any(let parts):
      .any(try parts.map { part throws(Failure) in try part.withFeeds(ofTags: feeds) })
    case .not(let inner): .not(try inner.withFeeds(ofTags: feeds))
    case .term(.tag(let tag)): .any([self, .term(.feeds(try feeds(.tag(tag))))])
    case .term: self
    }
  }
}

extension StoryCheck {
  /// Of a term without a name that has to be resolved.
  fileprivate init(_ term: SearchTerm, _ clock: WallClock) {
    let times = TimeExpression(clock: clock)
    switch term {
    case .text(let place, .words(let words)):
      // A search has no term of a word that is nothing but marks.
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
  /// Whether it can be about whole texts.
  package var isAboutTexts: Bool { terms.contains(where: \.isAboutTexts) }
}
