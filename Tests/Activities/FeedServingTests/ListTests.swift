import FeedModel
import FeedStorage
import Synchronization
import Testing

@testable import FeedServing

@Suite("Lists of a served home")
struct ListTests {
  private func sample() throws -> ServedHome {
    let home = try ServedHome()
    var tagged = ServedHome.story(2, seconds: 2)
    tagged.tags = ["Later", "work"]
    var read = ServedHome.story(1, seconds: 1, feeds: [ServedHome.other])
    read.isRead = true
    var first = Subscription(url: "https://me:secret@example.com/feed.xml", title: "A <b>")
    first.tags = ["Work"]
    first.state.link = "https://example.com/"
    tagged.feeds = [first.url]
    let command = Subscription(url: "exec:scrape --key s3cret")
    try home.add([tagged, read], feeds: [first, Subscription(url: ServedHome.other), command])
    return home
  }

  private static let folder = "user/-/label/Work"

  @Test("tell of feeds and their folders, without passwords and commands")
  func subscriptions() throws {
    let home = try sample()
    let text = try home.call("subscription/list?output=json")
    #expect(
      text.hasPrefix(
        #"{"subscriptions":[{"id":"feed/https://example.com/feed.xml","title":"A ＜b＞","categories":"#
          + #"[{"id":"user/-/label/Work","label":"Work"}],"url":"https://example.com/feed.xml","#
          + #""htmlUrl":"https://example.com/","iconUrl":""},"#
          + #"{"id":"feed/https://example.org/atom","title":"https://example.org/atom","categories":[],"#
      )
    )
    let command = ServedFeeds.name(ofFeed: "exec:scrape --key s3cret")
    #expect(text.contains(#"{"id":"feed/\#(command)","title":"#) && command.utf8.count == 16)
    let stories = try home.call("stream/contents")
    #expect(stories.contains(#""streamId":"feed/https://example.com/feed.xml""#))
    #expect(!stories.contains("secret"))
  }

  @Test("lead to icons, which are given without a log-in to who has their address alone")
  func icons() throws {
    let home = try sample()
    let gif = Array("GIF89a…".utf8)
    try home.store.save(icons: [ServedHome.other: gif], waitAtMost: .seconds(30))
    var request = HTTPRequest(target: "/reader/api/0/subscription/list?output=json")
    request.headers.add("Host", "news.local:8265")
    let token = AccessTokens(secret: try home.store.servingAccount()?.secret ?? "")
      .new(at: home.clock.now.withLock { $0 })
    request.headers.add("Authorization", "GoogleLogin auth=\(token)")
    let list = String(decoding: home.interface.service.answer(request).body, as: UTF8.self)
    let start = try #require(list.firstRange(of: #""iconUrl":"http://news.local:8265"#))
    let path = String(list[start.upperBound...].prefix { $0 != "\"" })
    let icon = HTTPRequest(target: path)
    #expect(home.interface.service.refusal(icon) == nil)
    let answer = home.interface.service.answer(icon)
    #expect(answer.body == gif && answer.headers.contains { $0 == ("Content-Type", "image/gif") })
    #expect(answer.headers.contains { $0 == ("X-Content-Type-Options", "nosniff") })
    #expect(answer.headers.contains { $0.name == "Content-Security-Policy" })
    let name = LibraryStore.iconName(of: ServedHome.other)
    for wrong in [name, "\(name)-", "\(name)-0123456789abcdef", "../newsdata.plist", ""] {
      #expect(home.ask("/icons/\(wrong)").status == 404)
    }
    request.headers.add("X-Forwarded-Proto", "https")
    let other = String(decoding: home.interface.service.answer(request).body, as: UTF8.self)
    #expect(other.contains("http://news.local:8265"))
  }

  @Test("tell folders from tags of stories; what is both is a folder")
  func tags() throws {
    let text = try sample().call("tag/list?output=json")
    #expect(
      text
        == #"{"tags":[{"id":"user/-/state/com.google/starred"},{"id":"user/-/label/Work","type":"folder"},"#
        + #"{"id":"user/-/label/Later","type":"tag"}]}"#
    )
  }

  @Test("are XML where nobody asks for JSON")
  func xml() throws {
    let home = try sample()
    #expect(
      try home.call("tag/list")
        == #"<?xml version="1.0" encoding="UTF-8"?><object><list name="tags"><object><string name="id">"#
        + #"user/-/state/com.google/starred</string></object><object><string name="id">user/-/label/Work"#
        + #"</string><string name="type">folder</string></object><object><string name="id">"#
        + #"user/-/label/Later</string><string name="type">tag</string></object></list></object>"#
    )
    #expect(
      try home.call("subscription/list").contains("<string name=\"title\">A ＜b＞</string>")
    )
    #expect(
      try home.call("unread-count?output=xml").contains("<number name=\"max\">1</number>")
    )
    let ids = try home.call("stream/items/ids?output=xml&s=user/-/state/com.google/read")
    #expect(
      ids.hasSuffix(
        "<list name=\"itemRefs\"><object><number name=\"id\">1</number></object></list></object>"
      )
    )
  }

  @Test("count what is unread")
  func counts() throws {
    let text = try sample().call("unread-count?output=json")
    let newest = #""newestItemTimestampUsec":"1793000002000000"}"#
    #expect(text.hasPrefix(#"{"max":1,"unreadcounts":["#))
    for name in ["feed/https://example.com/feed.xml", "user/-/label/Work", "user/-/label/Later"] {
      #expect(text.contains(#"{"id":"\#(name)","count":1,\#(newest)"#), "\(name)")
    }
    #expect(text.contains(#"{"id":"feed/https://example.org/atom","count":0,"#))
    #expect(text.hasSuffix(#"{"id":"user/-/state/com.google/reading-list","count":1,\#(newest)]}"#))
  }

  @Test("name a feed by a number where an app would not send its URL back whole")
  func names() throws {
    let home = try ServedHome()
    let urls = [
      "https://example.com/?a=1&b=2", "https://example.com/a+b", "https://example.com/%20",
      "https://example.com/feed/",
    ]
    let plain = "https://example.com/a-b_c.d~e?f=g,h@i:1"
    try home.add(
      urls.enumerated().map { ServedHome.story($0 + 1, feeds: [$1]) },
      feeds: (urls + [plain]).map { Subscription(url: $0) },
    )
    let list = try home.call("subscription/list?output=json")
    for (index, url) in urls.enumerated() {
      let name = ServedFeeds.name(ofFeed: url)
      #expect(name.utf8.count == 16 && list.contains(#"{"id":"feed/\#(name)","#), "\(url)")
      #expect(list.contains(#""url":"\#(url)""#), "\(url)")
      // The URL itself is understood, too, encoded as it should be.
      let encoded = url.replacing("%", with: "%25").replacing("+", with: "%2B")
        .replacing("&", with: "%26")
      for stream in [name, encoded] {
        #expect(try home.ids("s=feed/\(stream)") == [index + 1], "\(stream)")
      }
    }
    #expect(list.contains(#"{"id":"feed/\#(plain)","#))
  }

  @Test("count thousands of feeds and tags")
  func manyFeeds() throws {
    let home = try ServedHome()
    let urls = (0..<4_000).map { "https://example.com/\($0)" }
    let feeds = urls.enumerated().map { number, url in
      var feed = Subscription(url: url)
      feed.tags = ["t\(number / 10)"]
      return feed
    }
    try home.add(urls.enumerated().map { ServedHome.story($0, feeds: [$1]) }, feeds: feeds)
    let text = try home.call("unread-count?output=json")
    #expect(text.hasPrefix(#"{"max":4000,"#) && text.contains(#"t7","count":10,"#))
  }

  @Test("of settings are empty, and the user is the same with another password")
  func rest() throws {
    let home = try sample()
    #expect(try home.call("preference/list?output=json") == #"{"prefs":[]}"#)
    #expect(try home.call("preference/stream/list?output=json") == #"{"streamprefs":{}}"#)
    #expect(home.interface.isValid(try home.call("token")))
    let user = try home.call("user-info")
    #expect(user.hasPrefix(#"{"userId":""#))
    try home.store.setServingPassword(hash: "$y$another")
    #expect(try home.call("user-info") == user)
    #expect(try home.call("nothing").hasPrefix("404 "))
  }
}
