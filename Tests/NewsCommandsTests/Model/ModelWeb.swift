/// The feeds of the histories, and what each carries now.
struct ModelWeb {
  static let feeds = 4
  static let storiesAtFirst = 8

  /// The numbers of the stories, the newest first.
  private(set) var carried = (0..<feeds).map { feed in
    (0..<storiesAtFirst).reversed().map { story(feed, $0) }
  }
  private var gone: [[Int]] = Array(repeating: [], count: feeds)
  private var changed: Set<Int> = []
  private var published = Array(repeating: storiesAtFirst, count: feeds)

  /// A number of its own for each story, which says its feed.
  static func story(_ feed: Int, _ number: Int) -> Int { feed * 100 + number }
  static func feed(of story: Int) -> Int { story / 100 }
  static func link(_ story: Int) -> String { "https://site\(feed(of: story)).example/\(story)" }
  static func date(_ story: Int) -> Int { 1_793_000_000 + story % 100 * 3600 }

  /// Beyond `feeds` there are the places where they may move to.
  static func url(_ feed: Int) -> String {
    "https://site\(feed % feeds).example/" + (feed < feeds ? "feed" : "moved")
  }

  static func feed(at url: String) -> Int? { (0..<2 * feeds).first { Self.url($0) == url } }

  static func story(at link: String) -> Int? {
    link.split(separator: "/").last.flatMap { Int($0) }
  }

  func title(_ story: Int) -> String { "s\(story)" + (changed.contains(story) ? " again" : "") }

  mutating func publish(_ feed: Int) {
    carried[feed].insert(Self.story(feed, published[feed]), at: 0)
    published[feed] += 1
  }

  mutating func change(_ story: Int) { changed.insert(story) }

  mutating func vanish(_ feed: Int) {
    if carried[feed].count > 3 { gone[feed].append(carried[feed].removeLast()) }
  }

  mutating func comeBack(_ feed: Int) {
    carried[feed] += gone[feed].reversed()
    gone[feed] = []
  }

  /// The document of a feed, where it was and where it may have moved to.
  func page(_ feed: Int) -> FakeFetcher.Page {
    let items = carried[feed].map { story in
      "<item><title>\(title(story))</title><link>\(Self.link(story))</link>"
        + "<guid isPermaLink=\"false\">g\(story)</guid>"
        + "<pubDate>\(httpDate(Double(Self.date(story))))</pubDate></item>"
    }
    let head = "<rss version=\"2.0\"><channel><title>Feed \(feed)</title>"
    let body = head + items.joined() + "</channel></rss>"
    let etag = "\(carried[feed])\(carried[feed].filter { changed.contains($0) })"
    return FakeFetcher.Page(body: body, etag: etag)
  }
}
