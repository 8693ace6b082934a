import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("Feeds that commands print or change")
struct CommandFeedTests {
  private let news: CommandRun
  private let command: String

  init() throws {
    news = try CommandRun()
    let file = try news.folder.write(Sample.rss("Scraped", ["one"]), to: "document")
    command = "cat '\(file)'"
  }

  private func feeds() throws -> [Subscription] { try news.store.read().subscriptions }

  private func write(_ titles: [String]) throws {
    try news.folder.write(Sample.rss("Scraped", titles), to: "document")
  }

  @Test("what a command prints is a feed, the same again is nothing new, and undo takes it away")
  func printed() throws {
    let said = news("subscribe", "--command", command)
    #expect(said.status == 0 && said.errors.contains("subscribed to Scraped (1 story)"))
    #expect(try feeds().map(\.url) == ["exec:\(command)"])
    #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 1 feeds"))
    try write(["one", "two"])
    #expect(news("refresh", "Scraped").output.contains("two"))
    #expect(news("list", "--feed", "scraped").output.split(separator: "\n").count == 2)
    let json = news("feeds", "--json").output
    #expect(json.contains("\"command\":\"\(command)\",\"filter\":null"))
    #expect(news.fetcher.requests.isEmpty)
    #expect(news("subscribe", "--command", command).errors.hasPrefix("already subscribed"))
    #expect(news("undo").status == 0)
  }

  @Test("undo of a subscription to a command forgets the command")
  func undone() throws {
    #expect(news("subscribe", "--no-check", "--command", command).status == 0)
    #expect(news("undo").status == 0)
    #expect(try feeds().isEmpty)
  }

  @Test("another command takes its place, and the stories stay")
  func moved() throws {
    #expect(news("subscribe", "--command", command).status == 0)
    #expect(news("move", "scraped", "--command", "\(command) /dev/null").status == 0)
    #expect(try feeds().map(\.url) == ["exec:\(command) /dev/null"])
    #expect(news("list").output.split(separator: "\n").count == 1)
  }

