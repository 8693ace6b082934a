/// The words of a story by which reports of one thing are known.
///
/// Two stories are similar where all of this holds:
///
/// - No feed carries both, and at most two days lie between them.
/// - Each title has two words that tell stories apart. `Update` and `Episode 12` have not.
/// - Neither title is that of a live blog, and not both name a month or a day of the week that the
///   other's does not: those are columns.
/// - Each title's words are found again in the title or the beginning of the text of the other, two
///   at least: the geometric mean of both shares is the coverage, at least 0.3.
/// - Two of the words that both stories have stand in one of their texts, where both have a text.
/// - The coverage, with 0.22 for each of up to two names or numbers that both have, is at least
///   0.4, and as much more as follows.
///     - 0.4 for each key that both titles have and the other story lacks, up to two: names, words
///       of the title that the own text repeats (three quarters), numbers (a half). Where each is
///       about somebody else, all other words may be equal.
///     - 0.2 where both titles have numbers that the other lacks: other results, parts, days.
///     - Up to 0.8 where each title has a word that the other story lacks: the share of words that
///       the titles have in common in one order. Forms that are filled in again and again are alike
///       in all else: `Study links coffee to lower risk of …`.
///     - 0.1 where a story has no text.
///
/// Words are compared by their first six letters, five of Greek and Cyrillic, without case,
/// diacritics and a final `s`; Chinese, Japanese, Korean and Thai by pairs of signs.
package struct StoryGist: Sendable {
  /// Numbers that stand for the feeds.
  package let feeds: [Int]
  /// Seconds since any fixed time; nil where it is not known.
  package let instant: Double?
  let titleWords: [TitleWord]
  /// All words of the title in their order.
  let order: [UInt64]
  let dates: [UInt64]
  /// The distinct words of title and text by their ids, in the order of these.
  let words: [Word]
  let hasText: Bool
  /// False where the title alone forbids that any story is similar.
  let isTelling: Bool

  struct TitleWord: Sendable {
    let id: UInt64
    let weight: Double
    let isVague: Bool
    let isNumber: Bool
    /// The weight with which a story without the word counts as another one.
    let key: Double
    /// The name that follows at once, of which this may be the first name; 0 where none does.
    let next: UInt64
  }

  /// The greatest time between two similar stories, in seconds.
  static let maximumAge = 48.0 * 3600
  private static let maximumTitle = 200
  private static let maximumText = 300

  package init(title: String, text: String, feeds: [Int], instant: Double?) {
    let title = GistReader.words(of: title, maximumScalars: Self.maximumTitle)
    let text = GistReader.words(of: text, maximumScalars: Self.maximumText)
    self.feeds = feeds
    self.instant = instant
    order = title.map(\.id)
    dates = title.filter { $0.kind == .date }.map(\.id)
    hasText = text.count { $0.kind != .filler } >= 4
    words = Word.distinct(title, text)
    titleWords = Self.titleWords(title, words)
    let strong = titleWords.filter { !$0.isVague }
    isTelling =
      strong.reduce(0) { $0 + $1.weight } >= 2 && strong.contains { !$0.isNumber }
      && !LiveTitle.isLive(title)
  }

  private static func titleWords(_ title: [GistWord], _ words: [Word]) -> [TitleWord] {
    var found: [TitleWord] = []
    var hasTold = false
    for (index, word) in title.enumerated() where word.isWeighty {
      guard !found.contains(where: { $0.id == word.id }) else { continue }
      let next = index + 1 < title.count ? title[index + 1] : nil
      let isFirstName = word.isCapitalizedName && next?.isAdjacent == true
      found.append(
        TitleWord(
          id: word.id,
          weight: word.weight,
          isVague: word.kind == .vague,
          isNumber: word.kind == .number,
          key: key(of: word, words.firstIndex(ofID: word.id).map { words[$0] }, isFirst: !hasTold),
          next: isFirstName ? next.flatMap { $0.isCapitalizedName ? $0.id : nil } ?? 0 : 0,
        )
      )
      if word.kind != .vague { hasTold = true }
    }
    return found
  }

  private static func key(of word: GistWord, _ facts: Word?, isFirst: Bool) -> Double {
    let isRepeated = facts?.isInText == true
    return switch word.kind {
    case .number: word.isYear ? 0 : 0.5
    case .vague, .filler, .date: 0
    case .telling: facts?.isName == true ? 1 : isRepeated ? 0.75 : 0
    case .pair: isRepeated ? 0.375 : isFirst ? 1 : 0
    }
  }
}

extension GistWord {
  fileprivate var isCapitalizedName: Bool { isCapitalized && kind == .telling }
}

extension StoryGist {
  /// A word of one story, and the forms in which it stands there.
  struct Word: Sendable {
    let id: UInt64
    let weight: Double
    let isFact: Bool
    private(set) var isInText: Bool
    /// True where it has a small letter somewhere.
    private(set) var isSmall: Bool
    private var isCapitalized: Bool
    private var isInTitle: Bool
    /// True where it has a capital where no sentence begins.
    private var isInside: Bool

    /// True for words that have a capital where no sentence begins, or that title and text both
    /// have with one; and never without.
    var isName: Bool { (isInside || isInTitle && isInText && isCapitalized) && !isSmall }

    private init(_ word: GistWord, isInText: Bool, isSentence: Bool) {
      (id, weight) = (word.id, word.weight)
      isFact = word.kind == .number || word.kind == .pair
      isCapitalized = word.isCapitalized
      isSmall = !word.isCapitalized && !isFact
      isInside = word.isInside && word.isCapitalized && isSentence
      (self.isInText, isInTitle) = (isInText, !isInText)
    }

    /// Returns each word once, in the order of the ids.
    static func distinct(_ title: [GistWord], _ text: [GistWord]) -> [Word] {
      // Capitals say nothing if all words of a title have them.
      let isSentence = title.contains(where: \.isPlain)
      var all = title.filter(\.isWeighty)
        .map { Word($0, isInText: false, isSentence: isSentence) }
      all += text.filter(\.isWeighty).map { Word($0, isInText: true, isSentence: true) }
      all.sort { $0.id < $1.id }
      var words: [Word] = []
      words.reserveCapacity(all.count)
      for word in all {
        if words.last?.id == word.id {
          words[words.count - 1].merge(word)
        } else {
          words.append(word)
        }
      }
      return words
    }

    private mutating func merge(_ other: Word) {
      isCapitalized = isCapitalized || other.isCapitalized
      isSmall = isSmall || other.isSmall
      isInside = isInside || other.isInside
      isInText = isInText || other.isInText
      isInTitle = isInTitle || other.isInTitle
    }
  }
}

extension [StoryGist.Word] {
  func firstIndex(ofID id: UInt64) -> Int? {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if self[middle].id == id { return middle }
      range = self[middle].id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}
