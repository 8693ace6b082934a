import CommandLine
import Decompression
import FeedModel
import TestSupport
import Testing

@testable import FeedServing

@Suite("Streams of a served home")
struct StreamTests {
  private static let all = "s=user/-/state/com.google/reading-list"

  /// Returns a home of twelve stories, the last ones of which were stored last.
  private func sample() throws -> ServedHome {
    let home = try ServedHome()
    var stories = (1...12).reversed().map { number in
      ServedHome.story(
        number,
        seconds: number,
        feeds: number % 3 == 0 ? [ServedHome.other] : [ServedHome.feed],
      )
    }
    stories[0].isStarred = true
    for index in 6..<12 { stories[index].isRead = true }
    stories[1].tags = ["Later"]
    var feeds = [
      Subscription(url: ServedHome.feed), Subscription(url: ServedHome.other, title: "O"),
    ]
    feeds[1].tags = ["Work & play"]
    try home.add(stories, feeds: feeds)
    return home
  }

  @Test("have what their names say")
  func names() throws {
    let home = try sample()
    #expect(try home.ids(Self.all) == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    #expect(try home.ids("s=user/123/state/com.google/starred") == [12])
    #expect(try home.ids("\(Self.all)&c=null") == home.ids("\(Self.all)&c=undefined"))
    #expect(try home.ids("\(Self.all)&n=1&c=null") == [12])
    #expect(try home.ids("s=starred") == [12] && home.ids("s=reading-list").count == 12)
    #expect(try home.ids("s=user/-/state/com.google/read") == [6, 5, 4, 3, 2, 1])
    #expect(try home.ids("s=user/-/state/com.google/kept-unread") == [12, 11, 10, 9, 8, 7])
    #expect(try home.ids("s=user/-/state/com.google/broadcast") == [])
    #expect(try home.ids("s=feed/\(ServedHome.other)") == [12, 9, 6, 3])
    #expect(try home.ids("s=feed/https%3A%2F%2FEXAMPLE.org/atom") == [12, 9, 6, 3])
    #expect(try home.ids("s=feed/https://example.net/") == [])
    #expect(try home.ids("s=user/-/label/Work+%26%20play") == [12, 9, 6, 3])
    #expect(try home.ids("s=user/-/label/later") == [11])
    #expect(try home.ids("s=user/-/label/later&s=user/-/state/com.google/starred") == [12, 11])
    for name in ["", "s=", "s=x", "s=user/-/x/y", "s=user//label/x", "s=user/-"] {
      #expect(try home.call("stream/items/ids?output=json&\(name)").hasPrefix("400 "), "\(name)")
    }
  }

