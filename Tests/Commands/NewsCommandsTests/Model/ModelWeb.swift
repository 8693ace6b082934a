/// The feeds of the histories, and the stories that each carries now.
struct ModelWeb {
  static let feeds = 4
  static let storiesAtFirst = 8

  /// The numbers of the carried stories, the newest first.
  private(set) var carried = (0..<feeds).map { feed in
    (0..<storiesAtFirst).reversed().map { story(feed, $0) }
  }
  private var gone: [[Int]] = Array(repeating: [], count: feeds)
  private var changed: Set<Int> = []
  private var published = Array(repeating: storiesAtFirst, count: feeds)

  /// The number of the first page that no feed has.
  ///
  /// These numbers, and those of the stories that a command prints, have a rule's digit at most as
  /// their last (`ModelBeliefs.digit`).
  static let firstPage = 900
  static let pages = firstPage..<firstPage + 4
  static let printed = 940..<943

  static func story(_ feed: Int, _ number: Int) -> Int { feed * 100 + number }
  static func feed(of story: Int) -> Int { story / 100 }
  static func link(_ story: Int) -> String { "https://site\(feed(of: story)).example/\(story)" }
  static func date(_ story: Int) -> Int { 1_793_000_000 + story % 100 * 3600 }

  /// Returns the URL of a feed; numbers from `feeds` on are the places where they may move to.
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

  var hasChanged: Bool { !changed.isEmpty }

  mutating func vanish(_ feed: Int) {
    if carried[feed].count > 3 { gone[feed].append(carried[feed].removeLast()) }
  }

  mutating func comeBack(_ feed: Int) {
    carried[feed] += gone[feed].reversed()
    gone[feed] = []
  }

  static func article(_ page: Int) -> FakeFetcher.Page {
    let text = String(
      repeating: "It was a long day, and nobody, not even they, knew its end. ",
      count: 5,
    )
    let paragraphs = String(repeating: "<p>\(text)</p>", count: 3)
    let head = "<head><title>page \(page)</title></head>"
    return FakeFetcher.Page(
      body: "<html>\(head)<body><article>\(paragraphs)</article></body></html>"
    )
  }

  static func page(ofStory story: Int) -> FakeFetcher.Page {
    let text = String(repeating: "The article of s\(story) has words. ", count: 20)
    return FakeFetcher.Page(body: "<article><p>\(text)</p></article>")
  }

  /// Returns the document of a feed at its first URL, or at the one where it may have moved to.
  func page(_ feed: Int) -> FakeFetcher.Page {
    let body = Self.document("Feed \(feed)", carried[feed].map { ($0, title($0)) })
    let etag = "\(carried[feed])\(carried[feed].filter { changed.contains($0) })"
    return FakeFetcher.Page(body: body, etag: etag)
  }

  static let printedDocument = document("Printed", printed.map { ($0, "s\($0)") })

  private static func document(_ name: String, _ stories: [(number: Int, title: String)]) -> String
  {
    let items = stories.map { number, title in
      "<item><title>\(title)</title><link>\(link(number))</link>"
        + "<guid isPermaLink=\"false\">g\(number)</guid>"
        + "<description>&lt;p&gt;text of \(title)&lt;/p&gt;</description>"
        + "<pubDate>\(httpDate(Double(date(number))))</pubDate></item>"
    }
    return "<rss version=\"2.0\"><channel><title>\(name)</title>" + items.joined()
      + "</channel></rss>"
  }
}
