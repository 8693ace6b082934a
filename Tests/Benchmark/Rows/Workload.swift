/// Feeds made from a seed: the same bytes in every run.
struct Workload {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Returns the next number of SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  mutating func pick(_ words: [String]) -> String {
    words[Int(next() % UInt64(words.count))]
  }

  mutating func sentence(words count: Int) -> String {
    (0..<count).map { _ in pick(Self.words) }.joined(separator: " ")
  }

  /// Writes a story as in a news agency's RSS 2.0 feed, about 1,000 bytes.
  private mutating func rssItem(_ number: Int) -> String {
    let minute = number % 60
    let hour = number / 60 % 24
    let day = 1 + number / 1_440 % 28
    let key = String(next(), radix: 36)
    return """
      <item>
      <title>\(sentence(words: 9)) &amp; \(pick(Self.words)) caf\u{e9}</title>
      <description>\(sentence(words: 40)).&lt;div class="feedflare"&gt;&lt;a \
      href="https://feeds.example.org/~ff/technology?a=\(key):V"&gt;&lt;img \
      src="https://feeds.example.org/~ff/technology?d=\(key)" border="0"&gt;&lt;/img&gt;\
      &lt;/a&gt;&lt;/div&gt;&lt;img src="https://feeds.example.org/~r/technology/~4/\(key)" \
      height="1" width="1" alt=""/&gt;</description>
      <link>\(Self.link(number, "article/\(key)-\(number)", and: "&amp;"))</link>
      <guid isPermaLink="false">tag:example.org,2026:\(key)-\(number)</guid>
      <category domain="">technology</category>
      <pubDate>\(Self.weekdays[(day + 3) % 7]), \(Self.two(day)) Oct 2026 \
      \(Self.two(hour)):\(Self.two(minute)):00 GMT</pubDate>
      <dc:creator>\(pick(Self.words)) \(pick(Self.words))</dc:creator>
      </item>

      """
  }

  mutating func rss(bytes: Int) -> [UInt8] {
    var document: [UInt8] = []
    document.reserveCapacity(bytes + 4_096)
    document += Self.rssHead.utf8
    var number = 0
    while document.count < bytes {
      document += rssItem(number).utf8
      number += 1
    }
    document += "</channel>\n</rss>\n".utf8
    return document
  }

  mutating func atom(bytes: Int) -> [UInt8] {
    var document = Array(Self.atomHead.utf8)
    var number = 0
    while document.count < bytes {
      document += atomEntry(number).utf8
      number += 1
    }
    document += "</feed>\n".utf8
    return document
  }

  private mutating func atomEntry(_ number: Int) -> String {
    let time = "\(Self.two(number / 60 % 24)):\(Self.two(number % 60)):00Z"
    return """
      <entry>
      <title type="html">\(sentence(words: 9)) &amp;amp; more</title>
      <link rel="alternate" type="text/html" href="\(Self.link(number, "entry/\(number)", and: "&amp;"))"/>
      <id>tag:example.org,2026:entry-\(number)</id>
      <updated>2026-10-\(Self.two(1 + number / 1_440 % 28))T\(time)</updated>
      <author><name>\(pick(Self.words)) \(pick(Self.words))</name></author>
      <summary type="html">\(sentence(words: 40))&lt;br/&gt;\(sentence(words: 10))</summary>
      </entry>

      """
  }

  /// Returns a link as the web has them, in equal parts: https, http, and with a query.
  static func link(_ number: Int, _ path: String, and sign: String = "&") -> String {
    switch number % 3 {
    case 0: "https://www.example.org/\(path)"
    case 1: "http://www.example.org/\(path)"
    default:
      "https://www.example.org/?p=\(path)\(sign)utm_source=rss\(sign)utm_medium=feed"
    }
  }

  static func two(_ number: Int) -> String {
    number < 10 ? "0\(number)" : String(number)
  }

  private static let rssHead = """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel>
    <title>Technology</title>
    <link>https://www.example.org/</link>
    <description>Made from a seed</description>

    """
  private static let atomHead = """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom">
    <title>Technology</title>
    <id>tag:example.org,2026:feed</id>
    <updated>2026-10-28T00:00:00Z</updated>

    """
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  static let words = """
    court market orders company network shares maker update data server battery chip plant \
    report growth quarter software researchers ministers patent satellite phone energy cloud \
    the of and to in a that for on with after said its new over from under between against
    """.split(separator: " ").map(String.init)
}
