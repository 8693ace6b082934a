import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import System

@Suite("news import and export")
struct SubscriptionListTests {
  private static let opml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <opml version="2.0" xmlns:frss="https://freshrss.org/opml"><head><title>Mine</title></head><body>
    <outline text="Tech"><outline text="Swift &amp; more">
    <outline type="rss" text="Blog" title="The Blog" xmlUrl="https://a.example/feed?x=1&amp;y=2"
      htmlUrl="https://a.example/" frss:priority="main" version="RSS2" description="&lt;b&gt; &quot;q&quot;"/>
    </outline></outline>
    <outline text="Top" XMLURL="http://b.example/rss"/>
    <outline text="A/B"><outline text="Top again" xmlUrl="https://b.example/rss"/></outline>
    <outline text="Bad" xmlUrl="javascript:alert(1)"/>
    </body></opml>
    """

  @Test("OPML's folders are tags, unknown attributes are kept, doubles merged, the rest told")
  func opml() throws {
    let news = try CommandRun()
    try news.folder.write(Self.opml, to: "list.opml")
    let result = news("import", news.folder.path("list.opml"))
    #expect(
      result.errors == """
        news: javascript:alert(1): not an http or https URL; left out
        2 feeds imported

        """
    )
    #expect(result.status == 0 && news.fetcher.requests.isEmpty)
    let feeds = try news.store.read().subscriptions
    #expect(feeds.map(\.url) == ["https://a.example/feed?x=1&y=2", "http://b.example/rss"])
    #expect(feeds.map(\.title) == ["Blog", "Top"])
    #expect(feeds.map(\.tags) == [["Tech/Swift & more"], ["A\\/B"]])
    let exported = news("export").output
    #expect(exported.contains("description=\"&lt;b&gt; &quot;q&quot;\""))
    #expect(exported.contains("frss:priority=\"main\""))
    #expect(feeds[0].state.link == "https://a.example/")
  }

  @Test("what was exported comes back the same")
  func roundTrip() throws {
    let news = try CommandRun()
    try news.folder.write(Self.opml, to: "list.opml")
    news("import", news.folder.path("list.opml"))
    let exported = news("export").output
    let other = try CommandRun()
    other.input = exported.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(other("import", "-").status == 0)
    #expect(try other.store.read().subscriptions == news.store.read().subscriptions)
    #expect(other("export").output == exported)
    #expect(exported.contains("<title>Mine</title>"))
    #expect(exported.contains("<outline text=\"A/B\">"))
  }

  @Test("a second import adds nothing")
  func twice() throws {
    let news = try CommandRun()
    try news.folder.write(Self.opml, to: "list.opml")
    news("import", news.folder.path("list.opml"))
    let before = try news.store.read().subscriptions
    #expect(
      news("import", news.folder.path("list.opml")).errors
        .hasSuffix("0 feeds imported; 2 were there already\n")
    )
    #expect(try news.store.read().subscriptions == before)
  }

  @Test("newsboat's urls file gives tags and titles")
  func newsboat() throws {
    let news = try CommandRun()
    let text = """
      \u{feff}# my feeds
      https://a.example/feed.xml tech "two words" "~A Title"

