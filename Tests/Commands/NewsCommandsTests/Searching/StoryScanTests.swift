import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@testable import FeedLibrary
@testable import Searching
@testable import System

@Suite("Filters over many stories")
struct StoryScanTests {
  private let now = 1_793_534_400.0

  /// Returns a story whose every property depends on its number.
  private func story(_ number: Int) -> StoredItem {
    let feeds = (0...number % 3).map { "https://\((number + $0) % 7).example/feed" }
    var story = Sample.story(number, "Title \(number % 11)", hours: number, feeds: feeds)
    if number.isMultiple(of: 13) { story.item.title = "Tïtle \(number) – é" }
    if number.isMultiple(of: 5) { story.item.summary = nil }
    if number.isMultiple(of: 17) { story.item.date = nil }
    if number.isMultiple(of: 19) { story.stored = nil }
    if number.isMultiple(of: 23) {
      story.item.date = Sample.story(0, "", hours: -number).item.date
    }
    story.isRead = number.isMultiple(of: 2)
    story.isStarred = number.isMultiple(of: 9)
    return story
  }

  private func passes(_ story: StoredItem, _ query: StoryQuery, _ words: [String]) -> Bool {
    let instant = StoryTime.instant(
      date: story.item.date,
      stored: story.stored,
      now: WallClock.utc(now).date,
    )?.wholeSeconds
    let texts = [story.item.title, story.item.summary ?? ""]
    return (!query.isUnread || !story.isRead) && (!query.isStarred || story.isStarred)
      && query.feeds.map { $0.contains(where: story.feeds.contains) } ?? true
      && (query.since == nil || instant.map { $0 >= query.since ?? 0 } ?? false)
      && (query.until == nil || instant.map { $0 <= query.until ?? 0 } ?? false)
      && words.allSatisfy { word in
        texts.contains { TextFolding.contains($0, TextFolding.fold(word)) }
      }
  }

  private func condition(_ query: StoryQuery) -> Condition<StoryCheck> {
    query.condition { Condition($0, .utc(now), seen: { nil }, feeds: { _ in [] }) }
  }

  @Test("every filter, and all together, choose what they say, in order, with and without threads")
  func filters() throws {
    let news = try CommandRun()
    let stories = (0..<17_000).map(story)
    try news.store(stories, subscriptions: [])
    let items = try news.store.read().items
    var queries: [(StoryQuery, [String])] = [(StoryQuery(), [])]
    func add(_ words: [String] = [], _ change: (inout StoryQuery) -> Void) throws {
      for base in [StoryQuery(), queries[queries.count - 1].0] {
        var query = base
        change(&query)
        query.search = StorySearch()
        for word in words { try query.search.add(StorySearch(word)) }
        queries.append((query, words))
      }
    }
    try add { $0.isUnread = true }
    try add { $0.isStarred = true }
    try add { $0.feeds = ["https://3.example/feed"] }
    try add { $0.since = 1_793_534_400 - 16_500 * 3_600 }
    try add { $0.until = 1_793_534_400 - 100 * 3_600 }
    try add(["title", "1"]) { _ in }
    try add(["tit", "E", "summary"]) { $0.isUnread = false }
    try add { $0.feeds = Set(["5", "nobody", "0"].map { "https://\($0).example/feed" }) }
    try add { $0.feeds = ["https://nobody.example/"] }
    try add { $0.feeds = [] }
    for (query, words) in queries {
      let expected = stories.indices.filter { passes(stories[$0], query, words) }
      for limit in [0, 20, .max] {
        let found = try StoryScan(items, condition(query), now: now, limit: limit).run()
        #expect(found == Array(expected.prefix(limit)))
      }
    }
  }

  @Test("a date that no calendar holds is none, to a filter as to a list")
  func impossibleDates() throws {
    let news = try CommandRun()
    func item(_ title: String, _ date: Double, stored: Double?) -> PropertyListValue {
      var story: PropertyListDictionary = ["title": .string(title), "date": .date(date)]
      story["stored"] = stored.map { .date($0) }
      return .dictionary(story)
    }
    // 2026-11-01 is 815,227,200 seconds after 2001 began.
    let bytes = PropertyList.encode(
      .array([
        item("A", -1e300, stored: 815_227_200), item("B", -4.1e11, stored: nil),
        item("C", 815_227_200, stored: 4.1e11),
      ])
    )
    try news.store([], subscriptions: [])
    try news.folder.write(bytes, to: "home/newsdata.plist")
    let titles = news("list", "--since", "2026-10-31").output.split(separator: "\n").map {
      $0.split(separator: "\t")[1]
    }
    #expect(titles == ["A", "C"])
    #expect(news("list", "--until", "2026-10-31").output.isEmpty)
  }

  @Test("a data file that is cut short while a thread scans it is an error, not the end")
  func cutShort() throws {
    let news = try CommandRun()
    try news.store((0..<20_000).map(story), subscriptions: [])
    let items = try news.store.read().items
    var query = StoryQuery()
    query.isStarred = true
    let search = StoryScan(items, condition(query), now: now)
    // Half of the table of offsets is cut off, which the second half of the stories needs, where a page
    // ends: the rest of one is zeros, as in a file that is damaged.
    let bytes = try readFile(news.store.dataPath)
    let table = bytes.suffix(8).reduce(0) { $0 << 8 | Int($1) }
    let end = (table + (bytes.count - table) / 2) & ~0xffff
    #expect(truncate(news.store.dataPath, end) == 0)
    WorkerThreads([{ search.scan() }]).wait(until: nil, orReadable: nil)
    let error = #expect(throws: StorageError.self) { try search.positions() }
    #expect(error?.description.contains("another program cut it short") == true)
  }

  @Test("a text is searched up to the size that no feed's text has")
  func longTexts() throws {
    let news = try CommandRun()
    let long = String(repeating: "é ", count: 16_000)
    try news.store(
      [
        Sample.story(1, long + "near", hours: 1),
        Sample.story(2, long + long + long + "far", hours: 2),
      ],
      subscriptions: [],
    )
    #expect(news("list", "--grep", "near").output.hasPrefix("1\t"))
    #expect(news("list", "--grep", "far").output.isEmpty)
    #expect(news("list", "--grep", "/far/").output.isEmpty)
  }

  @Test("stories of more shapes than are remembered are read like any others")
  func manyShapes() throws {
    let news = try CommandRun()
    let stories = (0..<400).map { number in
      var story: PropertyListDictionary = ["k\(number % 100)": .integer(1)]
      story["title"] = .string("Title \(number)")
      if number.isMultiple(of: 3) { story["read"] = .boolean(true) }
      return PropertyListValue.dictionary(story)
    }
    try news.store([], subscriptions: [])
    try news.folder.write(PropertyList.encode(.array(stories)), to: "home/newsdata.plist")
    let lines = news("list", "--unread", "--grep", "title").output.split(separator: "\n")
    #expect(lines.count == 266)
    #expect(lines.last?.contains("Title 398") == true)
  }
}
