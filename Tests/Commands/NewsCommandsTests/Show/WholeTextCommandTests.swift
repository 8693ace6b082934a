import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("Whole texts of stored stories")
struct WholeTextCommandTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "F"), (Sample.other, "O")])
  }

  private func serve(_ url: String, _ titles: [String], _ word: String = "whole") {
    let items = titles.map { title in
      "<item><title>\(title)</title><guid>\(title)</guid>"
        + "<description>&lt;p&gt;\(word) \(title)&lt;/p&gt;</description></item>"
    }
    let body = "<rss version=\"2.0\"><channel><title>T</title>\(items.joined())</channel></rss>"
    news.fetcher.serve(url, .init(body: body))
  }

  private func refresh(_ words: String...) {
    #expect(news.run(["refresh", "--force"] + words).status == 0)
  }

  private func texts() throws -> [String] {
    let items = try news.store.read().items
    return try (0..<items.count).map { place in
      let story = try items.item(at: place)
      let text = try news.store.text(of: story)
      #expect(text == nil || text?.number == story.item.textNumber)
      return "\(story.item.title): \(text.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "-")"
    }.sorted()
  }

  private func files() -> [String] {
    ((try? namesInFolder(news.folder.path("home/texts"))) ?? []).sorted()
  }

  @Test("are stored with the stories, and changed with them")
  func stored() throws {
    serve(Sample.feed, ["a", "b"])
    refresh()
    #expect(try texts() == ["a: <p>whole a</p>", "b: <p>whole b</p>"])
    serve(Sample.feed, ["a", "b", "c"], "new")
    serve(Sample.other, ["a"], "other")
    refresh()
    #expect(
      try texts() == ["a: <p>new a</p>", "a: <p>other a</p>", "b: <p>new b</p>", "c: <p>new c</p>"]
    )
    news("list")
    #expect(news("why", "1", "2", "3", "4").output.contains("whole text 2026-11-01"))
    #expect(files().count == 1)
  }

  @Test("stay while something can bring their stories back, and go then")
  func gone() throws {
    serve(Sample.feed, ["a", "b"])
    serve(Sample.other, ["c"])
    refresh()
    for words in [
      ["clear", "--yes"], ["unsubscribe", Sample.feed], ["clear", "--feed", Sample.feed, "--yes"],
    ] {
      news.run(words)
      #expect(try texts().count < 3, "\(words)")
      news("undo")
      #expect(
        try texts() == ["a: <p>whole a</p>", "b: <p>whole b</p>", "c: <p>whole c</p>"],
        "\(words)",
      )
    }
    news("unsubscribe", Sample.feed)
    let file = news.folder.path("home/texts/00000001.plist")
    let before = try readFile(file).count
    // The changes that could bring the texts back are forgotten.
    for _ in 0..<50 {
      news("star", "1")
      news("unstar", "1")
    }
    #expect(try texts() == ["c: <p>whole c</p>"])
    #expect(try readFile(file).count < before)
    news("clear", "--yes")
    for number in 0..<100 {
      news("subscribe", "--no-check", "https://\(number).example/")
    }
    #expect(files() == [])
  }

  @Test("are left out where nobody wants them")
  func unwanted() throws {
    serve(Sample.feed, ["a"])
    refresh("--no-texts")
    #expect(try texts() == ["a: -"])
    #expect(files() == [])
    refresh()
    #expect(try texts() == ["a: <p>whole a</p>"])
    news.variables["NEWS_NO_TEXTS"] = "1"
    refresh()
    #expect(try texts() == ["a: -"])
  }

  @Test("come back with --force when somebody has deleted them")
  func deleted() throws {
    serve(Sample.feed, ["a", "b"])
    refresh()
    removeTree(news.folder.path("home/texts"))
    #expect(try texts() == ["a: -", "b: -"])
    news("refresh")
    refresh()
    #expect(try texts() == ["a: <p>whole a</p>", "b: <p>whole b</p>"])
  }

  @Test("are looked in by --grep")
  func found() throws {
    serve(Sample.feed, ["a", "b"], String(repeating: "far ", count: 400) + "Café <b>no</b>where")
    refresh()
    #expect(news("list", "--grep", "nowhere").output.split(separator: "\n").count == 2)
    #expect(news("list", "--grep", "elsewhere").output == "")
    let found = news("list", "--grep", "nowhere cafe b").output
    #expect(found.split(separator: "\n").count == 1)
    #expect(news("list", "--grep", "/café nowhere [ab]/").output.contains("\ta\t"))
    #expect(news("list", "--text").errors.contains("did you mean --grep TEXT?"))
    removeTree(news.folder.path("home/texts"))
    #expect(news("list", "--grep", "nowhere").output == "")
    #expect(news("doctor", "--offline").output.contains("the whole text of 2 stories is gone"))
  }

  @Test("are what show shows, and numbers the links of")
  func shown() throws {
    serve(
      Sample.feed,
      ["a"],
      "A &lt;a href=\"/b\"&gt;link&lt;/a&gt; and a &lt;em&gt;word&lt;/em&gt; of",
    )
    refresh()
    let text = "<p>A <a href=\"/b\">link</a> and a <em>word</em> of a</p>"
    #expect(news("show", "1").output.hasPrefix("a\n\nA link and a word of a\n\nFeed "))
    #expect(news("show", "1", "--raw").output == text + "\n")
    let json = news("show", "1", "--json").output
    #expect(
      json.contains(
        "\"html\":\"\(text.replacing("\"", with: "\\\""))\",\"text\":null,\"base\":null,\"cut\":false"
      )
    )
    try news.folder.write("", to: "home/texts/00000001.plist")
    let damaged = news("show", "1")
    #expect(damaged.status == 0)
    #expect(damaged.output.hasPrefix("a\n\nA link and a word of a\n\n"))
    #expect(damaged.errors.contains("its summary is shown"))
  }

  @Test("are those of the pages where the reader wants them, and stay so")
  func pages() throws {
    let url = "https://example.com/story"
    func serveStory(_ text: String) {
      let item =
        "<item><title>T</title><link>\(url)</link><description>\(text)</description></item>"
      let body = "<rss version=\"2.0\"><channel><title>T</title>\(item)</channel></rss>"
      news.fetcher.serve(Sample.feed, .init(body: body))
    }
    serveStory("A teaser &lt;b&gt;only&lt;/b&gt;.")
    refresh()
    let sentence =
      "<p>" + String(repeating: "The article, in full, has many words. ", count: 12) + "</p>"
    let page =
      "<html><body><nav><a href=/>Home</a></nav><article>\(sentence)\(sentence)</article></body></html>"
    news.fetcher.serve(url, .init(body: "<html><body><p>Log in</p></body></html>"))
    let login = news("show", "1", "--full")
    #expect(login.errors == "news: story 1, T: its page is no article; the feed's text stays\n")
    #expect(login.output.contains("\nA teaser only.\n"))
    news.fetcher.serve(url, .init(body: page))
    #expect(
      news("show", "1", "--full").output.contains("\nThe article, in full, has many words. ")
    )
    let asked = news.fetcher.requests.count
    #expect(news("show", "1", "--full").output.contains("The article"))
    #expect(news.fetcher.requests.count == asked)
    // Neither the feed's next text nor --force takes the article away; nothing counts as changed.
    for text in ["A teaser &lt;b&gt;only&lt;/b&gt;.", "Another &lt;i&gt;teaser&lt;/i&gt;"] {
      serveStory(text)
      refresh()
      #expect(news("show", "1").output.contains("The article"))
      #expect(!news("show", "1").output.contains("Home"))
    }
    #expect(news("show", "1", "--full", "--no-history").errors == "")
    #expect(news("show", "1", "--force").status == 64)
    news.fetcher.serve(url, .init(body: page.replacing("many words", with: "other words")))
    #expect(news("show", "1", "--full").output.contains("many words"))
    #expect(news("show", "1", "--full", "--force").output.contains("other words"))
    news.fetcher.serve(url, .init(body: "<p>Log in</p>"))
    let again = news("show", "1", "--full", "--force")
    #expect(
      again.errors == "news: story 1, T: its page is no article; the article of before stays\n"
    )
    #expect(again.output.contains("other words"))
    serve(Sample.feed, ["a"])
    refresh()
    news("list", "--json")
    #expect(news("show", "1", "--full").errors.contains("has no page: there is no link"))
  }

  private static let sentence = String(
    repeating: "The article, in full, has many words. ",
    count: 12,
  )

  private func servePage(_ body: String) {
    let url = "https://example.com/story"
    let item =
      "<item><title>Tides</title><link>\(url)</link><description>A teaser.</description></item>"
    news.fetcher.serve(
      Sample.feed,
      .init(body: "<rss version=\"2.0\"><channel><title>T</title>\(item)</channel></rss>"),
    )
    news.fetcher.serve(url, .init(body: "<html><body>\(body)</body></html>"))
    refresh()
  }

  @Test("of pages that are cut off say so, as long as they are stored")
  func cut() throws {
    servePage(
      "<article><p>\(Self.sentence)</p><div class=\"paywall-prompt\"><p>Subscribe to continue reading."
        + "</p></div></article>"
    )
    let shown = news("show", "1", "--full")
    #expect(shown.errors == "")
    #expect(shown.output.contains("\n\nthe page shows only its beginning\n\nFeed "))
    #expect(!shown.output.contains("Subscribe"))
    #expect(news("show", "1").output.contains("\n\nthe page shows only its beginning\n\nFeed "))
    #expect(news("show", "1", "--json").output.contains("\"cut\":true"))
    #expect(news("export", "--json").output.contains("\"cut\":true"))
    servePage("<article><p>\(Self.sentence)</p></article>")
    let whole = news("show", "1", "--full", "--force")
    #expect(whole.output.contains("The article"))
    #expect(!whole.output.contains("only its beginning"))
    #expect(news("show", "1", "--json").output.contains("\"cut\":false"))
  }

  @Test("of pages are looked at when they are asked for, and not stored")
  func preview() throws {
    servePage("<article><p>\(Self.sentence)</p></article>")
    let set = news("feeds", "set", Sample.feed, "--full")
    #expect(set.status == 0)
    #expect(
      set.errors.contains(
        "newest story, Tides: 455 characters instead of 9, beginning: The article, in full, has many"
      ),
      "\(set.errors)",
    )
    #expect(news("show", "1").output.contains("A teaser."))
    news("feeds", "set", Sample.feed, "--no-full")
    servePage("<p>Log in</p>")
    let none = news("feeds", "set", Sample.feed, "--full").errors
    #expect(none.contains("Tides: its page is no article; the feed's text would stay"), "\(none)")
    let asked = news.fetcher.requests.count
    news("feeds", "set", Sample.feed, "--title", "Sea")
    #expect(news.fetcher.requests.count == asked)
  }
}