      http://b.example/rss !  # comment
      "query:Unread:unread = \\"yes\\""
      exec:~/bin/feed.sh work
      filter:~/bin/sort.sh:https://c.example/rss
      file:///home/me/feed.xml
      nonsense
      """
    try news.folder.write(text, to: "urls")
    let result = news("import", news.folder.path("urls"))
    #expect(
      result.errors == """
        news: line 6: exec:~/bin/feed.sh: runs a command (`--commands` takes those too); left out
        news: line 7: filter:~/bin/sort.sh:https://c.example/rss: runs a command (`--commands` takes \
        those too); left out
        news: line 8: file:///home/me/feed.xml: a file (`--files` takes those too); left out
        news: line 9: nonsense: not an http or https URL; left out
        2 feeds imported
        1 saved search added (`news rules` lists them)

        """
    )
    #expect(result.status == 0)
    let feeds = try news.store.read().subscriptions
    #expect(feeds.map(\.title) == ["A Title", nil])
    #expect(feeds.map(\.tags) == [["tech", "two words"], []])
    #expect(feeds.map(\.settings.isHidden) == [false, true])
  }

  @Test(
    "a file that is no list is an error that says what it is",
    arguments: [
      ("<rss version=\"2.0\"><channel/></rss>", "not OPML: the root element is rss"),
      ("Dear reader,\nhello", "neither OPML nor a list of URLs"), ("<", "not OPML"),
    ],
  )
  func wrongFile(_ text: String, _ reason: String) throws {
    let news = try CommandRun()
    let path = try news.folder.write(text, to: "file")
    let result = news("import", path)
    #expect(result.errors.hasPrefix("news: \(path): \(reason)") && result.status == 65)
  }

  @Test("a list of URLs is one, too, where each needs a permission")
  func refused() throws {
    let lists = [("http://127.0.0.1/f", "in a private network"), ("file:///f", "a file")]
    for (url, reason) in lists {
      let news = try CommandRun()
      let result = news("import", try news.folder.write("# mine\n\(url)\n", to: "urls"))
      #expect(result.errors.hasPrefix("news: line 2: \(url): \(reason) ("))
      #expect(result.errors.hasSuffix("; left out\n0 feeds imported\n") && result.status == 0)
    }
  }

  @Test("what was exported with files in it comes back with --files")
  func files() throws {
    let news = try CommandRun()
    let path = try news.folder.write(Sample.rss("A file", ["a"]), to: "my feed.xml")
    #expect(news("subscribe", path).status == 0)
    let list = try news.folder.write(news("export").output, to: "list.opml")
    let other = try CommandRun()
    #expect(
      other("import", list).errors == """
        news: \(LocalPath.fileURL(path)): a file (`--files` takes those too); left out
        0 feeds imported

        """
    )
    #expect(other("import", "--files", list).errors == "1 feed imported\n")
    #expect(try other.store.read().subscriptions.map(\.url) == [LocalPath.fileURL(path)])
  }

  @Test("feeds of private networks come with --allow-private, and no others are followed there")
  func privateNetworks() throws {
    let news = try CommandRun()
    let urls = [
      "http://127.0.0.1/a", "http://router/b", "http://2130706433/c", "https://d.example/d",
    ]
    let outlines = urls.map { "<outline text='t' xmlUrl='\($0)'/>" }.joined()
    let list = try news.folder.write("<opml><body>\(outlines)</body></opml>", to: "list.opml")
    let why = "in a private network (`--allow-private` takes those too)"
    let line = "news: 3 left out (-v lists them): \(why)\n"
    #expect(news("import", list).errors == line + "1 feed imported\n")
    let named = news("import", "-v", list).errors
    #expect(urls.dropLast().allSatisfy { named.contains("news: \($0): \(why); left out\n") })
    #expect(try news.store.read().subscriptions.map(\.state.isOnInternet) == [true])
    let result = news("import", "--allow-private", list)
    #expect(result.errors == "3 feeds imported; 1 was there already\n")
    let feeds = try news.store.read().subscriptions
    #expect(feeds.map(\.state.isOnInternet) == [false, false, false, false])
    #expect(news("import", list).status == 0)
    #expect(try news.store.read().subscriptions == feeds)
  }

  @Test("URLs are taken in any spelling, and spellings of one feed are one")
  func spellings() throws {
    let news = try CommandRun()
    let urls = [
      "https://a.example/Feed", "http://a.EXAMPLE:80/Feed", " HTTPS://A.example/Feed ",
      "https://a.example/feed", "https://müller.example/größe", "feed://d.example/x",
      "feed:https://e.example/x", "https://ann:1@f.example/x", "https://bob:2@f.example/x",
      "&lt;itpc://g.example/x&gt;", "FEED:HTTP://h.example/x", "&#160;http://i.example/x&#8203;",
    ]
    let outlines = urls.map { "<outline text='t' xmlUrl='\($0)'/>" }.joined()
    let list = try news.folder.write("<opml><body>\(outlines)</body></opml>", to: "list.opml")
    #expect(news("import", list).errors == "10 feeds imported\n")
    #expect(
      try news.store.read().subscriptions.map(\.url) == [
        "https://a.example/Feed", "https://a.example/feed",
        "https://xn--mller-kva.example/gr%C3%B6%C3%9Fe", "https://d.example/x",
        "https://e.example/x", "https://ann:1@f.example/x", "https://bob:2@f.example/x",
        "https://g.example/x", "http://h.example/x", "http://i.example/x",
      ]
    )
  }

  @Test("a list that breaks off is imported as far as it goes, and fails")
  func cutShort() throws {
    let news = try CommandRun()
    let path = try news.folder.write(
      "<opml><body><outline xmlUrl='https://a.example/f'/><outline xmlUrl='https://b.ex",
      to: "list.opml",
    )
    let result = news("import", path)
    #expect(
      result.errors
        == "1 feed imported\nnews: \(path): breaks off; what is there was imported\n"
    )
    #expect(result.status == 65)
  }

  @Test(
    "too many feeds are refused as a whole; what is left out for one reason is one line, and each is named by -v"
  )
  func bounds() throws {
    let news = try CommandRun()
    func list(_ scheme: String, _ count: Int) throws -> String {
      let outlines = (1...count).map { "<outline xmlUrl='\(scheme)://a.example/\($0)'/>" }.joined()
      return try news.folder.write("<opml><body>\(outlines)</body></opml>", to: "list.opml")
    }
    let path = try list("https", 10_001)
    #expect(
      news("import", path).errors == "news: \(path): refused: number of feeds over 10000\n"
    )
    #expect(try news.store.read().subscriptions.isEmpty)
    let other = try list("gopher", 30)
    let lines = news("import", other).errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("news: 30 left out (-v lists them): "))
    #expect(news("import", other, "-v").errors.split(separator: "\n").count == 31)
  }

  @Test("nothing in a list changes a terminal, neither when it is listed nor exported")
  func hostile() throws {
    let news = try CommandRun()
    let text = "&#x202E;&#27;[2J&#7;&#x2028;A&#x200B;&#xE0041;\u{9b}2J\u{202e}"
    let path = try news.folder.write(
      """
      <opml><head><title>\(text)</title></head><body><outline text="\(text)" o="\(text)"><outline
      text="\(text)" xmlUrl="https://a.example/\u{202e}x" d="\(text)"/></outline></body></opml>
      """,
      to: "list.opml",
    )
    #expect(news("import", path).status == 0)
    let printed = news("export").output + news("feeds").output + news("feeds", "--json").output
    news.useTerminal(200)
    for scalar in (printed + news("feeds").output).unicodeScalars where scalar != "\n" {
      let isText = scalar == "\t" || scalar == "\u{1b}" || SafeText.line(String(scalar)) != ""
      #expect(isText || scalar == " ", "U+\(String(scalar.value, radix: 16))")
    }
    #expect(!printed.contains("\u{1b}"))
    #expect(news("export").output.contains("<title>&#8238;[2J&#8232;A&#8203;&#917569;"))
  }

  @Test("a missing file and a directory are told")
  func unreadable() throws {
    let news = try CommandRun()
    #expect(news("import", "/nowhere/x").errors == "news: /nowhere/x: no such file or directory\n")
    let path = news.folder.path
    #expect(news("import", path).errors == "news: \(path): is a directory\n")
  }

  @Test(
    "a feed without a title is called by its URL without the password, also by those it is given to"
  )
  func untitledPassword() throws {
    let news = try CommandRun()
    news("subscribe", "--no-check", "-q", "https://me:secret@example.com/feed")
    #expect(
      news("feeds").output.hasPrefix("https://***@example.com/feed\thttps://***@example.com/feed\t")
    )
    let list = try news.folder.write(news("export").output, to: "list.opml")
    #expect(try readText(list).contains("text=\"https://example.com/feed\""))
    let other = try CommandRun()
    #expect(other("import", list).status == 0)
    let subscription = try #require(try other.store.read().subscriptions.first)
    #expect(subscription.url == "https://example.com/feed" && subscription.title == nil)
  }
}
