import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("Headers of one feed")
struct RequestHeaderTests {
  private let news: CommandRun
  private let url = "https://paid.example/feed"

  init() throws {
    news = try CommandRun()
    news.fetcher.serve(url, .init(body: Sample.rss("Paid", ["one"])))
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["two"])))
  }

  private var sent: [[String]] {
    news.fetcher.requests.map { $0.headers.fields.map(\.line) }
  }

  @Test("those that are typed, in a file, and that a command prints go with its requests alone")
  func headers() throws {
    let file = try news.folder.write("Cookie: session=hunter2\n\nX-Key: hunter3\n", to: "cookies")
    #expect(chmod(file, 0o600) == 0)
    let secret = try news.folder.write("Authorization: Bearer hunter4\n", to: "secret")
    let words = ["--header", "@\(file)", "--header", "Accept-Language: de"]
    let subscribed = news.run(
      ["subscribe", url] + words + ["--header-command", "cat '\(secret)'"]
    )
    #expect(subscribed.status == 0, "\(subscribed.errors)")
    #expect(news("subscribe", Sample.feed).status == 0)
    let all = [
      "Cookie: session=hunter2", "X-Key: hunter3", "Accept-Language: de",
      "Authorization: Bearer hunter4",
    ]
    #expect(sent == [all, []])
    let report = news("refresh", "-v")
    #expect(sent == [all, [], all, []] || sent == [all, [], [], all])
    let printed = [
      subscribed, report, news("feeds", "--json"), news("feeds"), news("export"), news("log"),
      news("export", "--json"), news("why", "paid"), news("show", "1"), news("doctor"),
      news("feeds", "set", "paid", "--header", "Cookie: session=hunter5"), news("undo"),
    ]
    #expect(printed.allSatisfy { !($0.output + $0.errors).contains("hunter") })
    let json = news("feeds", "paid", "--json").output
    #expect(json.contains("\"headers\":[\"Cookie\",\"X-Key\",\"Accept-Language\"]"))
    #expect(json.contains("\"headerCommand\":true"))
  }

  @Test("one of the same name is replaced, an empty one removed, and undo brings both back")
  func changes() throws {
    #expect(news("subscribe", url).status == 0)
    #expect(news("feeds", "set", "paid", "--header", "Cookie: a").errors.contains("other headers"))
    #expect(news("feeds", "set", "paid", "--header", "cookie: b", "--header", "X: y").status == 0)
    let lines = { try news.store.read().subscriptions[0].headers.fields.map(\.line) }
    #expect(try lines() == ["cookie: b", "X: y"])
    #expect(news("feeds", "set", "paid", "--header", "Cookie:").status == 0)
    #expect(try lines() == ["X: y"])
    #expect(news("feeds", "set", "paid", "--header", "").errors.contains("asked without headers"))
    #expect(try lines() == [])
    #expect(news("undo").status == 0)
    #expect(try lines() == ["X: y"])
  }

  @Test("a file that others can read is refused, and so is what is no header, without its value")
  func refused() throws {
    #expect(news("subscribe", url).status == 0)
    let file = try news.folder.write("Cookie: hunter2\n", to: "cookies")
    #expect(chmod(file, 0o640) == 0)
    let open = news("feeds", "set", "paid", "--header", "@\(file)")
    #expect(open.status == 1 && open.errors.contains("others can read it (chmod 600)"))
    let none = news("feeds", "set", "paid", "--header", "hunter2")
    #expect(none.status == 64 && !none.errors.contains("hunter2"))
    #expect(news("feeds", "set", "paid", "--header", "Host: hunter2").status == 64)
    #expect(news("subscribe", url, Sample.feed, "--header", "X: y").status == 64)
  }

  @Test("a command that prints no header, or fails, is the feed's failure in one line")
  func failure() throws {
    #expect(news("subscribe", url, "--no-check", "--header-command", "echo hunter2").status == 0)
    let result = news("fetch")
    #expect(result.errors.contains("the command for its headers printed a line that is no header"))
    #expect(!result.errors.contains("hunter2") && news.fetcher.requests.isEmpty)
    #expect(news("feeds", "set", "paid", "--header-command", "exit 3").status == 0)
    #expect(news("refresh").errors.contains("the command for its headers exited with status 3"))
  }

  @Test("of a page on another site its feed gets none")
  func otherSite() throws {
    let page = "https://example.net/"
    let link = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(Sample.feed)\">"
    news.fetcher.serve(page, .init(body: "<html><head>\(link)</head></html>"))
    let result = news("subscribe", page, "--header", "Cookie: hunter2")
    #expect(result.errors.contains("it gets no headers"))
    #expect(sent == [["Cookie: hunter2"], []])
    #expect(try news.store.read().subscriptions.map(\.headers.isEmpty) == [true])
  }
}
