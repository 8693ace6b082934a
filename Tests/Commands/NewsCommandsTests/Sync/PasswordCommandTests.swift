import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

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
      ("echo hunter2; exit 3", "the command for its password exited with status 3"),
      ("/nowhere/pass", "the command for its password exited with status 127"),
      ("kill -9 $$", "the command for its password exited with status 137"),
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

  @Test(
    "it is run only from files and folders that nobody else can write to",
    arguments: ["home", "home/feeds.plist", "home/places.plist"],
    [0o777, 0o775, 0o1777, 0o702],
  )
  func writableByOthers(_ place: String, _ mode: mode_t) throws {
    let (log, path) = (news.folder.path("log"), news.folder.path(place))
    #expect(subscribe("echo run >> '\(log)'; echo pw", "--no-check").status == 0)
    let disk = news.folder.path("disk")
    #expect(mkdir(disk, 0o700) == 0 && news("sync", "add", "disk", disk).status == 0)
    #expect(chmod(path, mode) == 0)
    let words = "the command for its password is not run: others can write to \(path) (chmod go-w)"
    let result = news("fetch")
    #expect(result.status == 1 && result.errors.contains(words), "\(result.errors)")
    #expect(news.fetcher.requests.isEmpty && (try? readText(log)) == nil)
    #expect(chmod(path, 0o700) == 0)
    #expect(news("fetch").output.hasPrefix("newData: 1 new in 1 of 1 feeds"))
    #expect(try readText(log) == "run\n")
  }

  @Test("where a link leads to the file, its own folder counts")
  func linked() throws {
    #expect(subscribe("echo pw", "--no-check").status == 0)
    let (path, away) = (news.folder.path("home/feeds.plist"), news.folder.path("away"))
    #expect(mkdir(away, 0o777) == 0 && chmod(away, 0o777) == 0)
    try moveFile(path, to: "\(away)/feeds.plist")
    #expect(symlink("\(away)/feeds.plist", path) == 0)
    #expect(news("fetch").errors.contains("is not run: others can write to \(away) (chmod go-w)"))
    #expect(chmod(away, 0o755) == 0)
    #expect(news("fetch").status == 0)
  }

  @Test(
    "nor is it run from what belongs to another user",
    .enabled(if: geteuid() == 0, "giving a file away needs root"),
    arguments: ["home", "home/feeds.plist"],
  )
  func foreign(_ place: String) throws {
    let path = news.folder.path(place)
    #expect(subscribe("echo pw", "--no-check").status == 0)
    #expect(chown(path, 4242, 4242) == 0)
    #expect(news("fetch").errors.contains("is not run: \(path) belongs to another user"))
    #expect(news.fetcher.requests.isEmpty)
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
