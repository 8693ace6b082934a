import CommandLine
import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage
import FeedUpdating
import Synchronization

extension CommandContext {
  /// The places of the stories that a query wants, newest first.
  func positions(
    of query: StoryQuery,
    in items: ItemTable,
    atMost limit: Int = .max,
  ) throws(CommandError) -> [Int] {
    let store = try store()
    let texts = query.needsTexts ? store.textIndex() : nil
    if let failure = texts?.failure { complain("\(failure); its texts are not looked in") }
    return try commandErrors {
      try StoryScan(items, query, texts: texts, now: clock.now(), limit: limit).run()
    }
  }
}

/// One pass through the stored stories for those that a query wants, by several threads, each of
/// which takes one part after the other.
final class StoryScan: Sendable {
  private let items: ItemTable
  private let query: StoryQuery
  /// The whole texts that are looked in.
  private let texts: StoryTextIndex?
  private let now: Double
  private let limit: Int
  private let state = Mutex(State())

  private static let partSize = 8_192
  /// More would only wait for memory.
  private static let maximumThreads = 4

  private struct State {
    var next = 0
    /// What was found, by the beginning of its part.
    var found: [Int: [Int]] = [:]
    var count = 0
    var failure: StorageError?
  }

  /// A story dated later than `now`, in seconds since 1970, counts as of when it was stored.
  init(
    _ items: ItemTable,
    _ query: StoryQuery,
    texts: StoryTextIndex? = nil,
    now: Double,
    limit: Int,
  ) {
    (self.items, self.query, self.texts) = (items, query, texts)
    self.now = now
    self.limit = limit
  }

  func run() throws(StorageError) -> [Int] {
    if query.takesAll || limit == 0 { return Array(0..<min(limit, items.count)) }
    // Most lists are full after the first part; threads would only cost time then.
    scan(parts: 1)
    if !state.withLock({ isFinished($0) }) { scanTogether() }
    return try positions()
  }

  /// Scans parts until nothing is left to find, or so many.
  func scan(parts: Int = .max) {
    guard var filter = StoryFilter(query, items, texts: texts, now: now) else { return }
    for _ in 0..<parts {
      guard let part = takePart() else { return }
      scan(part, &filter)
    }
  }

  func positions() throws(StorageError) -> [Int] {
    let (found, failure) = state.withLock { ($0.found, $0.failure) }
    if let failure { throw failure }
    return Array(found.sorted { $0.key < $1.key }.flatMap(\.value).prefix(limit))
  }

  private func scanTogether() {
    let helpers = min(POSIX.processors, Self.maximumThreads) - 1
    let threads = WorkerThreads((0..<helpers).map { _ in { @Sendable in self.scan() } })
    scan()
    threads.wait(until: nil, orReadable: nil)
  }

  /// Parts are begun in order, so that those begun hold the first of all that is to be found.
  private func isFinished(_ state: State) -> Bool {
    state.next >= items.count || state.count >= limit || state.failure != nil
  }

  private func takePart() -> Range<Int>? {
    state.withLock { state in
      guard !isFinished(state) else { return nil }
      let start = state.next
      state.next = min(start + Self.partSize, items.count)
      return start..<state.next
    }
  }

  private func scan(_ part: Range<Int>, _ filter: inout StoryFilter) {
    var found: [Int] = []
    var failure: StorageError?
    do throws(StorageError) {
      for index in part where found.count < limit {
        if try filter.passes(index) { found.append(index) }
      }
    } catch {
      failure = error
    }
    state.withLock { state in
      state.found[part.lowerBound] = found
      state.count += found.count
      state.failure = state.failure ?? failure
    }
  }
}

/// Decides of one story after the other whether a query wants it.
///
/// Asks the cheap questions first; builds no value of what it skips.
struct StoryFilter: ~Copyable {
  private let texts: StoryTextIndex?
  private var reader: ItemReader
  private var text = FoldedText()
  private var test: StoryTest

  /// nil for a table without stories.
  ///
  /// A story dated later than `now`, in seconds since 1970, counts as of when it was stored.
  init?(_ query: StoryQuery, _ items: ItemTable, texts: StoryTextIndex?, now: Double) {
    guard let reader = ItemReader(items) else { return nil }
    self.texts = texts
    self.reader = reader
    test = StoryTest(query, now: now - Date.timeIntervalBetween1970AndReferenceDate)
  }

  mutating func passes(_ index: Int) throws(StorageError) -> Bool {
    try reader.move(to: index)
    return try test.passes(&reader, &text, texts)
  }
}

