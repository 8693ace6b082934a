package import FeedModel
internal import FeedReading
package import FeedStorage
internal import HTMLText
package import System

/// Writes the files of a site one after the other, with the stories of one page in memory at a
/// time.
package struct SiteWriter {
  let title: String
  let address: String?
  let folder: SiteFolder
  let clock: WallClock
  let library: Library
  let subscriptions: [Subscription]

  private(set) var entries: [SiteEntry]
  package private(set) var result = SiteResult()
  private(set) var feeds: [String: SiteFeed] = [:]
  private let followed: Set<String>
  private let texts: StoryTextIndex
  private let removal: TrackerRemoval

  /// The most stories on a page and in a feed.
  static let pageStories = 100
  /// The bytes with which a page or a feed is full, however few its stories are.
  private static let pageBytes = 512 << 10
  static let feedBytes = 4 << 20

  package init(
    title: String,
    address: String?,
    folder: SiteFolder,
    entries: [SiteEntry],
    subscriptions: [Subscription],
    library: Library,
    texts: StoryTextIndex,
    clock: WallClock,
  ) {
    (self.title, self.address, self.folder) = (title, address, folder)
    (self.entries, self.subscriptions, self.library) = (entries, subscriptions, library)
    (self.texts, self.clock) = (texts, clock)
    followed = Set(subscriptions.map(\.url))
    removal = TrackerRemoval(library.subscriptions)
    result.stories = entries.count
    for subscription in library.subscriptions {
      feeds[subscription.url] = SiteFeed(
        url: subscription.url,
        title: subscription.title ?? subscription.state.title,
        link: subscription.page,
      )
    }
    for url in Set(entries.flatMap(\.feeds)) where feeds[url] == nil {
      feeds[url] = SiteFeed(url: url, title: library.feeds.formerNames[url], link: nil)
    }
  }

  package mutating func write() throws {
    let days = try writeDays()
    try writeIndex(days)
    try writeFeedPages()
    try writeArchive(days)
    try writeFeeds()
    for (name, text) in SiteAssets.all { try write(name, Array(text.utf8)) }
    let (removed, strange) = try folder.finish()
    result.removed = removed
    result.refused += strange.filter { !result.refused.contains($0) }
  }

  mutating func write(_ name: String, _ bytes: [UInt8]) throws {
    switch try folder.write(name, bytes) {
    case .written: result.written += 1
    case .unchanged: result.unchanged += 1
    case .refused: result.refused.append(name)
    }
  }

  // MARK: Stories

  func story(_ number: Int) throws -> SiteStory {
    let entry = entries[number]
    let story = removal.story(try library.items.item(at: entry.position))
    return SiteStory(
      entry: entry,
      item: story.item,
      hasWholeText: !story.textKeys.isEmpty,
    )
  }

  func wholeStory(_ number: Int) throws -> SiteStory {
    var story = try story(number)
    let stored = try library.items.item(at: story.entry.position)
    let text = try texts.text(of: stored)
    story.document = try StoryReading.shown(text, of: stored, removal).belowPicture(of: stored.item)
    return story
  }

  /// The feed that is named with a story: the first one that is followed, or else the first.
  func feed(of entry: SiteEntry) -> SiteFeed? {
    let published = entry.feeds.first(where: followed.contains)
    return (published ?? entry.feeds.first).flatMap { feeds[$0] }
  }

  private func page(_ title: String, root: String = "../") -> SitePage {
    SitePage(site: self.title, title: title, root: root)
  }

  // MARK: Pages

  /// Writes the pages of each day, the newest first, and notes each story's page.
  private mutating func writeDays() throws -> [Day] {
    let numbers = Dictionary(grouping: entries.indices) { entries[$0].day }
    let dated = numbers.keys.filter { $0 != SiteDay.undated }.sorted(by: >)
    let days = (dated + (numbers[SiteDay.undated] == nil ? [] : [SiteDay.undated])).map { day in
      let stories = numbers[day] ?? []
      let words = SiteDay.words(entries[stories[0]].instant, clock)
      return Day(name: day, words: words, stories: stories)
    }
    var last: Neighbour?
    for (index, day) in days.enumerated() {
      let next = index + 1 < days.count ? days[index + 1] : nil
      last = try write(day, after: last, before: next.map { Neighbour($0, part: 1) })
    }
    return days
  }

  /// Writes the pages of a day, linked to the newer day's last page and the older day's first;
  /// returns its last page.
  private mutating func write(
    _ day: Day,
    after newer: Neighbour?,
    before older: Neighbour?,
  ) throws -> Neighbour {
    var current = Neighbour(day, part: 1)
    var newer = newer
    let articles = SiteArticle(root: "../", clock: clock, level: 2)
    var (main, count) = (Markup(), 0)
    for (index, number) in day.stories.enumerated() {
      entries[number].page = current.page
      main += articles.whole(try wholeStory(number), of: feed(of: entries[number]))
      count += 1
      let isLast = index + 1 == day.stories.count
      guard isLast || count == Self.pageStories || main.bytes.count >= Self.pageBytes else {
        continue
      }
      let next = isLast ? older : Neighbour(day, part: current.part + 1)
      main += Neighbour.links(newer, next)
      try write(current.page, page(current.words).document(main))
      (main, count) = (Markup(), 0)
      if !isLast { (newer, current) = (current, Neighbour(day, part: current.part + 1)) }
    }
    return current
  }

  private mutating func writeIndex(_ days: [Day]) throws {
    let articles = SiteArticle(root: "", clock: clock, level: 3)
    var main = Markup()
    var left = Self.pageStories
    for day in days where left > 0 {
      main += """
        <section aria-labelledby="d-\(day.name)">
        <h2 id="d-\(day.name)"><a href="\(day.page)">\(day.words)</a></h2>

        """
      for number in day.stories.prefix(left) {
        main += articles.brief(try story(number), of: feed(of: entries[number]))
      }
      main += "</section>\n"
      left -= day.stories.count
    }
    if entries.isEmpty { main += "<p>There are no stories.</p>\n" }
    if left < 0 { main += "<p><a href=\"archive.html\">All days</a></p>\n" }
    try write("index.html", page(title, root: "").document(main))
  }

  private mutating func writeFeedPages() throws {
    var numbers: [String: [Int]] = [:]
    for (number, entry) in entries.enumerated() {
      for feed in Set(entry.feeds.compactMap { feeds[$0]?.page }) {
        numbers[feed, default: []].append(number)
      }
    }
    let articles = SiteArticle(root: "../", clock: clock, level: 2, hasDay: true)
    for feed in namedFeeds(of: numbers.keys) {
      let all = numbers[feed.page] ?? []
      var main = Markup()
      if let link = feed.link {
        main += "<p>\(StoryHTML.anchor(link, "\(link)"))</p>\n"
      }
      for number in all.prefix(Self.pageStories) {
        main += articles.brief(try story(number), of: nil)
      }
      if all.count > Self.pageStories {
        main += "<p><a href=\"../archive.html\">Older ones are with their days</a></p>\n"
      }
      try write(feed.page, page(feed.name).document(main))
    }
  }

  private func namedFeeds(of pages: some Sequence<String>) -> [SiteFeed] {
    let pages = Set(pages)
    return feeds.values.filter { pages.contains($0.page) }
      .sorted { ($0.name.lowercased(), $0.page) < ($1.name.lowercased(), $1.page) }
  }

  private mutating func writeArchive(_ days: [Day]) throws {
    var main: Markup = "<section>\n<h2>Days</h2>\n<ul>\n"
    for day in days {
      main += "<li><a href=\"\(day.page)\">\(day.words)</a> (\(day.stories.count))</li>\n"
    }
    main += "</ul>\n</section>\n<section>\n<h2>Feeds</h2>\n<ul>\n"
    let pages = Set(entries.flatMap(\.feeds)).compactMap { feeds[$0]?.page }
    for feed in namedFeeds(of: pages) {
      main += "<li><a href=\"\(feed.page)\" lang=\"\" dir=\"auto\">\(feed.name)</a></li>\n"
    }
    main += "</ul>\n</section>\n"
    try write("archive.html", page("Days and feeds", root: "").document(main))
  }
}

extension SiteWriter {
  struct Day {
    let name: String
    let words: String
    let stories: [Int]

    var page: String { Neighbour(self, part: 1).page }
  }

  fileprivate struct Neighbour {
    let page: String
    let words: String
    let part: Int

    init(_ day: Day, part: Int) {
      page = "day/\(day.name)\(part > 1 ? "-\(part)" : "").html"
      words = part > 1 ? "\(day.words), page \(part)" : day.words
      self.part = part
    }

    static func links(_ newer: Neighbour?, _ older: Neighbour?) -> Markup {
      guard newer != nil || older != nil else { return Markup() }
      var links: Markup = "<nav class=\"days\" aria-label=\"Days\">\n"
      for (way, page) in [("Newer", newer), ("Older", older)] {
        guard let page else { continue }
        links += "<a href=\"../\(page.page)\">\(way): \(page.words)</a>\n"
      }
      links += "</nav>\n"
      return links
    }
  }
}

package struct SiteResult: Sendable {
  package var stories = 0
  package var written = 0
  package var unchanged = 0
  package var removed = 0
  package var refused: [String] = []
}