  @Test("are narrowed by states, labels and times, and turned round")
  func options() throws {
    let home = try sample()
    let state = "user/-/state/com.google"
    #expect(try home.ids("\(Self.all)&xt=\(state)/read") == [12, 11, 10, 9, 8, 7])
    #expect(
      try home.ids("\(Self.all)&it=\(state)/read&xt=feed/\(ServedHome.other)") == [5, 4, 2, 1]
    )
    #expect(try home.ids("\(Self.all)&n=3") == [12, 11, 10])
    #expect(try home.ids("\(Self.all)&n=3&r=o") == [1, 2, 3])
    #expect(try home.ids("\(Self.all)&ot=1793000071") == [12, 11])
    #expect(try home.ids("\(Self.all)&nt=1793000002") == [2, 1])
    #expect(try home.ids("\(Self.all)&nt=1793000002000000&ot=1793000062000") == [2])
    #expect(try home.ids("\(Self.all)&ot=1793000069&nt=1793000001") == [])
    for query in ["c=x", "xt=x", "it=x", "c=1_2"] {
      #expect(try home.call("stream/items/ids?\(Self.all)&\(query)").hasPrefix("400 "), "\(query)")
    }
    #expect(try home.call("stream/items/count?\(Self.all)") == "12")
    #expect(try home.call("stream/items/count?\(Self.all)&a=true") == "12#2026-10-26T07:33:32Z")
  }

  @Test("go on where a page ended, whatever has come meanwhile", arguments: ["", "&r=o"])
  func continuations(_ order: String) throws {
    let home = try sample()
    var (seen, next, number) = ([Int](), Optional(""), 100)
    while let place = next {
      let query = "\(Self.all)&n=5\(order)&c=\(place)"
      let text = try home.call("stream/items/ids?output=json&\(query)")
      seen += try home.ids(query)
      next = ServedHome.continuation(text)
      // One story is of the second of the newest, the other newer than all.
      try home.add([
        ServedHome.story(number, seconds: 12), ServedHome.story(number + 1, seconds: 50),
      ])
      number += 2
    }
    #expect(seen.filter { $0 < 100 }.sorted() == Array(1...12))
    #expect(Set(seen).count == seen.count)
  }

  @Test("stories are found by ids in all three forms")
  func ids() throws {
    let home = try ServedHome()
    var story = ServedHome.story(0)
    story.id = "fedcba9876543210"
    var decimal = ServedHome.story(1)
    decimal.id = "0000000000001234"
    var foreign = ServedHome.story(2)
    foreign.id = "of another program"
    try home.add([story, decimal, foreign])
    let prefix = "tag:google.com,2005:reader/item/"
    let (long, short) = (prefix + "7edcba9876543210", "9141386507638288912")
    for id in [
      long, short, "fedcba9876543210", "FEDCBA9876543210", "18364758544493064720",
      "-81985529216486896", prefix + "fedcba9876543210",
    ] {
      let text = try home.call("stream/items/contents?output=json", post: "i=\(id)")
      #expect(text.contains("\"id\":\"\(long)\"") && text.contains("\"title\":\"s0\""), "\(id)")
    }
    #expect(try home.call("stream/items/contents", post: "i=0000000000001234").contains("\"s1\""))
    #expect(try home.call("stream/items/contents", post: "i=4660").contains("\"s1\""))
    let list = try home.call("stream/items/ids?output=json&\(Self.all)")
    #expect(list.contains("\"id\":\"\(short)\""))
    let all = list.split(separator: "\"").filter { Int64($0) != nil }.map { "i=\($0)" }
    let text = try home.call("stream/items/contents", post: all.joined(separator: "&"))
    #expect(all.count == 3 && text.contains("\"s2\""))
    #expect(!(try home.call("stream/items/contents", post: "i=1&i=x&i=")).contains("title\":\"s"))
  }

  @Test("a story is told with its text, its marks and its feed")
  func contents() throws {
    let home = try sample()
    let path = "stream/contents/user%2F-%2Fstate%2Fcom.google%2Fstarred?output=json"
    let text = try home.call(path)
    #expect(
      text
        == #"{"id":"user/-/state/com.google/starred","title":"news","updated":1793000012,"items":["#
        + #"{"id":"tag:google.com,2005:reader/item/000000000000000c","crawlTimeMsec":"1793000012000","#
        + #""timestampUsec":"1793000012000000","published":1793000012,"updated":1793000012,"title":"s12","#
        + #""canonical":[{"href":"https://example.com/12"}],"#
        + #""alternate":[{"href":"https://example.com/12","type":"text/html"}],"#
        + #""categories":["user/-/state/com.google/reading-list","user/-/state/com.google/kept-unread","#
        + #""user/-/state/com.google/starred","user/-/label/Work & play"],"#
        + #""origin":{"streamId":"feed/https://example.org/atom","title":"O","htmlUrl":""},"#
        + #""summary":{"content":"<p>About &lt;12&gt; &amp; more</p>"},"marked":true}]}"#
    )
    let feed = try home.call("stream/contents/feed/https%3A%2F%2Fexample.org%2Fatom?n=2")
    #expect(feed.contains("\"title\":\"s12\"") && feed.contains("\"title\":\"s9\""))
    #expect(!feed.contains("\"title\":\"s6\"") && ServedHome.continuation(feed) != nil)
    #expect(try home.call("stream/contents").contains("\"title\":\"s11\""))
  }

  @Test("links have no trackers, unless the reader says so of the feed")
  func trackers() throws {
    for keeps in [false, true] {
      let home = try ServedHome()
      var story = ServedHome.story(1)
      story.item.link += "?utm_source=rss"
      var feed = Subscription(url: ServedHome.feed)
      feed.settings.keepsTracking = keeps
      try home.add([story], feeds: [feed])
      let link = "https://example.com/1" + (keeps ? "?utm_source=rss" : "")
      #expect(try home.call("stream/contents").contains(#""canonical":[{"href":"\#(link)"}]"#))
    }
    // By this one stories are told apart, so that another home would not recognize it without.
    let home = try ServedHome()
    var story = ServedHome.story(1)
    story.item.link += "?itm_source=rss"
    try home.add([story])
    #expect(try home.call("stream/contents").contains("/1?itm_source=rss"))
  }

  @Test("what a feed files a story under is no state and no label of its reader's")
  func categories() throws {
    let home = try ServedHome()
    var story = ServedHome.story(1)
    story.item.categories = [
      "user/-/state/com.google/read", "x/state/com.google/starred", "state/com.google/read",
      "user/1/label/a", "a/label/b", "plain", "users",
    ]
    try home.add([story])
    let text = try home.call("stream/contents?output=json")
    #expect(
      text.contains(
        #""categories":["user/-/state/com.google/reading-list","user/-/state/com.google/kept-unread","#
          + #""plain","users"]"#
      ),
      "\(text)",
    )
  }

  @Test("a request with more fields than are read is refused")
  func fields() throws {
    let home = try sample()
    let ids = String(repeating: "i=1&", count: FormFields.mostFields)
    #expect(
      try home.call("edit-tag", post: ids + "a=user/-/state/com.google/read").hasPrefix("413 ")
    )
    #expect(try home.call("stream/items/contents", post: ids + "i=1&").hasPrefix("413 "))
  }

  @Test("lines of a plain text are lines for apps, whichever way they end")
  func lines() throws {
    let home = try ServedHome()
    var story = ServedHome.story(1)
    story.item.summary = "One\r\nTwo\nThree"
    try home.add([story])
    let text = try home.call("stream/contents?output=json")
    #expect(text.contains(#""content":"<p>One<br>Two<br>Three</p>""#))
  }

  @Test(
    "stories that are named, and have no room, come with their summaries; others on the next page"
  )
  func room() throws {
    let home = try ServedHome()
    let stories = (1...3).map { number in
      var story = ServedHome.story(number, seconds: number)
      story.item.summary = String(repeating: "x", count: 9 << 20)
      return story
    }
    try home.add(stories)
    let form = (1...3).map { "i=\($0)" }.joined(separator: "&")
    let named = try home.call("stream/items/contents?output=json", post: form)
    for number in 1...3 { #expect(named.contains("\"title\":\"s\(number)\"")) }
    #expect(named.hasSuffix("\"content\":\"<p>\(String(repeating: "x", count: 1_000))</p>\"}}]}"))
    let page = try home.call("stream/contents?output=json")
    let last = try #require(ServedHome.continuation(page))
    #expect(page.contains("\"title\":\"s2\"") && !page.contains("\"title\":\"s1\""))
    let next = try home.call("stream/contents?output=json&c=\(last)")
    #expect(next.contains("\"title\":\"s1\"") && ServedHome.continuation(next) == nil)
  }

  @Test("of more stories than an answer has, those behind them are asked for by a continuation")
  func manyNamed() throws {
    let home = try ServedHome()
    try home.add((1...1_500).map { ServedHome.story($0) })
    let form = (1...1_500).map { "i=\($0)" }.joined(separator: "&")
    let path = "stream/items/contents?output=json&n=200000"
    let first = try home.call(path, post: form)
    #expect(first.contains("\"s1000\"") && !first.contains("\"s1001\""))
    let next = try #require(ServedHome.continuation(first))
    let rest = try home.call("\(path)&c=\(next)", post: form)
    #expect(rest.contains("\"s1001\"") && rest.contains("\"s1500\""))
    #expect(!rest.contains("\"s1000\"") && ServedHome.continuation(rest) == nil)
    #expect(try home.call("\(path)&c=\(Int.max)", post: form).contains("\"items\":[]"))
    #expect(try home.call("\(path)&c=-1", post: form).hasPrefix("400 "))
  }

  @Test("a story whose save an app has not seen the end of comes with the app's next question")
  func lateSaves() throws {
    let home = try sample()
    let asked = 1_793_000_100
    #expect(try home.ids("\(Self.all)&ot=\(asked)") == [])
    try home.add([ServedHome.story(13, seconds: 98)])
    #expect(try home.ids("\(Self.all)&ot=\(asked)") == [13])
    #expect(try home.ids("\(Self.all)&ot=\(asked + 3_600)") == [])
  }

  @Test("a story that another home had stored before comes when it has come to this one")
  func arrivals() throws {
    let home = try sample()
    var late = ServedHome.story(13, seconds: 3)
    late.arrived = Date(timeIntervalSince1970: 1_793_000_100)
    try home.add([late])
    #expect(try home.ids("\(Self.all)&ot=1793000120") == [13])
    #expect(try home.ids("\(Self.all)&n=2") == [13, 12])
    let text = try home.call("stream/contents?output=json&n=1")
    #expect(
      text.contains("\"crawlTimeMsec\":\"1793000100000\"")
        && text.contains("\"published\":1793000003,")
    )
  }

  @Test("are feeds, too, as the first version of the interface had them")
  func feeds() throws {
    let home = try sample()
    let answer = try home.feed("user%2F-%2Fstate%2Fcom.google%2Fstarred?n=5")
    let head = #"""
      <?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" \#
      xmlns:gr="http://www.google.com/schemas/reader/atom/">\#
      <id>tag:google.com,2005:reader/user/-/state/com.google/starred</id><title>news</title>\#
      <updated>2026-10-26T07:33:32Z</updated><entry>\#
      <id>tag:google.com,2005:reader/item/000000000000000c</id>
      """#
    #expect(answer.hasPrefix(head))
    let scheme = #"scheme="http://www.google.com/reader/""#
    for label in ["reading-list", "kept-unread", "starred"] {
      let category =
        #"<category term="user/-/state/com.google/\#(label)" \#(scheme) label="\#(label)"/>"#
      #expect(answer.contains(category), "\(label)")
    }
    #expect(answer.contains(#"label="Work &amp; play"/>"#))
    let end = #"""
      <title>s12</title><published>2026-10-26T07:33:32Z</published>\#
      <updated>2026-10-26T07:33:32Z</updated>\#
      <link rel="alternate" href="https://example.com/12" type="text/html"/>\#
      <summary type="html">&lt;p&gt;About &amp;lt;12&amp;gt; &amp;amp; more&lt;/p&gt;</summary>\#
      <source><id>tag:google.com,2005:reader/feed/https://example.org/atom</id>\#
      <title>O</title></source></entry></feed>
      """#
    #expect(answer.hasSuffix(end))
    let page = try home.feed("feed%2Fhttps%3A%2F%2Fexample.com%2Ffeed.xml?n=2")
    #expect(page.contains(#" label="read"/>"#) == false && page.contains("<gr:continuation>"))
    #expect(try home.feed("user/-/state/com.google/read?n=1").contains(#" label="read"/>"#))
    #expect(try home.feed("nothing").hasPrefix("400 "))
    #expect(home.ask("/reader/atom/user/-/state/com.google/read").status == 401)
  }

  @Test("each story has a time of its own, in their order, though one save brought several")
  func stamps() throws {
    let home = try ServedHome()
    try home.add((1...5).map { ServedHome.story($0) } + [ServedHome.story(6, seconds: 9)])
    let text = try home.call("stream/contents?output=json")
    let stamps = text.split(separator: "\"timestampUsec\":\"").dropFirst().compactMap { part in
      Int(part.prefix { $0 != "\"" })
    }
    #expect(stamps.count == 6 && Set(stamps).count == 6)
    #expect(stamps == stamps.sorted(by: >))
    #expect(stamps[0] == 1_793_000_009_000_000 && stamps[5] == 1_793_000_000_000_000)
  }

  @Test("an answer is compressed for an app that takes gzip, and for no other")
  func compressed() throws {
    let answer = HTTPAnswer.text(String(repeating: "news ", count: 1_000))
    var request = HTTPRequest(target: "/")
    #expect(answer.compressed(for: request).body == answer.body)
    for field in ["gzip;q=0", "br", "identity;q=1, gzip; q=0.000"] {
      request.headers = HTTPHeaders()
      request.headers.add("Accept-Encoding", field)
      #expect(answer.compressed(for: request).body == answer.body, "\(field)")
    }
    request.headers = HTTPHeaders()
    request.headers.add("Accept-Encoding", "br, GZIP;q=0.5")
    let short = answer.compressed(for: request)
    #expect(short.body.count < 200)
    #expect(short.headers.contains { $0.name == "Content-Encoding" && $0.value == "gzip" })
    var output: [UInt8] = []
    let end = try short.body.withUnsafeBytes { bytes in
      try Decompressor.decompress(bytes) {
        output += $0
        return true
      }
    }
    guard case .whole = end else { throw Failure("\(end)") }
    #expect(output == answer.body)
    #expect(HTTPAnswer.text("OK").compressed(for: request).body == Array("OK".utf8))
  }

  @Test("what a fetch has saved is there with the next request")
  func news() throws {
    let home = try sample()
    #expect(try home.ids("\(Self.all)&n=1") == [12])
    try home.add([ServedHome.story(13, seconds: 13)])
    #expect(try home.ids("\(Self.all)&n=1") == [13])
  }
}