/// What a query asks of a story.
struct StoryTest {
  private let query: StoryQuery
  /// Seconds since 2001.
  private let now: Double
  private let matchers: [TextExpression.Matcher]
  /// By the number that the reader gives a feed: whether the query wants it; grows as feeds are met.
  private var isWanted: [Bool] = []
  private var searches: [StoryTest]

  init(_ query: StoryQuery, now: Double) {
    self.query = query
    self.now = now
    matchers = query.text.expressions.map(TextExpression.Matcher.init)
    searches = query.searches.map { StoryTest($0, now: now) }
  }

  mutating func passes(
    _ reader: inout ItemReader,
    _ text: inout FoldedText,
    _ texts: StoryTextIndex?,
  ) throws(StorageError) -> Bool {
    if query.isUnread, try reader.isRead() { return false }
    if query.isStarred, try !reader.isStarred() { return false }
    if let isDownloaded = query.isDownloaded, try !isSo(isDownloaded, reader) { return false }
    if query.hasEnclosures, try !reader.enclosures().contains(where: { SafeLink.isSafe($0.url) }) {
      return false
    }
    if let feeds = query.feeds, try !isOf(feeds, &reader), try !isTagged(reader),
      try !isFound(&reader, &text, texts)
    {
      return false
    }
    if let after = query.storedAfter, try (reader.instants().stored ?? after) <= after {
      return false
    }
    guard try isInTime(reader) else { return false }
    return query.text.isEmpty ? true : try matchesText(reader, &text, texts)
  }

  /// Whether it wants stories of a feed, whatever these are.
  func isOf(_ feed: String) -> Bool { query.feeds?.contains(feed) ?? true }

  var needsText: Bool { !query.text.isEmpty }

  private func isSo(
    _ isDownloaded: Bool,
    _ reader: borrowing ItemReader,
  ) throws(StorageError) -> Bool {
    let file = try reader.file()
    let isThere = file.map { FileStatus(at: $0, followingLinks: false)?.kind == .file } ?? false
    guard !isDownloaded, !isThere else { return isThere == isDownloaded }
    return try !reader.enclosures().isEmpty
  }

  private func isTagged(_ reader: borrowing ItemReader) throws(StorageError) -> Bool {
    guard !query.tags.isEmpty else { return false }
    let tags = try reader.strings(.tags)
    return query.tags.contains { $0.isAmong(tags) }
  }

  private mutating func isFound(
    _ reader: inout ItemReader,
    _ text: inout FoldedText,
    _ texts: StoryTextIndex?,
  ) throws(StorageError) -> Bool {
    for place in searches.indices where try searches[place].passes(&reader, &text, texts) {
      return true
    }
    return false
  }

  private mutating func isOf(
    _ feeds: Set<String>,
    _ reader: inout ItemReader,
  ) throws(StorageError) -> Bool {
    let known = isWanted
    var (isOfKnown, first) = (false, Int.max)
    try reader.forEachFeed { number in
      if number < known.count {
        if known[number] { isOfKnown = true }
      } else {
        first = min(first, number)
      }
    }
    guard first < reader.feeds.count else { return isOfKnown }
    for url in reader.feeds[known.count...] { isWanted.append(feeds.contains(url)) }
    return isOfKnown || isWanted[first...].contains(true)
  }

  private func isInTime(_ reader: borrowing ItemReader) throws(StorageError) -> Bool {
    guard query.since != nil || query.until != nil else { return true }
    let (date, stored) = try reader.instants()
    guard let time = StoryTime.instant(date: date, stored: stored, now: now) else { return false }
    let instant = Int(clamping: time + Date.timeIntervalBetween1970AndReferenceDate)
    return instant >= query.since ?? Int.min && instant <= query.until ?? Int.max
  }

  private func matchesText(
    _ reader: borrowing ItemReader,
    _ text: inout FoldedText,
    _ texts: StoryTextIndex?,
  ) throws(StorageError) -> Bool {
    text.removeAll()
    if let title = try reader.text(.title) { text.append(title) }
    if let summary = try reader.text(.summary) { text.append(summary) }
    // PERF: most of what matches does so here, and a text costs a hundred times as much.
    if try matches(text) { return true }
    guard let texts, try reader.textNumber() != 0, let whole = try texts.text(of: reader.id())
    else { return false }
    text.append(whole.line)
    return try matches(text)
  }

  func matches(_ text: borrowing FoldedText) throws(StorageError) -> Bool {
    guard query.text.words.allSatisfy({ $0.occurs(in: text.bytes) }) else { return false }
    for matcher in matchers where try !matcher.matches(text.bytes) { return false }
    return true
  }
}
