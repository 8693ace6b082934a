import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("Where the feed of a page that announces none is looked for")
struct FeedFinderTests {
  private static let names = [
    "feed", "feed.xml", "rss.xml", "atom.xml", "index.xml", "rss", "feed.json",
  ]

  @Test("the folder of the page is looked through first, then the root")
  func places() throws {
    let server = try site(["/blog/rss.xml", "/feed"])
    #expect(try followed(server, "/blog/post?page=2#end") == "/blog/rss.xml")
    #expect(try followed(server, "/blog/") == "/blog/rss.xml")
    #expect(try followed(server, "/blog/2026/post") == "/feed")
    #expect(try followed(server, "/") == "/feed")
  }

  @Test("a page that leads into a folder counts as there")
  func redirected() throws {
    let server = try site(["/blog/index.xml"], redirects: ["/blog": "/blog/"])
    #expect(try followed(server, "/blog") == "/blog/index.xml")
  }

  @Test("each place is asked once, the root only for what the folder lacks")
  func requests() throws {
    for (page, folders) in [("/a/b/post", ["/a/b/", "/"]), ("/post", ["/"]), ("/", ["/"])] {
      let server = try site([])
      #expect(try followed(server, page) == nil)
      let asked = server.requests.map(\.path).filter { $0 != page }
      #expect(asked.count == folders.count * Self.names.count)
      #expect(Set(asked) == Set(folders.flatMap { folder in Self.names.map { folder + $0 } }))
    }
    let server = try site(["/a/feed", "/feed"])
    #expect(try followed(server, "/a/post") == "/a/feed")
    #expect(server.requests.allSatisfy { $0.path.hasPrefix("/a/") })
  }

  @Test("the feed of a Link field is followed, and -v says what was found and why")
  func linkHeader() throws {
    let server = try FaultyServer { request in
      guard request.path == "/" else { return .response(body: Sample.rss("Feed", ["a"])) }
      return .response(
        headers: [
          "Content-Type: text/html",
          "Link: </of/feed>; rel=\"alternate\"; type=\"application/rss+xml\"; title=\"F\"",
        ],
        body: "<html><body><a href='/other'>RSS</a></body></html>",
      )
    }
    #expect(try followed(server, "/") == "/of/feed")
    let news = try CommandRun()
    news.realFetcher = SourceFetcher()
    let found = "found \(server.url("/of/feed"))  F  (Link header, application/rss+xml)\n"
    #expect(
      news("subscribe", server.url("/"), "-v").errors.contains("\(server.url("/")): \(found)")
    )
  }

  @Test(
    "a page that leads on by its Refresh field leads to its feed",
    arguments: ["", "<html></html>"],
  )
  func refreshField(_ body: String) throws {
    let server = try FaultyServer { request in
      request.path == "/of/feed"
        ? .response(body: Sample.rss("Feed", ["a"]))
        : .response(headers: ["Content-Type: text/html", "Refresh: 0; url=/of/feed"], body: body)
    }
    #expect(try followed(server, "/") == "/of/feed")
  }

  @Test("the password for a page is that of the feed which it names on its site")
  func password() throws {
    let server = try FaultyServer { request in
      guard request.header("Authorization") != nil else {
        return .response(
          status: "401 No",
          headers: ["WWW-Authenticate: Basic realm=x"],
          body: "",
        )
      }
      guard request.path == "/" else { return .response(body: Sample.rss("Feed", ["a"])) }
      let link = "<link rel=alternate type=application/rss+xml href='/feed'>"
      return .response(headers: ["Content-Type: text/html"], body: "<html>\(link)</html>")
    }
    let news = try CommandRun()
    news.realFetcher = SourceFetcher()
    let page = server.url("/").replacing("http://", with: "http://me:secret@")
    let said = news("subscribe", page)
    #expect(said.status == 0 && !said.errors.contains("secret"), "\(said.errors)")
    #expect(try news.store.read().subscriptions.map(\.url) == [page + "feed"])
    #expect(news("refresh", "--force").status == 0)
  }

  @Test(
    "a limit that is given to subscribe is the feed's from then on, and named where one is passed"
  )
  func limit() throws {
    let long = Sample.rss("Feed", (1...100).map { "\($0)" })
      .replacing("</channel>", with: "<!--\(String(repeating: "x", count: 2 << 20))--></channel>")
    let server = try FaultyServer { _ in .response(body: long) }
    let news = try CommandRun()
    news.realFetcher = SourceFetcher()
    let said = news("subscribe", server.url("/feed"), "--max-size", "1")
    #expect(
      said.errors
        == "news: \(server.url("/feed")): body is larger than 1 MiB; --max-size allows more\n"
    )
    #expect(news("subscribe", server.url("/feed"), "--max-size", "3").status == 0)
    let sizes = try news.store.read().subscriptions.map(\.settings.maximumBytes)
    #expect(sizes == [3 << 20])
  }

  @Test("a link called RSS that leads to no feed does not keep from the usual places")
  func misleadingLink() throws {
    for link in ["<a href='/about'>RSS</a>", "<a href='/about' type='text/rss'>x</a>"] {
      let server = try FaultyServer { request in
        let isFeed = request.path == "/rss.xml"
        return .response(
          body: isFeed ? Sample.rss("Feed", ["a"]) : "<html><body>\(link)</body></html>"
        )
      }
      #expect(try followed(server, "/") == "/rss.xml")
    }
  }

  @Test("a feed of comments is followed only where there is no other")
  func commentsAlone() throws {
    for (others, expected) in [(["/feed.xml"], "/feed.xml"), ([], "/comments/feed/")] {
      let server = try FaultyServer { request in
        if request.path == "/comments/feed/" || others.contains(request.path) {
          return .response(body: Sample.rss("Feed", ["a"]))
        }
        guard request.path == "/" else { return .response(status: "404 Not Found", body: "") }
        let link = "<link rel=alternate type=application/rss+xml href='/comments/feed/'>"
        return .response(headers: ["Content-Type: text/html"], body: "<html>\(link)</html>")
      }
      #expect(try followed(server, "/") == expected)
    }
  }

  private func site(
    _ feeds: Set<String>,
    redirects: [String: String] = [:],
  ) throws -> FaultyServer {
    try FaultyServer { request in
      if feeds.contains(request.path) { return .response(body: Sample.rss(request.path, ["a"])) }
      if let place = redirects[request.path] {
        return .response(status: "302 Found", headers: ["Location: \(place)"], body: "")
      }
      let name = request.path.split(separator: "/").last.map(String.init) ?? ""
      guard !Self.names.contains(name) else { return .response(status: "404 Not Found", body: "") }
      return .response(
        headers: ["Content-Type: text/html"],
        body: "<html><body>Hello</body></html>",
      )
    }
  }

  /// Returns the path of the feed that is followed for a page, or nil when none is found.
  private func followed(_ server: FaultyServer, _ page: String) throws -> String? {
    let news = try CommandRun()
    news.realFetcher = SourceFetcher()
    let result = news("subscribe", server.url(page))
    let urls = try news.store.read().subscriptions.map(\.url)
    guard result.status == 0 else {
      let line = "a web page, not a feed, and it announces none"
      #expect(result.errors == "news: \(server.url(page)): \(line)\n")
      return nil
    }
    #expect(urls.count == 1)
    return urls.first.map { String($0.dropFirst(server.url("").count)) }
  }
}