  @Test("a command that fails or prints nothing is its feed's failure, in one line")
  func failure() throws {
    #expect(
      news("subscribe", "--command", "false").errors
        == "news: exec:false: the command exited with status 1\n"
    )
    #expect(
      news("subscribe", "--no-check", "--command", "sh -c 'echo why >&2; exit 3'").status == 0
    )
    let said = news("fetch")
    #expect(said.output.hasPrefix("failed: 1 of 1 feeds failed"))
    #expect(said.errors.contains("the command exited with status 3: why; next try"))
    #expect(try feeds()[0].state.failures == 1)
    #expect(news("why", "exec").output.contains("failed the last time"))
    #expect(news("move", "exec", "--no-check", "--command", "true").status == 0)
    #expect(news("refresh").errors.contains("the command printed nothing"))
  }

  @Test(
    "stories that it printed before it failed are stored, and told of in one way",
    arguments: ["exit 3", "kill -9 $$", "echo why >&2; exit 1", "kill -15 $$; sleep 9"],
  )
  func failedBehind(_ end: String) throws {
    let both = "sh -c " + ShellWord.quoted("\(command); \(end)")
    #expect(news("subscribe", "--command", both).errors.hasSuffix("; 1 story came before\n"))
    #expect(news("subscribe", "--no-check", "--command", both).status == 0)
    let said = news("fetch")
    #expect(said.output.hasPrefix("newData: 1 new in 1 of 1 feeds, 1 failed"))
    #expect(said.errors.contains("; 1 story came before; next try after"))
    #expect(try feeds()[0].state.lastError?.hasSuffix("; 1 story came before") == true)
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["one", "two"])))
    let filter = ["--no-check", "--filter", "sh -c " + ShellWord.quoted("cat; \(end)")]
    #expect(news.run(["subscribe", Sample.feed] + filter).status == 0)
    #expect(news("refresh").errors.contains("; 2 stories came before; next try after"))
    #expect(try news.stories().count == 2)
  }

  @Test("what prints more than a document may have is ended")
  func endless() throws {
    #expect(news("subscribe", "--no-check", "--command", "yes").status == 0)
    #expect(news("feeds", "set", "exec", "--max-size", "1").status == 0)
    #expect(news("refresh").errors.contains("body is larger than 1 MiB"))
  }

  @Test("a document goes through a filter, which undo takes away again")
  func filter() throws {
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["one"]), etag: "\"1\""))
    #expect(news("subscribe", Sample.feed).status == 0)
    let said = news("feeds", "set", "example", "--filter", "sed s/one/other/")
    #expect(said.errors == "Example: filtered by sed s/one/other/\n")
    #expect(news("feeds", "--json").output.contains("\"filter\":\"sed s/one/other/\""))
    // The feed is asked without condition: the stored stories came without the filter.
    news("refresh")
    #expect(news.fetcher.requests.last?.validators == nil)
    #expect(news("list").output.contains("other"))
    #expect(news("refresh").output.isEmpty && news.fetcher.requests.last?.validators != nil)
    news("feeds", "set", "example", "--filter", "sh -c 'exit 4'")
    #expect(news("refresh").errors.contains("the filter exited with status 4"))
    #expect(news("undo").status == 0)
    #expect(try feeds()[0].filter == "sed s/one/other/")
    news("feeds", "set", "example", "--filter", "")
    #expect(try feeds()[0].filter == nil)
  }

  @Test("a document that is a feed through its filter alone can be subscribed to")
  func filteredAlone() throws {
    let feed = Sample.rss("Wrapped", ["one"])
    news.fetcher.serve(Sample.feed, .init(body: "{}"))
    let file = try news.folder.write(feed, to: "feed")
    #expect(news("subscribe", Sample.feed).status == 1)
    let said = news(
      "subscribe",
      Sample.feed,
      "--filter",
      "sh -c \"grep -q '{}' && cat '\(file)'\"",
    )
    #expect(said.status == 0, "\(said.errors)")
    #expect(try feeds()[0].displayTitle == "Wrapped")
  }

  @Test("feeds with filters are asked together, and their filters run at the same time")
  func together() throws {
    let urls = [Sample.feed, Sample.other]
    let pipes = try urls.indices.map { number in
      let pipe = "\(news.folder.path)/pipe\(number)"
      try #require(mkfifo(pipe, 0o600) == 0)
      return pipe
    }
    for (url, pipes) in zip(urls, [pipes, pipes.reversed()]) {
      news.fetcher.serve(url, .init(body: Sample.rss("Feed", [url])))
      let meet = "exec 3<>'\(pipes[0])' 4<>'\(pipes[1])'; echo x >&3; read x <&4; cat"
      let words = ["--no-check", "--filter", "sh -c " + ShellWord.quoted(meet)]
      #expect(news.run(["subscribe", url] + words).status == 0)
    }
    #expect(news("refresh").status == 0)
    #expect(try feeds().map(\.state.failures) == [0, 0])
    #expect(news.fetcher.batches.contains { Set($0.map(\.url)) == Set(urls) })
  }

  @Test("none is run that somebody else may have written")
  func refused() throws {
    #expect(news("subscribe", "--no-check", "--command", command).status == 0)
    #expect(chmod(news.store.home, 0o777) == 0)
    #expect(news("refresh").errors.contains("the command is not run: others can write"))
  }

  @Test("OPML has no commands, and says so; other machines are told of none")
  func kept() throws {
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["one"])))
    news("subscribe", "--command", command)
    news("subscribe", Sample.feed, "--filter", "sed s/a/a/")
    let exported = news("export")
    #expect(exported.output.contains(Sample.feed))
    #expect(!exported.output.contains("exec:") && !exported.output.contains("sed "))
    #expect(
      exported.errors == """
        news: Scraped: what a command prints is left out of OPML
        news: Example: its filter is left out of OPML

        """
    )
    let shared = SharedSettings(try feeds(), []).values
    #expect(!"\(shared)".contains("cat ") && !"\(shared)".contains("sed "))
    #expect(shared[.feed(Sample.feed, .followed)] == .yes)
  }

  @Test("newsboat's commands are shown before they are taken, and taken where that is allowed")
  func imported() throws {
    let line = "\"exec:\(command)\" work\n\"filter:sed s/a/b/:\(Sample.feed)\"\n"
    let file = try news.folder.write(line, to: "urls")
    #expect(news("import", file).errors.contains("`--commands` takes those too"))
    news.useTerminal(80)
    news.input = ["n", "y"]
    let asked = news("import", file)
    #expect(asked.errors.contains("These feeds run commands on this machine:\n"))
    #expect(asked.errors.contains("  line 1: exec:\(command)\n"))
    #expect(try feeds().isEmpty)
    #expect(news("import", file).errors.contains("2 feeds imported"))
    #expect(try feeds().map(\.url) == ["exec:\(command)", Sample.feed])
    #expect(try feeds().map(\.filter) == [nil, "sed s/a/b/"])
    #expect(try feeds()[0].tags == ["work"])
    news("undo")
    news.terminal = .init()
    #expect(news("import", file, "--commands").errors == "2 feeds imported\n")
  }

  @Test("no shell reads a command; newsboat's lines for one name it when they are imported")
  func shell() throws {
    #expect(news("subscribe", "--no-check", "--command", "\(command) | cat").status == 0)
    #expect(news("refresh").errors.contains("the command exited with status 1: cat: "))
    #expect(news("unsubscribe", "exec").status == 0)
    let line = "\"exec:\(command) | cat\"\n\"filter:sed s/a/b/ | cat:\(Sample.feed)\"\n"
    let file = try news.folder.write(line, to: "urls")
    #expect(news("import", file, "--commands").status == 0)
    #expect(try feeds().map(\.filter) == [nil, "sh -c 'sed s/a/b/ | cat'"])
    #expect(try feeds()[0].url.hasPrefix("exec:sh -c 'cat "))
    #expect(news("refresh", "exec").status == 0)
    #expect(try feeds()[0].displayTitle == "Scraped")
  }

  @Test("stories of a command come back by their own export to the same command")
  func exported() throws {
    let line = "\(command) - '|'"
    #expect(news("subscribe", "--no-check", "--command", "sh -c 'cat document | cat'").status == 0)
    #expect(news("subscribe", "--no-check", "--command", line).status == 0)
    let urls = try feeds().map(\.url)
    let stories = urls.map { "{\"title\":\"a\",\"guid\":\"\($0)\",\"feeds\":[\"\($0)\"]}" }
    let file = try news.folder.write("[\(stories.joined(separator: ","))]", to: "stories.json")
    news("undo")
    news("undo")
    #expect(news("import", file, "--commands").status == 0)
    #expect(try feeds().map(\.url).sorted() == urls.sorted())
  }
}
