import FeedModel
import Synchronization
import Testing

@testable import FeedServing

/// The answers to what FreshRSS and Miniflux answer alike, and to what each answers in its own way.
///
/// What they answer is read in their sources: FreshRSS 1.25, which `FreshRSSTests` asks besides, and
/// Miniflux as of 2026.
@Suite("Beside FreshRSS and Miniflux")
struct OtherServersTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// The method, the call, and the posted form; `@` is the prefix of states.
    let request: String
    let freshRSS: String
    let miniflux: String
    /// The beginning of the answer, after its status unless that is 200.
    let ours: String
    /// The action that the request causes.
    var change: String?

    var testDescription: String { request }
  }

  /// Returns a home of 25 stories, the last ones of which were stored last.
  private static func sample() throws -> (ServedHome, changes: ServedHome.Lines) {
    let changes = ServedHome.Lines()
    let home = try ServedHome(actions: .noting(in: changes))
    let stories = (1...25).map { number in
      let feed = number % 2 == 0 ? ServedHome.other : ServedHome.feed
      var story = ServedHome.story(number, seconds: number, feeds: [feed])
      story.isRead = number < 6
      story.isStarred = number == 25
      story.tags = number == 24 ? ["Later"] : []
      return story
    }
    var other = Subscription(url: ServedHome.other, title: "O")
    other.tags = ["Work"]
    try home.add(stories, feeds: [Subscription(url: ServedHome.feed), other])
    return (home, changes)
  }

  private static let all = "GET stream/items/ids?output=json&s=@reading-list"
  private static let ids = (1...25).reversed()

  private static func list(_ numbers: some Sequence<Int>) -> String {
    "{\"itemRefs\":[" + numbers.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",") + "]"
  }

  private static let lists = [
    Row(
      request: "GET stream/items/ids?s=@starred",
      freshRSS: "JSON",
      miniflux: "400",
      ours: list([25]) + "}",
    ),
    Row(request: all, freshRSS: "20", miniflux: "all", ours: list(ids) + "}"),
    Row(
      request: "GET stream/contents?output=json",
      freshRSS: "20",
      miniflux: "no call",
      ours: #"{"id":"user/-/state/com.google/reading-list","#,
    ),
  ]

  /// Bounds that are none; Twine asks for what is newer than the year -99999.
  private static let none = [
    "n=0", "n=-1", "n=x", "ot=0", "ot=-3217862419200001", "ot=undefined", "nt=0", "nt=NaN", "xt=",
    "it=", "c=",
  ]

  private static let bounds =
    none.map {
      Row(request: "\(all)&\($0)&n=", freshRSS: "all", miniflux: "all", ours: list(ids) + "}")
    } + [
      Row(
        request: "\(all)&ot=1793000084.75",
        freshRSS: "a number",
        miniflux: "all",
        ours: list([25, 24]) + "}",
      ),
      Row(request: "\(all)&c=x", freshRSS: "the first page", miniflux: "the same", ours: "400 "),
    ]

  private static let streams = [
    Row(
      request: "GET stream/items/ids?s=user/-/label/Later",
      freshRSS: "the label's",
      miniflux: "500",
      ours: list([24]) + "}",
    ),
    Row(
      request: "GET stream/items/ids?s=@kept-unread&r=o&n=2",
      freshRSS: "all",
      miniflux: "500",
      ours: list([6, 7]) + ",\"continuation\":",
    ),
    Row(request: "GET stream/items/ids?n=5", freshRSS: "400", miniflux: "500", ours: "400 "),
    Row(
      request: "GET stream/items/ids?s=nothing",
      freshRSS: "all",
      miniflux: "500",
      ours: "400 ",
    ),
    Row(
      request: "GET stream/items/ids?s=feed/feed/\(ServedHome.other)&n=1",
      freshRSS: "the feed's, in changes",
      miniflux: "500",
      ours: list([24]) + ",",
    ),
  ]

  private static let ten = "000000000000000a"
  private static let head = #"{"id":"user/-/state/com.google/reading-list","title":"","updated":"#

  private static let stories =
    ["10", "-/000000000000000a", "tag:google.com,2005:reader/item/a", "000000000000000A"].map {
      Row(
        request: "POST stream/items/contents?output=json i=\($0)",
        freshRSS: "found",
        miniflux: "found, but for -/",
        ours: head + #"1793000010,"items":[{"id":"tag:google.com,2005:reader/item/\#(ten)","#,
      )
    } + [
      Row(
        request: "POST stream/items/contents?output=json i=77",
        freshRSS: "no items",
        miniflux: "no items, formerly 400",
        ours: head + #"0,"items":[]}"#,
      ),
      Row(request: "GET user-info", freshRSS: "JSON", miniflux: "JSON", ours: "{\"userId\":\""),
      Row(request: "GET tag/list", freshRSS: "501", miniflux: "400", ours: "<?xml "),
      Row(request: "GET friend/list?output=json", freshRSS: "400", miniflux: "[]", ours: "404 "),
    ]

  private static let marks = [
    Row(
      request: "POST edit-tag i=10&a=@read&r=",
      freshRSS: "read",
      miniflux: "500",
      ours: "OK",
      change: "read true: 10",
    ),
    Row(
      request: "POST edit-tag i=10&i=x&i=77&a=@read&r=@kept-unread&a=@like",
      freshRSS: "the last a and r",
      miniflux: "500",
      ours: "OK",
      change: "read true: 10",
    ),
    Row(
      request: "POST edit-tag i=10&a=user/1/label/Later",
      freshRSS: "the label",
      miniflux: "500",
      ours: "OK",
      change: "+Later: 10",
    ),
    Row(request: "POST edit-tag i=10", freshRSS: "OK", miniflux: "500", ours: "OK"),
    Row(
      request: "POST mark-all-as-read s=user/-/label/Later&ts=0",
      freshRSS: "all",
      miniflux: "all",
      ours: "OK",
      change: "read true: 24",
    ),
    Row(
      request: "POST mark-all-as-read s=@reading-list&ts=1793000006000000000",
      freshRSS: "all: microseconds",
      miniflux: "all: microseconds",
      ours: "OK",
      change: "read true: 6",
    ),
    Row(
      request: "POST mark-all-as-read s=@reading-list&ts=x",
      freshRSS: "400",
      miniflux: "400",
      ours: "400 ",
    ),
    Row(
      request: "POST mark-all-as-read s=@starred",
      freshRSS: "400",
      miniflux: "nothing",
      ours: "OK",
      change: "read true: 25",
    ),
  ]

  private static let feeds = [
    Row(
      request: "POST disable-tag s=user/-/label/a&s=user/-/label/b",
      freshRSS: "the first",
      miniflux: "both",
      ours: "OK",
      change: "a to nil, b to nil",
    ),
    Row(
      request: "POST rename-tag s=user/-/label/none&dest=user/-/label/b",
      freshRSS: "400",
      miniflux: "404",
      ours: "OK",
      change: "none to b",
    ),
    // A home that syncs with this one gives a feed its second tag so.
    Row(
      request: "POST subscription/edit ac=edit&s=feed/\(ServedHome.other)&a=user/-/label/New",
      freshRSS: "moved",
      miniflux: "moved",
      ours: "OK",
      change: "edit \(ServedHome.other) +New",
    ),
    Row(
      request: "POST subscription/edit ac=edit&s=feed/\(ServedHome.other)&t=T&a=user/-/label/",
      freshRSS: "not moved",
      miniflux: "moved to the first folder",
      ours: "OK",
      change: "edit \(ServedHome.other) =T",
    ),
    Row(
      request: "POST subscription/edit ac=unsubscribe&s=feed/https://example.net/",
      freshRSS: "400",
      miniflux: "500",
      ours: "OK",
    ),
    Row(
      request: "POST subscription/quickadd?quickadd=https://example.org/a"
        + " quickadd=https%3A%2F%2Fexample.org%2Fa%3Fx%3D1%26y%3D2",
      freshRSS: "the form's",
      miniflux: "the form's",
      ours: #"{"query":"https://example.org/a?x=1&y=2","numResults":0,"#,
      change: "subscribe https://example.org/a?x=1&y=2",
    ),
    Row(
      request: "POST subscription/quickadd quickadd=example.org/atom",
      freshRSS: "none: already subscribed",
      miniflux: "500",
      ours: #"{"query":"https://example.org/atom","numResults":1,"streamId":"feed/https://"#,
    ),
  ]

  @Test(
    "requests are answered as their apps need it",
    arguments: lists + bounds + streams + stories + marks + feeds,
  )
  func answers(_ row: Row) throws {
    let (home, changes) = try Self.sample()
    let request = row.request.replacing("@", with: "user/-/state/com.google/")
    let words = request.split(separator: " ").map(String.init)
    let answer = try home.call(words[1], post: words.count == 3 ? words[2] : nil)
    #expect(answer.hasPrefix(row.ours), "\(answer)")
    #expect(changes.all.withLock { $0 }.joined(separator: ", ") == row.change ?? "")
  }

  @Test("what is never empty there is not empty here, nor does a file lack its type")
  func fields() throws {
    let home = try ServedHome()
    var (microblog, bare) = (ServedHome.story(1), ServedHome.story(2))
    (microblog.item.title, bare.item.title, bare.item.summary) = ("", "", nil)
    microblog.item.summary = "No title at all"
    microblog.item.enclosures = [Enclosure(url: "https://example.com/a", type: nil, length: 7)]
    try home.add([microblog, bare], feeds: [Subscription(url: "exec:scrape --key s3cret")])
    let stories = try home.call("stream/contents")
    #expect(stories.contains(#""title":"No title at all","canonical""#))
    #expect(stories.contains(#""title":"(untitled)","canonical""#))
    #expect(
      stories.contains(#""enclosure":[{"href":"https://example.com/a","type":"","length":7}]"#)
    )
    let atom = try home.feed("user/-/state/com.google/reading-list")
    #expect(atom.contains("<title>No title at all</title>"))
    let name = ServedFeeds.name(ofFeed: "exec:scrape --key s3cret")
    let list = try home.call("subscription/list?output=json")
    #expect(list.contains(#"{"id":"feed/\#(name)","#) && list.contains(#""url":"feed/\#(name)""#))
  }

  @Test("a token proves who posts, alone or with the header, wherever it was given")
  func tokens() throws {
    let home = try ServedHome()
    let log = home.ask(
      "/accounts/ClientLogin",
      post: "output=json&Email=me&Passwd=\(ServedHome.password)",
    ).text
    let auth = log.split(separator: "\"").map(String.init)
    #expect(auth.count == 13 && auth[3] == auth[7] && auth[3] == auth[11])
    let header = [("Authorization", "GoogleLogin auth=\(auth[3])")]
    let token = home.ask("/reader/api/0/token", headers: header).text
    let later = home.ask("/accounts/ClientLogin", post: "Email=me&Passwd=\(ServedHome.password)")
    #expect(later.text.contains("Auth=") && !later.text.contains(auth[3]))
    for headers in [header, []] {
      let answer = home.ask("/reader/api/0/edit-tag", post: "T=\(token)&i=1", headers: headers)
      #expect(answer.status == 200 && answer.text == "OK")
    }
    #expect(home.ask("/reader/api/0/edit-tag?T=\(token)", post: "i=1").text == "OK")
    let foreign = home.ask("/reader/api/0/edit-tag", post: "T=x\(token)&i=1", headers: header)
    #expect(foreign.status == 401)
  }
}
