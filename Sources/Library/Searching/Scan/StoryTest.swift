package import FeedLibrary
internal import FeedModel
internal import System

/// Tests whether conditions hold of one story after the other.
///
/// Tests the cheap terms first, and reads a whole text only where the answer depends on it. A text
/// that several conditions search is read and folded once. Each thread has its own test.
package struct StoryTest: ~Copyable {
  private let conditions: [Condition<Check>]
  private let isAboutTexts: Bool
  private var texts: StoryTexts
  /// Seconds since 2001.
  private let now: Double
  private var times: RuleTimes

  enum Check {
    case word(SearchPlace, FoldedWord)
    case expression(SearchPlace, TextExpression.Matcher)
    case feeds(FeedChoice)
    case other(StoryCheck)
  }

  /// Prepares the conditions; a story dated after `now` (seconds since 1970) counts as of when it
  /// was stored.
  package init(_ conditions: [Condition<StoryCheck>], now: Double) {
    let checks = conditions.flatMap(\.terms)
    isAboutTexts = checks.contains(where: \.isAboutTexts)
    texts = StoryTexts(places: Self.places(checks))
    self.conditions = conditions.map { $0.cheapFirst().map(Check.init) }
    times = RuleTimes(rules: conditions.count)
    self.now = now - Date.timeIntervalBetween1970AndReferenceDate
  }

  private static func places(_ checks: [StoryCheck]) -> [SearchPlace] {
    let named = checks.compactMap { check -> SearchPlace? in
      switch check {
      case .word(let place, _), .expression(let place, _): place
      default: nil
      }
    }
    let all: [SearchPlace] = [.title, .author, .category, .text]
    return all.filter { named.contains($0) || named.contains(.anywhere) }
  }

  /// Returns the numbers of the conditions that hold of a story that a feed brings.
  ///
  /// `fail` receives why a condition was not tested, or that it takes too long and rests from now on.
  package mutating func holding(
    of story: IncomingStory,
    fail: (Int, any Error) -> Void,
  ) -> [Int] {
    var facts = IncomingFacts(story: story, now: now)
    texts.begin(isWhole: !isAboutTexts)
    var found: [Int] = []
    times.beginStory()
    for (number, condition) in conditions.enumerated() where times.begin(number) {
      do {
        if try holds(condition, of: &facts) { found.append(number) }
      } catch {
        fail(number, error)
      }
      if times.end() { fail(number, RuleTimes.isOver) }
    }
    return found
  }

  mutating func holds(of story: inout some StoryFacts) throws -> Bool {
    texts.begin(isWhole: isAboutTexts ? try !story.hasWhole() : true)
    for condition in conditions where try !holds(condition, of: &story) { return false }
    return true
  }

  private mutating func holds(
    _ condition: Condition<Check>,
    of story: inout some StoryFacts,
  ) throws -> Bool {
    if let answer = try value(condition, of: &story) { return answer }
    texts.add(whole: try story.whole())
    return try value(condition, of: &story) ?? false
  }

  /// Returns nil where the answer depends on the whole text, which has not been searched.
  private mutating func value(
    _ condition: Condition<Check>,
    of story: inout some StoryFacts,
  ) throws -> Bool? {
    switch condition {
    case .term(let check): return try value(check, of: &story)
    case .not(let inner): return try value(inner, of: &story).map { !$0 }
    case .all(let parts): return try value(parts, unless: false, of: &story)
    case .any(let parts): return try value(parts, unless: true, of: &story)
    }
  }

  /// Returns `decisive` if any part has that value, else the opposite; nil where that is open.
  private mutating func value(
    _ parts: [Condition<Check>],
    unless decisive: Bool,
    of story: inout some StoryFacts,
  ) throws -> Bool? {
    var isKnown = true
    for part in parts {
      guard let answer = try value(part, of: &story) else {
        isKnown = false
        continue
      }
      if answer == decisive { return decisive }
    }
    return isKnown ? !decisive : nil
  }

  private mutating func value(_ check: Check, of story: inout some StoryFacts) throws -> Bool? {
    switch check {
    case .word(let place, let word):
      try times.check()
      return try found(word.occurs(in: texts.bytes(place, of: story)), in: place)
    case .expression(let place, let matcher):
      try times.check()
      let bytes = try texts.bytes(place, of: story)
      return try found(matcher.matches(bytes, hurries: times.areShort), in: place)
    case .feeds(let choice): return try story.isOf(choice)
    case .other(let check): return try value(check, of: story)
    }
  }

  private func found(_ isFound: Bool, in place: SearchPlace) -> Bool? {
    let isAll = texts.isWhole || place != .anywhere && place != .text
    return isFound ? true : isAll ? false : nil
  }

  private mutating func value(_ check: StoryCheck, of story: some StoryFacts) throws -> Bool? {
    switch check {
    case .host(let host):
      let own = WebURL.host(of: try story.link()) ?? ""
      return own == host || own.hasSuffix("." + host)
    case .tag(let tag): return tag.isAmong(try story.tags())
    case .state(let state): return try story.isIn(state)
    case .storedAfter(let time?): return try (story.instants().stored ?? time) > time
    case .part(let part): return try has(part, story)
    case .since(let time): return try instant(of: story).map { $0 >= time } ?? false
    case .before(let time): return try instant(of: story).map { $0 < time } ?? false
    case .length(let isAbove, let limit):
      return try texts.length(of: story).map { isAbove ? $0 > limit : $0 < limit }
    case .storedAfter(nil), .word, .expression, .feeds: return true
    }
  }

  private func instant(of story: some StoryFacts) throws -> Int? {
    let (date, stored) = try story.instants()
    return StoryTime.instant(date: date, stored: stored, now: now).map {
      Int(clamping: $0 + Date.timeIntervalBetween1970AndReferenceDate)
    }
  }

  private func has(_ part: StoryPart, _ story: some StoryFacts) throws -> Bool? {
    switch part {
    case .comments: return try story.comments() != nil
    case .note: return try story.note() != nil
    case .enclosure: return try story.enclosures().contains { SafeLink.isSafe($0.url) }
    case .text: return try story.hasText()
    case .image:
      let isEnclosed = try story.enclosures().contains { $0.isImage && SafeLink.isSafe($0.url) }
      if isEnclosed { return true }
      let isDeclared = try story.related().contains {
        $0.role == .image && SafeLink.isSafe($0.url)
      }
      return isDeclared ? true : texts.isWhole ? texts.whole?.hasImage ?? false : nil
    }
  }
}

