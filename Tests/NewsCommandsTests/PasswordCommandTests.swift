import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands

@Suite("--password-command: a program that keeps the password of a feed")
struct PasswordCommandTests {
  private let news: CommandRun
  private let url = "https://me@private.example/feed"

  init() throws {
    news = try CommandRun()
    news.fetcher.serve(url, .init(body: Sample.rss("Private", ["one"])))
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["two"])))
  }

  private func subscribe(_ command: String, _ words: String...) -> CommandResult {
    news.run(["subscribe", url, "--password-command", command] + words)
  }

  @Test("the first line that it prints goes along with each request, and nowhere else")
  func password() throws {
    let file = try news.folder.write("hunter2\r\nsecond line\n", to: "password")
    #expect(subscribe("cat '\(file)'").status == 0)
    #expect(news("subscribe", Sample.feed).status == 0)
    let report = news("refresh", "-v")
    #expect(report.status == 0)
    let requests = news.fetcher.requests
    #expect(requests.filter { $0.url == url }.map(\.password) == ["hunter2", "hunter2"])
    #expect(requests.filter { $0.url != url }.allSatisfy { $0.password == nil })
    #expect(requests.allSatisfy { $0.passwordCommand == nil })
    let said = [report, news("feeds", "--json"), news("feeds"), news("export"), news("log")]
    #expect(said.allSatisfy { !($0.output + $0.errors).contains("hunter2") })
    let home = news.folder.path("home")
    for name in try namesInFolder(home) where !name.hasPrefix("subscribed") {
      let bytes = String(decoding: try readFile("\(home)/\(name)"), as: UTF8.self)
      #expect(!bytes.contains("hunter2"), "\(name)")
    }
  }

  @Test("it is kept with the feed, which says that it has one, and can be given later")
  func kept() throws {
    #expect(news("subscribe", url).status == 0)
    #expect(news("feeds", "--json").output.contains("\"passwordCommand\":false"))
    #expect(subscribe("echo new").status == 0)
    #expect(try news.store.read().subscriptions.map(\.passwordCommand) == ["echo new"])
    #expect(news("feeds", "--json").output.contains("\"passwordCommand\":true"))
    #expect(!news("export").output.contains("echo new"))
  }

  @Test(
    "its failure is the feed's, in one line, and no other feed's",
    arguments: [
      ("echo hunter2; exit 3", "the command for its password ended with the status 3"),
      ("/nowhere/pass", "the command for its password ended with the status 127"),
      ("kill -9 $$", "the command for its password ended with the status 137"),
      ("true", "the command for its password printed none in its first line"),
      ("echo; echo hunter2", "the command for its password printed none in its first line"),
    ],
  )
  func failure(_ command: String, _ words: String) throws {
    #expect(subscribe(command, "--no-check").status == 0)
    #expect(news("subscribe", "--no-check", Sample.feed).status == 0)
    let result = news("fetch")
    #expect(result.output.hasPrefix("newData: 1 new in 1 of 2 feeds, 1 failed"))
    #expect(result.errors.contains("\(words); next try after "), "\(result.errors)")
    #expect(!result.errors.contains("hunter2"))
    #expect(news.fetcher.requests.map(\.url) == [Sample.feed])
  }

  @Test("one that hangs ends with the run")
  func hanging() throws {
    #expect(subscribe("cat < '\(try fifo())'", "--no-check").status == 0)
    #expect(news("subscribe", "--no-check", Sample.feed).status == 0)
    let result = news("fetch", "--deadline", "0.3")
    #expect(result.errors.contains("not finished before the deadline"))
    #expect(result.output.hasPrefix("newData: 1 new in 1 of 2 feeds, 1 failed"))
  }

  /// A pipe that nobody writes to.
  private func fifo() throws -> String {
    let path = news.folder.path("fifo")
    #expect(try Subprocess.run(["mkfifo", path]).status == 0)
    return path
  }

  @Test("a command that several feeds share is run once in a run")
  func shared() throws {
    let log = news.folder.path("log")
    let other = "https://me@private.example/other"
    news.fetcher.serve(other, .init(body: Sample.rss("Other", ["three"])))
    let command = "echo run >> '\(log)'; echo hunter2"
    for url in [url, other] {
      #expect(news("subscribe", "--no-check", url, "--password-command", command).status == 0)
    }
    #expect(news("fetch").output.hasPrefix("newData: 2 new in 2 of 2 feeds"))
    #expect(try readText(log) == "run\n")
    #expect(news.fetcher.requests.map(\.password) == ["hunter2", "hunter2"])
  }

  @Test("what it says is not for a server in the clear, nor for another site than the reader named")
  func places() throws {
    let plain = news("subscribe", "http://a.example/", "--password-command", "echo hunter2")
    #expect(plain.errors.contains("--password-command is for https, or for a URL with a user"))
    let page = "https://example.net/"
    let link = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(Sample.feed)\">"
    news.fetcher.serve(page, .init(body: "<html><head>\(link)</head></html>"))
    let result = news("subscribe", page, "--password-command", "echo hunter2")
    #expect(result.errors.contains("it gets no password"))
    #expect(news.fetcher.requests.map(\.password) == ["hunter2", nil])
    #expect(try news.store.read().subscriptions.map(\.passwordCommand) == [nil])
  }
}
