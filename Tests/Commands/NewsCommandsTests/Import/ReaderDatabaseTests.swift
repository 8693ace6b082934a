import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("Another reader's database is imported")
struct ReaderDatabaseTests {
  /// The tables of newsboat 2.21.
  private static let newsboat = """
    CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL,
      title VARCHAR(1024) NOT NULL);
    CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL,
      title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL,
      feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL, content VARCHAR(65535) NOT NULL,
      unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024),
      enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52), deleted INTEGER(1) NOT NULL
      DEFAULT 0, base VARCHAR(128) NOT NULL DEFAULT "");
    """

  private static func story(_ number: Int, unread: Int = 1, more: String = "'',0") -> String {
    "INSERT INTO rss_item (guid,title,author,url,feedurl,pubDate,content,unread,flags,deleted)"
      + " VALUES ('g\(number)','story \(number)','Ann','https://example.com/\(number)',"
      + "'\(Sample.feed)',\(1_790_000_000 + number),'<p>text</p>',\(unread),\(more));"
  }

  private func database(_ sql: String, in news: CommandRun) throws -> String {
    let path = news.folder.path("cache.db")
    let made = try Subprocess.run(["sqlite3", "-bail", path, sql])
    try #require(made.status == 0, "\(made.errorText)")
    return path
  }

