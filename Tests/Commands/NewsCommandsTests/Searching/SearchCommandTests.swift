import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandSupport
@testable import Searching

@Suite("The language of searches, over stored stories")
struct SearchCommandTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    var stories = [
      Sample.story(1, "Camera review", hours: 1),
      Sample.story(2, "Privacy and cameras", hours: 20, feeds: [Sample.other]),
      Sample.story(3, "Nothing of these", hours: 50),
      Sample.story(4, "Łódź opens a plant", hours: 24 * 40, feeds: [Sample.other]),
      Sample.story(5, "Ålesund", hours: 24 * 400, feeds: [Sample.other, Sample.feed]),
    ]
    stories[0].item.author = "Ann Lee"
    stories[0].item.categories = ["Photo", "Gear"]
    stories[0].item.enclosures = [
      Enclosure(url: "https://example.com/a.mp3", type: "audio/mpeg"),
      Enclosure(url: "https://example.com/a.png", type: "image/png"),
    ]
    stories[1].item.link = "https://blog.example.net/posts/2"
    stories[1].item.comments = "https://example.net/comments"
    stories[2].isRead = true
    stories[2].item.summary = nil
    stories[3].item.summary = String(repeating: "word ", count: 100)
    stories[3].tags = ["industry"]
    stories[4].isStarred = true
    stories[4].changes = [
      StoryChange(part: .title, date: Date(timeIntervalSince1970: 0), was: "A")
    ]
    try news.store(
      stories,
      subscriptions: [(Sample.feed, "Example"), (Sample.other, "Other Feed")],
    )
    try news.change { subscriptions in
      subscriptions[0].tags = ["work/daily"]
      subscriptions[0].state.language = "pt-BR"
      subscriptions[1].state.language = "de"
    }
  }

  private func found(_ search: String) -> [Int] {
    let result = news("list", "--grep", search, "--format", "{id}")
    #expect(result.status == 0, "\(search): \(result.errors)")
    return result.output.split(separator: "\n").compactMap { Int($0, radix: 16) }
  }

  @Test(
    "each part of the language finds what it says",
    arguments: [
      ("camera", [1, 2]), ("camera -privacy", [1]), ("camera not privacy", [1]),
      ("camera NOT privacy", [1]), ("privacy or nothing", [2, 3]), ("-(camera or plant)", [3, 5]),
      ("(privacy or review) camera", [1, 2]), ("/^(?!.*camera)/", [1, 3, 4, 5]),
      ("-/camera/", [3, 4, 5]), ("\"privacy and\"", [2]), ("\"and privacy\"", []),
      ("ann", [1]), ("photo", [1]), ("gear lee camera", [1]), ("\"lee photo\"", []),
      ("title:summary", []), ("text:summary", [1, 2, 5]), ("title:/^c/", [1]),
      ("text:/a\\.$/", []),
      ("author:lee", [1]), ("author:camera", []), ("-author:lee", [2, 3, 4, 5]),
      ("category:gear", [1]), ("category:/^photo$/", [1]), ("category:/photo gear/", []),
      ("link:posts", [2]), ("posts", []), ("link:/\\/[135]$/", [1, 3, 5]),
      ("site:example.net", [2]), ("site:blog.example.net", [2]), ("site:ample.net", []),
      ("site:example.com -site:example.net", [1, 3, 4, 5]),
      ("feed:other", [2, 4, 5]), ("feed:\"Other Feed\" -feed:example.com", [2, 4]),
      ("tag:work", [1, 3, 5]), ("tag:industry", [4]), ("feed:tag:work camera", [1]),
      ("is:read", [3]), ("is:unread", [1, 2, 4, 5]), ("-is:read", [1, 2, 4, 5]),
      ("is:starred", [5]), ("is:updated", [5]), ("is:downloaded", []),
      ("is:new", [1, 2, 3, 4, 5]),
      ("has:enclosure", [1]), ("has:image", [1]), ("has:text", [1, 2, 4, 5]),
      ("has:comments", [2]), ("-has:comments", [1, 3, 4, 5]),
      ("since:1d", [1, 2]), ("since:\"last week\"", [1, 2, 3]), ("before:2026-10-30", [4, 5]),
      ("before:3d since:60d", [4]), ("today", [1]), ("\"today\"", []), ("-today", [2, 3, 4, 5]),
      ("length:>400", [4]), ("length:<20", [3, 5]), ("-length:>400", [1, 2, 3, 5]),
      ("lang:pt", [1, 3, 5]), ("lang:pt-br", [1, 3, 5]), ("lang:de", [2, 4, 5]), ("lang:fr", []),
      ("sort:date", [1, 2, 3, 4, 5]), ("-sort:date", [5, 4, 3, 2, 1]),
      ("sort:title", [5, 1, 4, 3, 2]), ("-sort:title", [2, 3, 4, 1, 5]),
      ("sort:feed", [1, 3, 2, 4, 5]), ("sort:unread", [1, 2, 4, 5, 3]),
      ("-sort:unread", [3, 1, 2, 4, 5]), ("sort:length", [4, 2, 1, 5, 3]),
      ("camera sort:title", [1, 2]), ("https://x.org/", []), ("c++: or plant", [4]),
    ],
  )
  func finds(_ search: String, _ stories: [Int]) {
    #expect(found(search) == stories, "\(search)")
  }

  @Test("options, several searches and a limit are all met, the order comes first")
  func options() {
    let titles = { (words: [String]) in
      news.run(["list", "--format", "{title}"] + words).output.split(separator: "\n").map(
        String.init
      )
    }
    #expect(titles(["--unread", "--grep", "-camera"]) == ["Łódź opens a plant", "Ålesund"])
    #expect(titles(["--grep", "camera", "--grep", "-privacy or plant"]) == ["Camera review"])
    #expect(titles(["--grep=-camera", "-n", "1"]) == ["Nothing of these"])
    #expect(titles(["--grep", "sort:title", "-n", "2"]) == ["Ålesund", "Camera review"])
    #expect(titles(["--grep", "sort:title", "-n", "1", "--reverse"]) == ["Ålesund"])
    #expect(
      news("read", "--all", "--grep", "-camera is:unread").errors == "2 stories marked read\n"
    )
  }

  @Test("what is not understood is said with its place, and nothing is done")
  func faults() {
    let result = news("star", "--all", "--grep", "camera auther:lee")
    #expect(
      result.errors == "news: --grep: at character 8: no field auther:; there is author: "
        + "(a word with a colon goes in quotation marks) (see `news star --help`)\n"
    )
    #expect(result.status == 64)
    #expect(
      news("list", "--grep", "feed:othr").errors
        == "news: no feed matches othr (`news feeds` lists them)\n"
    )
    #expect(
      news("list", "--grep", "tag:industri").errors == "news: no feed has the tag industri\n"
    )
    #expect(
      news("list", "--follow", "--grep", "sort:title").errors
        == "news: --follow has an order of its own, and takes no sort: (see `news list --help`)\n"
    )
  }

  @Test("--explain says in words what was understood, and shows no story")
  func explain() {
    let told: [([String], String)] = [
      ([], "all stories; sorted by date, newest first"),
      (
        ["--grep", "title:camera -is:read since:2026-10-01"],
        "stories that have “camera” in the title, and are not read, and are as new as "
          + "2026-10-01 00:00; sorted by date, newest first",
      ),
      (
        ["--unread", "--feed", "other", "--grep", "lee or ann -sort:title"],
        "stories that are unread, and are of Other Feed, and have “lee” or have “ann”; sorted by "
          + "title, Z to A; words are looked for in title, author, categories and text",
      ),
      (
        ["--feed", "tag:work", "--until", "yesterday"],
        "stories that have the tag “work” or are of feeds with it, and are as old as "
          + "2026-10-31 23:59; sorted by date, newest first",
      ),
    ]
    let ordered: [([String], String)] = [
      (["--sort", "title"], "all stories; sorted by title, A to Z"),
      (["--reverse"], "all stories; sorted by date, newest first, turned round"),
      (["--sort", "stored", "-r"], "all stories; sorted by arrival, latest first, turned round"),
    ]
    for (words, text) in told + ordered {
      let result = news.run(["list", "--explain"] + words)
      #expect(result == CommandResult(output: text + "\n", errors: "", status: 0))
    }
    #expect(news("list", "--explain", "--grep", "auther:x").status == 64)
    #expect(news("list", "--explain", "--grep", "feed:nobody").status == 1)
  }

  @Test("a saved search has the language and an order; what a rule cannot know is refused")
  func saved() throws {
    #expect(news("rules", "add", "cam", "--grep", "camera or plant sort:title").status == 0)
    #expect(
      news("list", "--feed", "search:cam", "--format", "{id}").output
        == "0000000000000001\n0000000000000004\n0000000000000002\n"
    )
    for state in StoryState.allCases.map(\.rawValue) {
      #expect(news("rules", "add", "s", "--grep", "is:\(state)", "--test").status == 0)
      #expect(
        news("rules", "add", "r", "--grep", "x is:\(state)", "--then", "read").errors
          == "news: --grep: is:\(state) is for lists and searches: what comes is new and unread and "
          + "has no star (see `news rules --help`)\n"
      )
    }
    for term in ["note:x", "x -has:note"] {
      #expect(news("rules", "add", "s", "--grep", term, "--test").status == 0)
      #expect(news("rules", "add", "r", "--grep", term, "--then", "notify").status == 64)
    }
    #expect(news("rules", "add", "r", "--grep", "x sort:title", "--then", "read").status == 64)
    #expect(news("rules", "add", "r", "--grep", "feed:nobody", "--then", "read").status == 1)
    #expect(news("rules", "add", "r", "--grep", "auther:x", "--then", "read").status == 64)
    #expect(try news.store.rules().map(\.name) == ["cam"])
  }

  @Test("rules decide by the language of what comes")
  func rules() throws {
    let rules = [
      ("drop", "title:ad -title:adventure"), ("star", "author:ann or category:x"),
      ("tag:long", "length:>500"), ("tag:plain", "-has:text"), ("tag:old", "before:30d"),
      ("tag:pod", "has:enclosure site:example.com"), ("tag:of", "feed:other"),
      ("tag:en", "lang:de"),
    ]
    for (action, search) in rules {
      #expect(news("rules", "add", action, "--grep", search, "--then", action).status == 0)
    }
    let items = [
      "<title>an ad</title>", "<title>adventure</title><author>ann@x.org (Ann)</author>",
      "<title>long</title><description>\(String(repeating: "abc ", count: 300))</description>",
      "<title>old</title><pubDate>Thu, 01 Oct 2026 00:00:00 GMT</pubDate><category>X</category>",
      "<title>pod</title><link>https://example.com/p</link>"
        + "<enclosure url=\"https://example.com/p.mp3\" type=\"audio/mpeg\"/>",
    ]
    let body =
      "<rss version=\"2.0\"><channel><title>Other Feed</title><language>de</language>"
      + items.map { "<item>\($0)</item>" }.joined() + "</channel></rss>"
    news.fetcher.serve(Sample.other, .init(body: body))
    news("fetch")
    let stories = try news.stories().filter {
      !$0.item.title.isEmpty && Int($0.id, radix: 16) ?? 9 > 5
    }
    let told = Dictionary(
      uniqueKeysWithValues: stories.map { story in
        (story.item.title, (story.isStarred ? ["star"] : []) + story.tags.sorted())
      }
    )
    #expect(
      told == [
        "adventure": ["star", "en", "of", "plain"], "long": ["en", "long", "of"],
        "old": ["star", "en", "of", "old", "plain"], "pod": ["en", "of", "plain", "pod"],
      ]
    )
  }

  @Test("a stored rule that is not understood does nothing, and is told by fetch and doctor")
  func unknownRule() throws {
    let rules = ["auther:x", "feed:nobody", "is:read", "sort:title a"].enumerated().map {
      number,
      text in
      var rule = StoryRule(name: "r\(number)")
      (rule.grep, rule.actions) = ([text], [.drop])
      return rule
    }
    try news.store.update { [rules] (_) in
      var change = LibraryChange()
      change.rules = rules
      return (change, ())
    }
    news.fetcher.serve(
      Sample.feed,
      .init(body: Sample.rss("Example", ["new auther:x -or", "a"])),
    )
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Other Feed", ["b"])))
    let result = news("fetch")
    #expect(
      result.errors == """
        news: rule r0: at character 1: no field auther:; there is author: (a word with a colon goes in \
        quotation marks)
        news: rule r1: no feed matches nobody (`news feeds` lists them)
        news: rule r2: is:read is for lists and searches: what comes is new and unread and has no star
        news: rule r3: sort: is for lists and searches: a rule has no order

        """
    )
    let came = try news.stories().filter { $0.item.guid == nil }
    #expect(came.map(\.item.title).sorted() == ["a", "b", "new auther:x -or"])
    let found = news("doctor", "--offline").output
    #expect(found.contains("rule r0\tit does nothing: at character 1: no field auther:"))
    #expect(found.contains("rule r1\tit does nothing: no feed matches nobody"))
  }

  @Test("of 100,000 stories each is found by a search or by its opposite, and by one alone")
  func opposites() throws {
    let news = try CommandRun()
    let stories = (0..<90_000).map { number in
      var story = Sample.story(number + 1, "title \(number % 7)", hours: number)
      if number.isMultiple(of: 3) { story.item.summary = nil }
      if number.isMultiple(of: 5) { story.item.author = "author \(number % 11)" }
      if number.isMultiple(of: 13) { story.item.categories = ["title 9", "camera"] }
      if number.isMultiple(of: 17) { (story.item.date, story.stored) = (nil, nil) }
      story.isRead = number.isMultiple(of: 2)
      return story
    }
    try news.store(stories, subscriptions: [(Sample.feed, "Example")])
    let texts = (0..<10_000).map { number in
      "{\"title\":\"t\(number)\",\"guid\":\"t\(number)\",\"feeds\":[\"\(Sample.feed)\"],\"html\":\"<p>"
        + String(repeating: "word ", count: 60) + "needle\(number % 11)</p>\"}"
    }
    try news.folder.write(
      Array("{\"stories\":[\(texts.joined(separator: ","))]}".utf8),
      to: "texts.json",
    )
    #expect(news("import", news.folder.path("texts.json")).status == 0)
    let library = try news.store.read()
    #expect(library.items.count == 100_000)
    let context = try news.context
    for search in [
      "camera", "needle5", "title:/[35]$/ or needle1 is:read", "since:90d",
      "author:1 or length:>250",
      "text:/needle(1|2)$/ -author:3",
    ] {
      var (query, opposite) = (StoryQuery(), StoryQuery())
      query.search = try StorySearch(search)
      opposite.search = try StorySearch("-(\(search))")
      let found = Set(try context.positions(of: query, in: library))
      let others = Set(try context.positions(of: opposite, in: library))
      #expect(!found.isEmpty && !others.isEmpty && found.isDisjoint(with: others), "\(search)")
      #expect(found.count + others.count == 100_000, "\(search)")
    }
  }
}
