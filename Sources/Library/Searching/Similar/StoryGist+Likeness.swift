extension StoryGist {
  /// Returns by how much two stories are more alike than similar ones have to be; nil for others.
  package func likeness(to other: StoryGist) -> Double? {
    guard mayBeSimilar(to: other) else { return nil }
    guard let coverage = coverage(with: other), coverage >= 0.3, areTextsAlike(other) else {
      return nil
    }
    let (lack, otherLack) = (Lack(of: self, in: other), Lack(of: other, in: self))
    var demand = 0.4 + 0.4 * min(lack.keys, otherLack.keys, 2)
    if lack.hasNumber, otherLack.hasNumber { demand += 0.2 }
    if lack.hasWord, otherLack.hasWord { demand += 0.8 * commonOrder(with: other) }
    if !hasText || !other.hasText { demand += 0.1 }
    let likeness = coverage + 0.22 * Double(min(facts(sharedWith: other), 2)) - demand
    return likeness >= 0 ? likeness : nil
  }

  private func mayBeSimilar(to other: StoryGist) -> Bool {
    guard isTelling, other.isTelling, let instant, let otherInstant = other.instant,
      abs(instant - otherInstant) <= Self.maximumAge,
      !feeds.contains(where: other.feeds.contains)
    else { return false }
    return dates.allSatisfy(other.dates.contains) || other.dates.allSatisfy(dates.contains)
  }

  private func has(_ id: UInt64) -> Bool { words.firstIndex(ofID: id) != nil }

  /// Returns the geometric mean of the shares of the titles that the other story has; nil where
  /// these come to no two words.
  private func coverage(with other: StoryGist) -> Double? {
    guard let share = share(in: other), let otherShare = other.share(in: self) else { return nil }
    return (share * otherShare).squareRoot()
  }

  private func share(in other: StoryGist) -> Double? {
    var (all, found) = (0.0, 0.0)
    for word in titleWords {
      all += word.weight
      if other.has(word.id) { found += word.weight }
    }
    return found >= Self.leastShared ? found / all : nil
  }

  /// The least weight of a title's words that are found again: one word is chance.
  static let leastShared = 1.5

  /// Returns true if two words that both have stand in one of the texts, or if one has no text.
  ///
  /// Columns of several feeds have one title, and texts about anything: `Letters to the editor`.
  private func areTextsAlike(_ other: StoryGist) -> Bool {
    guard hasText, other.hasText else { return true }
    let shared = words.reduce(0.0) { sum, word in
      guard let index = other.words.firstIndex(ofID: word.id) else { return sum }
      return sum + (word.isInText || other.words[index].isInText ? word.weight : 0)
    }
    return shared >= Self.leastShared
  }

  private struct Lack {
    var keys = 0.0
    var hasNumber = false
    var hasWord = false

    init(of story: StoryGist, in other: StoryGist) {
      for word in story.titleWords where !word.isVague && !other.has(word.id) {
        hasWord = true
        if word.isNumber, word.key > 0 { hasNumber = true }
        // The first name of somebody whom both know.
        if word.next == 0 || !other.has(word.next) { keys += word.key }
      }
    }
  }

  private func facts(sharedWith other: StoryGist) -> Int {
    var count = 0
    for word in words {
      guard let index = other.words.firstIndex(ofID: word.id) else { continue }
      let match = other.words[index]
      let isName = (word.isName || match.isName) && !word.isSmall && !match.isSmall
      if word.isFact || isName { count += 1 }
    }
    return count
  }

  /// Returns the length of the longest common subsequence of both titles, as a share of the shorter
  /// title.
  private func commonOrder(with other: StoryGist) -> Double {
    var lengths = Array(repeating: 0, count: other.order.count + 1)
    for word in order {
      var diagonal = 0
      for (column, otherWord) in other.order.enumerated() {
        let above = lengths[column + 1]
        lengths[column + 1] = word == otherWord ? diagonal + 1 : max(above, lengths[column])
        diagonal = above
      }
    }
    return Double(lengths.last ?? 0) / Double(max(min(order.count, other.order.count), 1))
  }
}