  @Test("newsboat's cache: what was read, deleted and flagged")
  func newsboat() throws {
    let news = try CommandRun()
    let file = try database(
      Self.newsboat + "INSERT INTO rss_feed VALUES ('\(Sample.feed)','https://example.com/','Ex');"
        + Self.story(1, unread: 0) + Self.story(2) + Self.story(3, more: "'as',0")
        + Self.story(4, more: "'',1")
        + "INSERT INTO rss_item (guid,title,author,url,feedurl,pubDate,content,unread)"
        + " VALUES ('x','x','','','exec:rm -rf /',0,'',1);",
      in: news,
    )
    let said = news("import", file)
    #expect(
      said.errors
        == "news: exec:rm -rf /: runs a command (`--commands` takes those too); left out\n"
        + "3 stories (1 read) of 1 feed imported; following 1 more feed\n"
        + "flags are tags now: flag-a, flag-s; to star such stories: "
        + "`news star --all --grep tag:flag-a`\n"
    )
    #expect(news("list", "--feed", "tag:flag-s").output.contains("story 3"))
    #expect(news("feeds").output.contains("Ex"))
    // Stories deleted in newsboat do not come back with the feed.
    let items = (1...5).map { number in
      "<item><title>story \(number)</title><guid>g\(number)</guid>"
        + "<link>https://example.com/\(number)</link></item>"
    }
    let body = "<rss version=\"2.0\"><channel><title>Ex</title>\(items.joined())</channel></rss>"
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: body))
    news("fetch")
    let titles = news("list", "--format", "{title} {read}").output.split(separator: "\n").sorted()
    #expect(titles == ["story 1 true", "story 2 false", "story 3 false", "story 5 false"])
    #expect(news("list", "--grep", "is:updated").output == "")
    news("star", "--all", "--grep", "tag:flag-s")
    #expect(news("list", "--starred").output.contains("story 3"))
  }

  @Test("its feed's words replace another program's unnoticed, and later ones are an edit")
  func firstMeeting() throws {
    let news = try CommandRun()
    func serve(_ text: String) {
      let body = """
        <rss version="2.0"><channel><title>Ex</title><item><title>Story 1</title><guid>g1</guid>
        <description>\(text)</description><link>https://example.com/1</link></item></channel></rss>
        """
      news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: body))
    }
    func updated() -> [Int] {
      ["is:updated", "is:unread"].map {
        news("list", "--grep", $0).output.split(separator: "\n").count
      }
    }
    let feed = "INSERT INTO rss_feed VALUES ('\(Sample.feed)','https://example.com/','Ex');"
    news("import", try database(Self.newsboat + feed + Self.story(1, unread: 0), in: news))
    news("feeds", "set", "Ex", "--unread-when-edited")
    serve("The author's own words.")
    #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 1 feeds"))
    #expect(news("list", "--json").output.contains("\"title\":\"Story 1\""))
    #expect(updated() == [0, 0])
    news.now += 7200
    serve("The author's other words.")
    news("fetch")
    #expect(updated() == [1, 1])
  }

  @Test("newsboat's cache names the feeds that are followed here and have said no title yet")
  func titles() throws {
    let news = try CommandRun()
    for url in [Sample.feed, Sample.other] { news("subscribe", "--no-check", url) }
    news("feeds", "set", Sample.other, "--title", "Mine")
    let feeds = [Sample.feed, Sample.other].map { url in
      "INSERT INTO rss_feed VALUES ('\(url)','https://example.com/','Theirs');"
    }
    let other = Self.story(2).replacing(Sample.feed, with: Sample.other)
    let file = try database(Self.newsboat + feeds.joined() + Self.story(1) + other, in: news)
    #expect(news("import", file).status == 0)
    #expect(try news.store.read().subscriptions.map(\.displayTitle) == ["Theirs", "Mine"])
    // The feed's own title takes the place of the imported one.
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a"])))
    news("refresh", Sample.feed)
    #expect(try news.store.read().subscriptions[0].displayTitle == "Example")
  }

  @Test("NetNewsWire's articles, whose texts are HTML or plain, with reads and stars")
  func netNewsWire() throws {
    let news = try CommandRun()
    let file = try database(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE articles (articleID TEXT NOT NULL PRIMARY KEY, feedID TEXT NOT NULL, uniqueID TEXT
        NOT NULL, title TEXT, contentHTML TEXT, contentText TEXT, markdown TEXT, url TEXT, externalURL
        TEXT, summary TEXT, imageURL TEXT, bannerImageURL TEXT, datePublished DATE, dateModified DATE,
        searchRowID INTEGER);
      CREATE TABLE statuses (articleID TEXT NOT NULL PRIMARY KEY, read BOOL NOT NULL DEFAULT 0,
        starred BOOL NOT NULL DEFAULT 0, dateArrived DATE NOT NULL DEFAULT 0);
      INSERT INTO articles (articleID,feedID,uniqueID,title,contentHTML,url,datePublished)
        VALUES ('a','\(Sample.feed)','u1','one','<p>one</p>','https://example.com/1',1790000000.5);
      INSERT INTO articles (articleID,feedID,uniqueID,title,contentText)
        VALUES ('b','\(Sample.feed)','u2','two','a < b');
      INSERT INTO statuses VALUES ('a',1,1,1790000100.25);
      """,
      in: news,
    )
    #expect(
      news("import", file).errors.hasPrefix("2 stories (1 read, 1 starred) of 1 feed imported")
    )
    #expect(news("export", "--json").output.contains("\"stored\":\"2026-09-21T14:15:00Z\""))
    #expect(news("list", "--json").output.contains("\"summary\":\"a < b\""))
    #expect(try Subprocess.run(["ls", news.folder.path]).text == "cache.db\nhome\n")
  }

  @Test(
    "a database that is none, or sets a trap, is refused in a line, and nothing is stored",
    arguments: [
      ("CREATE TABLE t (x);", "neither newsboat's cache nor NetNewsWire's database"),
      (
        "CREATE VIEW rss_item AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n)"
          + " SELECT x AS feedurl FROM n;",
        "neither newsboat's cache",
      ),
      ("CREATE VIRTUAL TABLE rss_item USING fts5(feedurl);", "neither newsboat's cache"),
      (
        "CREATE TABLE rss_item (feedurl, content AS (hex(zeroblob(30000000))));",
        "neither newsboat's cache",
      ),
      ("CREATE TABLE rss_item (x);", "no such column: feedurl"),
      (
        "CREATE TABLE rss_item (feedurl PRIMARY KEY) WITHOUT ROWID;",
        "no such column: rss_item.rowid",
      ),
      (
        "CREATE TABLE rss_item (feedurl, content);"
          + "INSERT INTO rss_item VALUES ('\(Sample.feed)', zeroblob(100000000));",
        "refused: a row over 67108864 bytes",
      ),
    ],
  )
  func traps(_ sql: String, _ message: String) throws {
    let news = try CommandRun()
    let result = news("import", try database(sql, in: news))
    #expect(result.status == 1 && result.errors.contains(message), "\(result.errors)")
    #expect(news("list").output.isEmpty)
  }

  @Test("values of any type, and none, are no trap")
  func types() throws {
    let news = try CommandRun()
    let file = try database(
      """
      CREATE TABLE rss_item (feedurl, guid, title, url, pubDate, content, unread, flags, deleted);
      INSERT INTO rss_item VALUES (NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
      INSERT INTO rss_item VALUES ('\(Sample.feed)',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
      INSERT INTO rss_item VALUES (x'ff00fe',1.5,x'1b5b',x'00',-9e99,x'ff','many',7,'no');
      INSERT INTO rss_item VALUES ('\(Sample.feed)',1e300,x'411b5b324a42','javascript:x',1e300,
        x'3c703eff',x'31',x'1b61',NULL);
      """,
      in: news,
    )
    #expect(news("import", file).errors.contains("\n1 story of 1 feed imported"))
    #expect(news("list").output == "1\tA [2JB\t2026-11-01T12:00:00Z\t\(Sample.feed)\t\n")
  }

  @Test("cut off or with bytes changed anywhere, it is refused or read, and no more")
  func damaged() throws {
    let news = try CommandRun()
    let file = try database(
      Self.newsboat + (1...60).map { Self.story($0) }.joined(),
      in: news,
    )
    let whole = try readFile(file)
    var chance = Chance(seed: 7)
    for round in 0..<200 {
      var bytes = whole
      if round % 4 == 0 {
        bytes.removeLast(chance.below(bytes.count - 100))
      } else {
        for _ in 0..<8 { bytes[16 + chance.below(bytes.count - 16)] = UInt8(chance.below(256)) }
      }
      let result = news("import", try news.folder.write(bytes, to: "damaged.db"))
      #expect(result.status <= 1 && !result.errors.isEmpty)
      #expect(result.errors.split(separator: "\n").allSatisfy { $0.utf8.count < 400 })
    }
  }

  @Test("one that another program has locked is not waited for without end")
  func locked() throws {
    let news = try CommandRun()
    let file = try database(Self.newsboat + Self.story(1), in: news)
    let endless =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    let holder = try Subprocess([
      "sqlite3", "-cmd", ".timeout 60000", file, "BEGIN EXCLUSIVE; \(endless);",
    ])
    var result = news("import", file)
    while result.status == 0 { result = news("import", file) }
    holder.send(9)
    #expect(result.errors.contains("another program has locked it; end that, or import a copy"))
  }
}
