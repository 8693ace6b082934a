import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import System
import TestSupport
import Testing

@Suite("Icons of feeds")
struct IconTests {
  private final class Site: Sendable {
    let answers = Mutex<[String: FaultyAnswer]>([:])
  }

  private let news: CommandRun
  private let site = Site()
  private let server: FaultyServer

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

  init() throws {
    news = try CommandRun()
    news.realFetcher = SourceFetcher()
    server = try FaultyServer { [site] request in
      site.answers.withLock { $0[request.path] } ?? .response(status: "404 No", body: "")
    }
  }

  private func logIn() throws {
    #expect(news("serve", "password").status == 0)
    let account = try #require(try news.store.servingAccount())
    try news.store.noteLogIn(with: account, at: Date(timeIntervalSince1970: news.now))
  }

  private func follow(_ path: String, _ more: String = "") {
    let text =
      "<rss version=\"2.0\"><channel><title>\(path)</title>\(more)<item><title>s</title>"
      + "<guid isPermaLink=\"false\">\(path)</guid></item></channel></rss>"
    site.answers.withLock { $0[path] = .response(body: text) }
    #expect(news("subscribe", "--allow-private", server.url(path)).status == 0)
  }

  private func serve(_ path: String, _ type: String, _ bytes: [UInt8]) {
    let answer = FaultyAnswer.response(headers: ["Content-Type: \(type)"], bytes: bytes)
    site.answers.withLock { $0[path] = answer }
  }

  private func icon(_ path: String) -> FeedIcon? {
    news.store.icon(named: LibraryStore.iconName(of: server.url(path)))
  }

  private func asked(_ path: String) -> Int { server.requests(for: path).count }

  private static let image = "<image><title>Site</title><url>/logo.png</url></image>"

  @Test("the picture that a feed names is fetched once a month, once an app has logged in")
  func ofFeed() throws {
    follow("/feed", Self.image)
    serve("/logo.png", "image/png", Self.png)
    #expect(news("fetch").status == 0 && asked("/logo.png") == 0)
    try logIn()
    #expect(news("feeds", "--json").output.contains("\"icon\":null"))
    for _ in 0..<3 {
      #expect(news("fetch").errors == "")
      news.now += 86_400
    }
    #expect(asked("/logo.png") == 1 && asked("/") == 0 && asked("/favicon.ico") == 0)
    #expect(icon("/feed")?.bytes == Self.png && icon("/feed")?.type == "image/png")
    let name = LibraryStore.iconName(of: server.url("/feed"))
    let path = try #require(news.store.iconPath(named: name))
    #expect(news("feeds", "--json").output.contains("\"icon\":\"\(path)\""))
    #expect(news("doctor", "--offline").status == 0)
    news.now += 30 * 86_400
    site.answers.withLock { $0["/logo.png"] = .response(status: "500 No", body: "") }
    #expect(news("fetch").errors == "" && asked("/logo.png") == 2)
    #expect(icon("/feed")?.bytes == Self.png)
  }

  @Test("a feed that names none has the icon of its site, and one of a page is taken first")
  func ofSite() throws {
    try logIn()
    follow("/a")
    follow("/b")
    serve("/favicon.ico", "image/x-icon", [0, 0, 1, 0, 5])
    serve("/i.gif", "image/gif", Array("GIF89a5".utf8))
    let page = "<html><head><link rel='shortcut icon' href=i.gif></head><body><p>Hello"
    serve("/", "text/html", Array("<html><body><p>Hello".utf8))
    news("fetch")
    #expect(icon("/a")?.type == "image/x-icon" && icon("/b")?.type == "image/x-icon")
    #expect(asked("/") == 1 && asked("/favicon.ico") == 1)
    serve("/", "text/html", Array(page.utf8))
    news.now += 31 * 86_400
    news("fetch")
    #expect(icon("/a")?.type == "image/gif" && icon("/b")?.type == "image/gif")
    #expect(asked("/favicon.ico") == 1)
  }

  @Test(
    "what is no picture, or a large one, is none, quietly, and for a month",
    arguments: [
      ("image/svg+xml", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
      ("image/png", Array("<html>".utf8)), ("text/html", IconTests.png),
      ("image/png", IconTests.png + [UInt8](repeating: 0, count: 64 << 10)), ("image/png", []),
    ] as [(String, [UInt8])],
  )
  func noPicture(_ type: String, _ bytes: [UInt8]) throws {
    try logIn()
    follow("/feed", Self.image)
    serve("/logo.png", type, bytes)
    for _ in 0..<3 {
      #expect(news("fetch").errors == "")
      news.now += 86_400
    }
    #expect(icon("/feed") == nil && asked("/logo.png") == 1 && asked("/favicon.ico") == 1)
    #expect(news("feeds", "--json").output.contains("\"icon\":null"))
  }

  @Test("an icon goes with its feed, and is fetched anew where that comes back or has moved")
  func gone() throws {
    try logIn()
    follow("/feed", Self.image)
    follow("/other")
    serve("/logo.png", "image/png", Self.png)
    news("fetch")
    #expect(news("unsubscribe", server.url("/feed")).status == 0)
    news("fetch")
    #expect(icon("/feed") == nil && news.store.hasAskedForIcon(of: server.url("/other")))
    #expect(!news.store.hasAskedForIcon(of: server.url("/feed")))
    #expect(news("undo").status == 0)
    news("fetch")
    #expect(icon("/feed")?.bytes == Self.png && asked("/logo.png") == 2)
  }

  @Test("an icon goes with its feed also where no app is logged in any more")
  func goneLater() throws {
    try logIn()
    follow("/feed", Self.image)
    follow("/other")
    serve("/logo.png", "image/png", Self.png)
    news("fetch")
    #expect(icon("/feed")?.bytes == Self.png && news("serve", "password").status == 0)
    #expect(news("unsubscribe", server.url("/feed")).status == 0)
    news("fetch")
    #expect(!news.store.hasAskedForIcon(of: server.url("/feed")))
  }

  @Test("no icon is asked for after a signal")
  func signal() throws {
    try logIn()
    follow("/feed", Self.image)
    serve("/logo.png", "image/png", Self.png)
    news.signal = 15
    news("fetch")
    #expect(asked("/logo.png") == 0)
    news.signal = nil
    news("fetch")
    #expect(asked("/logo.png") == 1)
  }

  @Test(
    "the feed's password goes to a picture that a page of its own site names, to none of another's",
    arguments: ["127.0.0.1", "localhost"],
  )
  func password(_ host: String) throws {
    try logIn()
    follow("/feed", "<link>\(server.url("/page").replacing("127.0.0.1", with: host))</link>")
    try news.store.update { library in
      var feeds = library.subscriptions
      feeds[0].url = feeds[0].url.replacing("://", with: "://me:secret@")
      return (LibraryChange(subscriptions: feeds), ())
    }
    let head = "<html><head><link rel=icon href='\(server.url("/own.png"))'></head>"
    serve("/page", "text/html", Array("\(head)<body><p>Hello".utf8))
    let refusal = FaultyAnswer.response(
      status: "401 No",
      headers: ["WWW-Authenticate: Basic realm=\"a\""],
      body: "",
    )
    site.answers.withLock { $0["/own.png"] = refusal }
    news("fetch")
    let requests = server.requests(for: "/own.png")
    #expect(!requests.isEmpty)
    let isGiven = requests.contains { $0.header("Authorization") != nil }
    #expect(isGiven == (host == "127.0.0.1"))
  }
}
