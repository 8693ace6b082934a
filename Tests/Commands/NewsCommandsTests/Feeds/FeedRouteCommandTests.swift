import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import System

@Suite("The way to one feed's server")
struct FeedRouteCommandTests {
  private let news: CommandRun
  private let proxy = "socks5h://ann:hunter2@127.0.0.1:9050"

  init() throws {
    news = try CommandRun()
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["one"])))
  }

  private func route() throws -> FeedRoute { try news.store.read().subscriptions[0].route }

  private func certificates() throws -> (path: String, key: String) {
    let path = try news.folder.write("-----BEGIN CERTIFICATE-----\n", to: "own.pem")
    let key = try news.folder.write("-----BEGIN PRIVATE KEY-----\n", to: "own.key")
    #expect(chmod(key, 0o600) == 0)
    return (path, key)
  }

  @Test("goes with its requests from the first on, is told, and is taken back by undo")
  func changes() throws {
    #expect(news("subscribe", Sample.feed, "--proxy", proxy).status == 0)
    #expect(news.fetcher.requests.map(\.route.proxy) == [proxy])
    let set = news("feeds", "set", "example", "--proxy", "none")
    #expect(set.output + set.errors == "Example: asked without a proxy\n")
    #expect(news("refresh").status == 0)
    #expect(news.fetcher.requests.map(\.route.proxy) == [proxy, "none"])
    #expect(news("undo").status == 0)
    #expect(try route().proxy == proxy)
    let printed = [
      news("why", "example"), news("feeds", "--json"), news("feeds", "set", "example"),
    ]
    #expect(printed[0].output.contains("asked by the proxy socks5h://***@127.0.0.1:9050"))
    #expect(printed[1].output.contains("\"proxy\":\"socks5h://***@127.0.0.1:9050\""))
    #expect(printed.allSatisfy { !($0.output + $0.errors).contains("hunter2") })
    #expect(news("feeds", "set", "example", "--proxy", "").status == 0)
    #expect(try route().isEmpty)
  }

  @Test("has the files of certificates, by their whole paths")
  func certificateFiles() throws {
    let own = try certificates()
    let words = ["--ca", own.path, "--certificate", own.path, "--key", own.key]
    let result = news.run(["subscribe", Sample.feed] + words)
    #expect(result.status == 0, "\(result.errors)")
    let route = try #require(news.fetcher.requests.first?.route)
    #expect(route.authorities == own.path)
    #expect([route.certificate, route.key] == [own.path, own.key])
    #expect(news("feeds", "set", "example", "--certificate", "").status == 0)
    #expect(try self.route().key == nil && self.route().authorities == own.path)
  }

  @Test("goes with each request of several that are subscribed to at once")
  func several() throws {
    let other = "https://o.example/f"
    news.fetcher.serve(other, .init(body: Sample.rss("Other", ["two"])))
    #expect(news("subscribe", Sample.feed, other, "--proxy", proxy).status == 0)
    #expect(news.fetcher.requests.map(\.route.proxy) == [proxy, proxy])
    #expect(try news.store.read().subscriptions.map(\.route.proxy) == [proxy, proxy])
  }

  @Test("a proxy or file of no use is refused when it is typed, without its password")
  func refused() throws {
    let own = try certificates()
    #expect(news("subscribe", Sample.feed).status == 0)
    for word in ["ftp://x:hunter2@h", "socks5h://", "127.0.0.1:9050", "http://a b"] {
      let result = news("feeds", "set", "example", "--proxy", word)
      #expect(result.status == 64 && !result.errors.contains("hunter2"), "\(word)")
    }
    let missing = news("feeds", "set", "example", "--ca", "/nowhere/ca.pem")
    #expect(missing.status == 1 && missing.errors.contains("/nowhere/ca.pem: no such file"))
    let keyAlone = news("feeds", "set", "example", "--key", own.key)
    #expect(keyAlone.status == 64 && keyAlone.errors.contains("--key needs --certificate"))
    let wrong = news("feeds", "set", "example", "--ca", own.key)
    #expect(wrong.errors.contains("there is no 'BEGIN CERTIFICATE' in it (PEM)"))
    #expect(chmod(own.key, 0o644) == 0)
    let open = news("feeds", "set", "example", "--certificate", own.path, "--key", own.key)
    #expect(open.status == 1 && open.errors.contains("others can read the key (chmod 600)"))
    #expect(try route().isEmpty)
  }

  @Test("a move to another site by the server's word takes the proxy along and no certificate")
  func moved() throws {
    let own = try certificates()
    let words = ["--proxy", proxy, "--ca", own.path]
    #expect(news.run(["subscribe", Sample.feed] + words).status == 0)
    var feed = try news.store.read().subscriptions[0]
    #expect(feed.route != feed.route.elsewhere)
    feed.route = feed.route.elsewhere
    #expect(feed.route.proxy == proxy && feed.route.authorities == nil)
    let page = "https://example.net/"
    let link = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"https://o.example/f\">"
    news.fetcher.serve(page, .init(body: "<html><head>\(link)</head></html>"))
    news.fetcher.serve("https://o.example/f", .init(body: Sample.rss("Other", ["two"])))
    let result = news.run(["subscribe", page] + words)
    #expect(result.errors.contains("it gets no certificate"))
    #expect(news.fetcher.requests.last?.route == feed.route)
    #expect(try news.store.read().subscriptions.last?.route == feed.route)
  }

  @Test("a page, picture or episode of its stories goes the same way")
  func parts() throws {
    var (feed, other) = (Subscription(url: Sample.feed), Subscription(url: "https://o.example/f"))
    (feed.route.proxy, feed.route.authorities) = (proxy, "/ca.pem")
    other.route.proxy = "none"
    let part = { (url: String) in
      FetchRequest(
        part: url,
        of: StoredItem(id: "", item: Item(), feeds: [Sample.feed], stored: nil),
        [feed, other],
      ).route
    }
    let same = try #require(WebURL.resolve("/page", against: Sample.feed))
    #expect(part(same) == feed.route)
    #expect(part("https://elsewhere.example/") == feed.route.elsewhere)
  }
}
