import FeedFetching
import FeedModel
import TestSupport
import Testing

@testable import FeedStorage

@Suite("A page's article beside the feed's text")
struct PageArticleTests {
  private let news: CommandRun
  private static let link = "https://example.com/story"
  private static let own = "The feed has this much to say."

  init() throws {
    news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "F")])
    serve()
    servePage(12)
    refresh()
    news("list")
  }

  private func serve(_ text: String = Self.own, _ title: String = "Tides") {
    let item =
      "<item><title>\(title)</title><guid>1</guid><link>\(Self.link)</link>"
      + "<description>&lt;p&gt;\(text)&lt;/p&gt;</description></item>"
    let other = "<item><title>Other</title><guid>2</guid></item>"
    let body = "<rss version=\"2.0\"><channel><title>T</title>\(item)\(other)</channel></rss>"
    news.fetcher.serve(Sample.feed, .init(body: body))
  }

  private func servePage(_ count: Int, _ word: String = "first") {
    let text = String(repeating: "The \(word) article, in full, has many words. ", count: count)
    let body = "<html><body><article><p>\(text)</p></article></body></html>"
    news.fetcher.serve(Self.link, .init(body: body))
  }

  private func refresh() { #expect(news("refresh", "--force").status == 0) }

  @discardableResult
  private func show(_ words: String...) -> CommandResult { news.run(["show", "1"] + words) }

  private func story() throws -> StoredItem {
    let items = try news.store.read().items
    return try items.item(at: #require(items.positions(of: ItemIDs([id()])).first))
  }

  private func id() throws -> String {
    let items = try news.store.read().items
    for position in 0..<items.count {
      let story = try items.item(at: position)
      if story.item.guid == "1" { return story.id }
    }
    return ""
  }

  private func keys() throws -> Set<String> {
    let folder = news.folder.path("home/articles")
    let names = (try? namesInFolder(folder)) ?? []
    return Set(try names.flatMap { try TextFile("\(folder)/\($0)")?.ids() ?? [] })
  }

  @Test("leaves the feed's text where its page does not come, and the command fails")
  func absent() {
    news.fetcher.serve(Self.link, .init(error: .status(404)))
    let shown = show("--full")
    #expect(shown.status == 1 && shown.errors.contains("404"))
    #expect(shown.output.contains(Self.own))
    servePage(9)
    #expect(show("--full").status == 0)
  }

  @Test("is shown from then on; both are kept, and each can be gone back to without a request")
  func both() throws {
    #expect(show("--full").output.contains("The first article"))
    let asked = news.fetcher.requests.count
    #expect(show().output.contains("The first article"))
    #expect(show().output.contains("\nText        its page's article\n"))
    let own = show("--from", "feed").output
    #expect(own.contains(Self.own) && !own.contains("first article"))
    #expect(show().output.contains("\nText        its feed's text, beside its page's article\n"))
    #expect(show("--raw").output == "<p>\(Self.own)</p>\n")
    #expect(show("--from", "page", "--json").output.contains("\"pageText\":true"))
    #expect(show("--full").output.contains("The first article"))
    #expect(news.fetcher.requests.count == asked)
    #expect(show("--from", "own").status == 64)
    #expect(show("--from", "feed", "--full").status == 64)
  }

  @Test("leaves the feed its text, which goes on changing")
  func updated() throws {
    show("--full")
    serve("The feed says something else.", "Tides again")
    refresh()
    #expect(show().output.contains("The first article"))
    #expect(show("--from", "feed").output.contains("The feed says something else."))
    serve("And a third thing.", "Tides again")
    refresh()
    #expect(show().output.contains("And a third thing."))
    #expect(show("--from", "page").output.contains("The first article"))
  }

  @Test("is told of and not shown where it is shorter; who asks for it sees it")
  func shorter() throws {
    serve(String(repeating: "The feed has this much to say. ", count: 60))
    refresh()
    servePage(12)
    let full = show("--full")
    #expect(
      full.errors
        == "news: story 1, Tides: the page's article is shorter than the feed's text: 527 of 1859 "
        + "characters; --from page shows it\n"
    )
    #expect(full.output.contains("The feed has this much") && full.status == 0)
    let asked = news.fetcher.requests.count
    #expect(show("--full").errors == full.errors)
    #expect(!show().output.contains("first article"))
    #expect(show("--from", "page").output.contains("first article"))
    #expect(show().output.contains("first article"))
    #expect(news.fetcher.requests.count == asked)
  }

  @Test("is taken back by undo with what else that command did, and nothing more")
  func undone() throws {
    let before = try story()
    news("star", "1")
    #expect(show("--full", "--keep-unread").status == 0)
    #expect(
      news("undo", "--show").errors
        == "would undo `news show --full`: 1 story has the former text back\n"
    )
    news("undo")
    #expect(try story().isStarred)
    #expect(try story().article == before.article)
    show("--full")
    #expect(
      news("undo").errors
        == "1 story has the former text back, 1 story is unread again\n"
    )
    #expect(show("--keep-unread").output.contains(Self.own))
    show("--full")
    show("--from", "feed", "--keep-unread")
    #expect(news("undo", "--json").output.contains("\"undone\":\"show --from\""))
    #expect(show().output.contains("The first article"))
  }

  @Test("that takes the place of another is undone to that, whatever was collected since")
  func forced() throws {
    show("--full")
    servePage(13, "second")
    show("--full", "--force")
    #expect(show("--keep-unread").output.contains("The second article"))
    #expect(try keys().count == 2)
    news.store.collectTexts()
    #expect(try keys().count == 2)
    news("undo")
    #expect(show("--keep-unread").output.contains("The first article"))
    // No undo can bring it back any more.
    forget()
    news.store.collectTexts()
    #expect(try keys() == [try #require(try story().articleKey)])
  }

  @Test("goes with its story, and comes back with it")
  func cleared() throws {
    show("--full")
    for words in [
      ["clear", "--yes"], ["delete", "1"], ["clear", "--yes", "--feed", Sample.feed],
    ] {
      #expect(news.run(words).status == 0, "\(words)")
      news.store.collectTexts()
      #expect(news("undo").status == 0)
      #expect(show("--keep-unread").output.contains("The first article"), "\(words)")
    }
    news("clear", "--yes")
    refresh()
    forget()
    news.store.collectTexts()
    #expect(try keys() == [])
  }

  /// Makes so many changes that none before can be taken back.
  private func forget() {
    for _ in 0..<50 {
      news("star", "1")
      news("unstar", "1")
    }
  }

  @Test("of stories that were cleared and have come back by themselves is there again")
  func returned() throws {
    show("--full")
    news("clear", "--yes")
    refresh()
    #expect(news("undo").status == 0)
    #expect(show("--keep-unread").output.contains("The first article"))
    #expect(show("--from", "feed").output.contains(Self.own))
  }

  @Test("is searched, sorted by, published and exported as what is shown")
  func others() throws {
    serve(String(repeating: "The feed says things. ", count: 15) + "So it ends.")
    refresh()
    show("--full")
    #expect(news("list", "--grep", "first article").output.contains("Tides"))
    #expect(news("list", "--grep", "it ends").output == "")
    let site = news.folder.path("site")
    #expect(news("publish", site).status == 0)
    #expect(try Subprocess.run(["grep", "-rlq", "first article", site]).status == 0)
    #expect(try Subprocess.run(["grep", "-rlq", "it ends", site]).status == 1)
    news("list")
    show("--from", "feed")
    #expect(news("list", "--grep", "first article").output == "")
    #expect(news("list", "--grep", "it ends").output.contains("Tides"))
    #expect(news("doctor", "--offline").status == 0)
  }

  @Test("is exported and imported with the other text", arguments: ["feed", "page"])
  func exported(_ shown: String) throws {
    show("--full")
    show("--from", shown)
    let file = try news.folder.write(news("export", "--json").output, to: "all.json")
    let other = try CommandRun()
    #expect(other("import", file).status == 0)
    other("list", "--json")
    let id = try id()
    let text = other("show", id).output
    #expect(text.contains(shown == "feed" ? Self.own : "The first article"))
    #expect(other("show", id, "--from", "feed").output.contains(Self.own))
    #expect(other("show", id, "--from", "page").output.contains("The first article"))
    #expect(other("doctor", "--offline").output.contains("texts"))
  }

  @Test("that is lost leaves the feed's text, and is fetched again")
  func lost() throws {
    show("--full")
    removeTree(news.folder.path("home/articles"))
    let shown = show()
    #expect(shown.output.contains(Self.own) && shown.errors == "")
    #expect(
      news("doctor", "--offline").output.contains("the article of the page of 1 story is gone")
    )
    #expect(show("--full").output.contains("The first article"))
    #expect(!news("doctor", "--offline").output.contains("is gone"))
    try news.folder.write("", to: "home/articles/00000009.plist")
    #expect(show().output.contains("The first article"))
  }

  @Test("of earlier versions stands in the feed's place, where no text of the feed replaces it")
  func earlier() throws {
    let text = StoryText(isHTML: true, bytes: Array("<p>An article of before.</p>".utf8))
    var old = try story()
    (old.item.textNumber, old.article.isShown) = (text.number, true)
    try news.store.update { [old] library in
      var change = LibraryChange()
      for position in try library.items.positions(of: ItemIDs([old.id])) {
        change.stories.replaced[position] = old
      }
      change.stories.texts = [NewText(id: old.id, of: SpooledStories([], [text]), at: 0)]
      return (change, ())
    }
    serve("A new text of the feed.")
    refresh()
    let asked = news.fetcher.requests.count
    #expect(show("--full").output.contains("An article of before."))
    #expect(news.fetcher.requests.count == asked)
    #expect(show("--from", "feed").errors.contains("its feed's text is not kept"))
    #expect(show("--full", "--force").output.contains("The first article"))
    #expect(show("--from", "feed").output.contains("An article of before."))
    show("--from", "page")
    news("undo")
    #expect(show().output.contains("An article of before."))
  }

  @Test("is kept or not where a run is killed between two saves, and undo goes back in either case")
  func killed() throws {
    show()
    let home = news.folder.path("home")
    for point in 0..<6 {
      var files: ModelFiles?
      ModelKill.before(point) {
        files = ModelFiles([home])
      } in: {
        _ = show("--full")
      }
      guard let files else { break }
      files.putBack()
      let text = show("--keep-unread").output
      #expect(text.contains("The first article") == (try story().article.isShown), "\(point)")
      #expect(text.contains(Self.own) == (try !story().article.isShown), "\(point)")
      news("undo")
      #expect(show("--keep-unread").output.contains(Self.own), "\(point)")
      #expect(show("--from", "feed").output.contains(Self.own), "\(point)")
      #expect(news("doctor", "--offline").status == 0, "\(point)")
    }
  }
}
