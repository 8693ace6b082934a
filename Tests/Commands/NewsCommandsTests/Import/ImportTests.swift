import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("Stories and marks are handed over")
struct ImportTests {
  /// Returns a home with two feeds, whole texts, marks, a tag, and a story that its feed has
  /// changed.
  private func home() throws -> CommandRun {
    let news = try CommandRun()
    let text =
      "<description>&lt;p&gt;\(String(repeating: "word ", count: 400))&lt;/p&gt;</description>"
      + "<enclosure url=\"https://example.com/a.mp3\" type=\"audio/mpeg\" length=\"7\"/>"
      + "<itunes:duration>61</itunes:duration><itunes:season>2</itunes:season>"
      + "<podcast:episode>5</podcast:episode><comments>https://example.com/a#c</comments>"
      + "<podcast:transcript url=\"https://example.com/a.vtt\" type=\"text/vtt\" language=\"en\"/>"
      + "<psc:chapters><psc:chapter start=\"00:00\" title=\"Intro\"/>"
      + "<psc:chapter start=\"1:01\" title=\"Tides\" href=\"https://example.com/t\"/></psc:chapters>"
      + "<podcast:person role=\"guest\">Bo</podcast:person><podcast:person>Ida</podcast:person>"
    let first = Sample.rss("First", ["one, \"two\"", "=1+1", "third"])
      .replacing("</item>", with: "\(text)</item>")
    let other = "https://other.example/feed"
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: first))
    news.fetcher.serve(other, FakeFetcher.Page(body: Sample.rss("Other", ["x", "y"])))
    news("rules", "add", "filed", "--grep", "third", "--then", "tag:work")
    news("subscribe", Sample.feed, other, "--tag", "daily")
    news("refresh")
    let changed = first.replacing("<title>third", with: "<title>third, mended")
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: changed))
    news("refresh")
    news("read", "1")
    news("star", "2-3")
    return news
  }

  @Test("an export that is imported into an empty home is exported again as the same")
  func roundTrip() throws {
    let news = try home()
    let exported = news("export", "--json").output
    for part in [
      "word word", "\"work\"", "\"was\":\"third\"", "\"daily\"", "\"feedTitle\":\"First\"",
      "\"duration\":61", "\"role\":\"transcript\"", "\"season\":2",
      "\"episode\":5", "\"comments\":\"https://example.com/a#c\"",
      "\"chapters\":[{\"start\":0,\"title\":\"Intro\",\"url\":null},{\"start\":61,",
      "\"people\":[{\"name\":\"Ida\",\"role\":\"host\",\"url\":null},{\"name\":\"Bo\",",
    ] {
      #expect(exported.contains(part), "\(part)")
    }
    let other = try CommandRun()
    other.now += 1_000
    let file = try other.folder.write(exported, to: "stories.json")
    let said = other("import", file)
    #expect(said.status == 0)
    #expect(said.errors.hasPrefix("5 stories (1 read, 2 starred) of 2 feeds imported; following 2"))
    #expect(other("export", "--json").output == exported)
    #expect(other("list").output == news("list").output)
    other.input = [exported]
    #expect(other("import", "-").errors == "0 stories of 2 feeds imported; 5 were there already\n")
    #expect(other("export", "--json").output == exported)
    // The feeds recognize the stories that were imported.
    other.fetcher = news.fetcher
    #expect(other("fetch").output.hasPrefix("noData: 0 new in 0 of 2 feeds"))
    #expect(other("list").output == news("list").output)
  }

  @Test("an import marks what is there, and unmarks nothing; undo takes all of it back")
  func marks() throws {
    let news = try home()
    let exported = news("export", "--json").output
    let file = try news.folder.write(exported, to: "stories.json")
    news("unread", "--all")
    news("unstar", "--all")
    news("star", "4")
    let before = news("export", "--json").output
    #expect(
      news("import", file).errors
        == "0 stories of 2 feeds imported; 5 were there already, 3 of them newly marked\n"
    )
    #expect(news("list", "--starred").output.split(separator: "\n").count == 3)
    let undone = news("undo")
    #expect(undone.errors == "1 story is unread again, 2 stories are no longer starred\n")
    #expect(news("export", "--json").output == before)
  }

  @Test("an import says what it leaves out for want of a feed")
  func strays() throws {
    let news = try CommandRun()
    let stories = """
      {"stories":[{"title":"a","feeds":["https://a.example/f"]},{"title":"b","feeds":[]},
      {"title":"c"}]}
      """
    let file = try news.folder.write(stories, to: "stories.json")
    #expect(news("import", file).errors.contains("2 stories: of no feed; left out\n"))
    #expect(news("list").output.split(separator: "\n").count == 1)
  }

  @Test("undo removes what an import added, starred stories and feeds too")
  func undone() throws {
    let file = try home()("export", "--json").output
    let news = try CommandRun()
    news.fetcher.serve(
      "https://own.example/",
      FakeFetcher.Page(body: Sample.rss("Own", ["mine"])),
    )
    news("subscribe", "https://own.example/")
    let before = news("export", "--json").output
    news("import", try news.folder.write(file, to: "stories.json"))
    let undone = news("undo")
    #expect(undone.errors == "5 stories are gone again, no longer following 2 feeds\n")
    #expect(news("export", "--json").output == before)
    #expect(news("redo").status == 0)
    #expect(news("undo").errors == undone.errors)
    #expect(news("export", "--json").output == before)
  }

  @Test("a table quotes every field, and has no formula")
  func table() throws {
    let lines = try home()("list", "--csv", "--feed", "First").output.split(separator: "\r\n")
    #expect(lines.count == 4 && lines[0].hasPrefix("\"n\",\"id\",\"date\",\"title\",\"link\""))
    #expect(lines.contains { $0.contains(",\"one, \"\"two\"\"\",") })
    #expect(lines.contains { $0.contains(",\"'=1+1\",") })
    let news = try CommandRun()
    let refused = news("export", "--csv")
    #expect(refused.status == 64 && refused.errors.contains("did you mean `news list --csv`?"))
    #expect(news("export", "--unread").errors.contains("go with --json"))
    #expect(news("export", "--unread").status == 64)
  }

  @Test("entries of miniflux's API come with their marks, and the feed knows them again")
  func miniflux() throws {
    let entries = """
      {"total":3,"entries":[
      {"id":1,"feed_id":9,"title":"one &amp; all","url":"https://example.com/1","status":"read",
      "published_at":"2026-10-01T10:00:00Z","content":"<p>one</p>","starred":true,"hash":"x",
      "author":"Ann","enclosures":[{"url":"https://example.com/a.mp3","mime_type":"audio/mpeg",
      "size":5}],"feed":{"feed_url":"\(Sample.feed)","site_url":"https://example.com/",
      "title":"Example","category":{"title":"Daily"}}},
      {"title":"two","url":"https://example.com/2","status":"unread",
      "published_at":"2026-10-02T10:00:00Z","feed":{"feed_url":"\(Sample.feed)"}},
      {"title":"gone","url":"https://example.com/3","status":"removed",
      "published_at":"2026-10-03T10:00:00Z","feed":{"feed_url":"\(Sample.feed)"}}]}
      """
    let news = try CommandRun()
    let file = try news.folder.write(entries, to: "entries")
    #expect(
      news("import", file).errors
        == "2 stories (1 read, 1 starred) of 1 feed imported; following 1 more feed\n"
    )
    #expect(news("list", "--starred", "--json").output.contains("\"title\":\"one & all\""))
    #expect(news("feeds", "--json").output.contains("\"tags\":[\"Daily\"]"))
    #expect(news("import", file).errors.hasPrefix("0 stories of 1 feed imported; 2 were there"))
    // The feed has guids, which miniflux's export lacks.
    func item(_ number: Int, _ title: String) -> String {
      "<item><title>\(title)</title><link>https://example.com/\(number)</link>"
        + "<guid isPermaLink=\"false\">g\(number)</guid>"
        + "<pubDate>0\(number) Oct 2026 10:00:00 GMT</pubDate></item>"
    }
    let items = item(2, "two") + item(1, "one &amp;amp; all")
    let body = "<rss version=\"2.0\"><channel><title>Example</title>\(items)</channel></rss>"
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: body))
    #expect(news("fetch").output.contains(": 0 new in 0 of 1 feeds"))
    #expect(news("list", "--json").output.split(separator: "\"id\":").count == 3)
    #expect(news("import", file).errors.hasPrefix("0 stories of 1 feed imported; 2 were there"))
  }

  @Test("what only looks like a state of Google Reader's form is none")
  func otherStates() throws {
    let items = """
      {"items":[{"id":"tag:1","title":"one","published":1790000000,
      "alternate":[{"href":"https://example.com/1"}],
      "categories":["x/state/com.google/read","user/a/b/state/com.google/starred",
      "user//state/com.google/read","a/user/-/state/com.google/starred"],
      "origin":{"streamId":"feed/\(Sample.feed)","title":"Example"}}]}
      """
    let news = try CommandRun()
    news("import", try news.folder.write(items, to: "starred.json"))
    let story = try news.store.read().items.item(at: 0)
    #expect(!story.isRead && !story.isStarred)
  }

  @Test("items in Google Reader's form come with stars and reads")
  func googleReader() throws {
    let items = """
      {"id":"user/-/state/com.google/starred","title":"x","items":[
      {"id":"tag:1","title":"one","published":1790000000,
      "alternate":[{"href":"https://example.com/1"}],"summary":{"content":"<b>text</b>"},
      "categories":["user/-/state/com.google/read","user/-/state/com.google/starred","Sport"],
      "origin":{"streamId":"feed/\(Sample.feed)","title":"Example"}}]}
      """
    let news = try CommandRun()
    let file = try news.folder.write(items, to: "starred.json")
    #expect(
      news("import", file).errors.hasPrefix("1 story (1 read, 1 starred) of 1 feed imported")
    )
    let story = news("show", "1", "--json").output
    #expect(story.contains("\"summary\":\"text\"") && story.contains("\"categories\":[\"Sport\"]"))
  }

  @Test(
    "what is no list of stories, or a hostile one, is refused in a line, or cleaned",
    arguments: [
      ("{}", "no stories that say which feed they are of"),
      ("{\"items\":[{\"title\":\"a JSON Feed's\"}]}", "no stories that say which feed"),
      ("[1,2,[[[]]]]", "no stories that say which feed they are of"),
      ("{\"stories\":" + String(repeating: "[", count: 100_000), "nesting over 64"),
      ("[{\"feeds\":[\"javascript:alert(1)\"]}]", "not an http or https URL; left out"),
      ("[{\"feeds\":[\"http://127.0.0.1/\"]}]", "in a private network"),
    ],
  )
  func hostile(_ text: String, _ message: String) throws {
    let news = try CommandRun()
    let result = news("import", try news.folder.write(text, to: "file"))
    #expect(result.errors.contains(message), "\(result.errors)")
    if message.hasPrefix("no stories") { #expect(result.status == 65) }
    #expect(news("list").output.isEmpty)
  }

  @Test(
    "a document that breaks off gives what is whole; no field of it reaches a terminal uncleaned"
  )
  func brokenOff() throws {
    let story = """
      {"id":"zz","feeds":["\(Sample.feed)"],"title":"a\\u001b[2Jb","link":"javascript:x","guid":"g",
      "summary":7,"tags":"t\\u202et","date":"never","stored":"9999-01-01T00:00:00Z","read":true,
      "html":["x"],"enclosures":[{"url":"file:///etc/passwd"}],"changed":{"part":"title"}}
      """
    let news = try CommandRun()
    let result = news("import", try news.folder.write("{\"stories\":[\(story),{\"id\":", to: "f"))
    #expect(
      result.status == 65 && result.errors.contains("f: breaks off; what is there was imported")
    )
    let listed = news("export", "--json").output
    #expect(listed.contains("\"title\":\"a [2Jb\"") && listed.contains("\"link\":null"))
    #expect(listed.contains("\"enclosures\":[]") && listed.contains("\"read\":true"))
    #expect(listed.contains("\"stored\":\"2026-11-01T12:00:00Z\""))
    // The character may also stand in the name of the part after the stories.
    let other = try CommandRun()
    let file = try other.folder.write("{\"stories\":[\(story)],\"fee", to: "f")
    #expect(other("import", file).errors.contains("f: breaks off; what is there was imported"))
    #expect(other("export", "--json").output.contains("\"title\":\"a [2Jb\""))
  }
}