extension StoryTest.Check {
  fileprivate init(_ check: StoryCheck) {
    switch check {
    case .word(let place, let word): self = .word(place, word)
    case .expression(let place, let expression): self = .expression(place, .init(expression))
    case .feeds(let feeds): self = .feeds(FeedChoice(feeds))
    default: self = .other(check)
    }
  }
}

extension StoryText {
  fileprivate var hasImage: Bool {
    isHTML
      && bytes.indices.contains { index in
        bytes[index] == UInt8(ascii: "<") && index + 4 < bytes.count
          && bytes[(index + 1)...(index + 3)].elementsEqual("img".utf8) { $0 | 0x20 == $1 }
          && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index + 4] | 0x20)
      }
  }
}

extension Condition<StoryCheck> {
  fileprivate func cheapFirst() -> Condition {
    switch self {
    case .all(let parts): .all(parts.map { $0.cheapFirst() }.byCost)
    case .any(let parts): .any(parts.map { $0.cheapFirst() }.byCost)
    case .not(let inner): .not(inner.cheapFirst())
    case .term: self
    }
  }

  fileprivate var cost: Int { terms.map(\.cost).max() ?? 0 }
}

extension [Condition<StoryCheck>] {
  fileprivate var byCost: Self {
    enumerated().sorted { one, other in
      (one.element.cost, one.offset) < (other.element.cost, other.offset)
    }.map(\.element)
  }
}

extension StoryCheck {
  fileprivate var cost: Int {
    switch self {
    case .state(.flag), .state(.unread), .state(.new): 0
    case .feeds, .storedAfter: 1
    case .since, .before: 2
    case .tag, .host, .part, .state(.updated): 3
    case .word: isAboutTexts ? 5 : 4
    case .expression: isAboutTexts ? 6 : 4
    case .state(.downloaded): 4
    case .length: 7
    }
  }
}
