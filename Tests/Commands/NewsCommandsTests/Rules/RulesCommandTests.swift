import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("news rules")
struct RulesCommandTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func titles(_ words: String...) -> [String] {
    news.run(["list", "--format", "{title}"] + words).output.split(separator: "\n").map(String.init)
  }

  private func refused(_ words: [String], _ message: String, status: Int32 = 64) {
    let help = status == 64 ? " (see `news rules --help`)" : ""
    let errors = "news: \(message)\(help)\n"
    #expect(news.run(words) == CommandResult(output: "", errors: errors, status: status))
  }

  @Test("rules and searches follow a feed that is called otherwise, and undo takes both back")
  func following() throws {
    news("rules", "add", "star", "--grep", "feed:EXAMPLE or (feed:(other) -x)", "--then", "star")
    news("rules", "add", "find", "--grep", "x feed:\"example\" sort:title")
    let rules = try news.store.rules()
    let said = news("feeds", "set", Sample.feed, "--title", "A new name").errors.split(
      separator: "\n"
    )
    #expect(said[1] == "rule star follows: feed:\"A new name\" or (feed:(other) -x)")
    #expect(said[2] == "search find follows: x feed:\"A new name\" sort:title")
    #expect(news("list", "--feed", "search:star").status == 0)
    #expect(try news.store.history().steps.last?.rules.compactMap(\.old) == rules)
    #expect(news("undo").status == 0)
    #expect(try news.store.rules() == rules)
    // Another feed takes that name, so that the first has to be named by its URL.
    #expect(news("feeds", "set", Sample.other, "--title", "Example").status == 0)
    #expect(try news.store.rules()[1].grep == ["x feed:\(Sample.feed) sort:title"])
    #expect(news("undo").status == 0)
    let gone = news("unsubscribe", Sample.feed).errors
    #expect(
      gone.contains("search find finds nothing any more: no feed matches \(Sample.feed)"),
      "\(gone)",
    )
    #expect(gone.contains("rule star does nothing any more: "))
  }

  @Test("lists what there is: for people, for programs, as JSON")
  func list() {
    #expect(news("rules") == CommandResult(output: "", errors: "", status: 0))
    #expect(news("rules", "--json").output == "[]\n")
    #expect(
      news("rules", "add", "quiet", "--feed", "other", "--feed", "tag:work", "--then", "read")
        .errors
        == "rule added; for the stories that are there: news rules apply quiet\n"
    )
    #expect(
      news("rules", "add", "to do", "--unread", "--grep", "café", "--grep", "/x/").errors
        == "search added: news list --feed search:'to do'\n"
    )
    #expect(
      news("rules", "add", "quiet", "--feed", "other", "--feed", "tag:work", "--then", "read")
        .errors
        == "nothing to change: there is this rule already\n"
    )
    #expect(
      news("rules").output == """
        quiet\tread\thttps://example.org/atom tag:work\t\t
        to do\t\t\tcafé /x/\ttext unread

        """
    )
    #expect(
      news("rules", "TO DO", "--json").output == """
        [
        {"name":"to do","feeds":[],"grep":["café","/x/"],"text":true,"unread":true,"starred":false,"then":[]}
        ]

        """
    )
    news.useTerminal(80)
    #expect(
      news("rules").output == """
        \u{1b}[2mname   stories                  then\u{1b}[0m
        quiet  of Other Feed, tag:work  read
        to do  unread, with café /x/    (a search)

        """
    )
    #expect(news("rules", "remove", "quiet", "to do").errors == "2 rules removed\n")
    #expect(news("rules").errors == "no rules yet: news rules add NAME --grep TEXT --then read\n")
    #expect(news("undo").errors == "rules quiet, to do are back\n")
  }

  @Test("refuses what means nothing, in one line")
  func usage() {
    refused(["rules", "add"], "say what to call it: news rules add NAME …")
    refused(["rules", "add", "a"], "choose stories: --feed FEED, --grep TEXT, or both")
    refused(
      ["rules", "add", "a", "--grep", "x", "--then", "burn"],
      "--then: burn is not one of read, star, drop, notify and tag:NAME",
    )
    refused(
      ["rules", "add", "a", "--grep", "x", "--then", "drop", "--then", "read"],
      "--then drop stands alone: a story that is not stored is nothing else",
    )
    refused(
      ["rules", "add", "a", "--unread", "--then", "read"],
      "--unread and --starred are for searches, without --then: what comes is unread, and has no star",
    )
    refused(
      ["rules", "add", "apply", "--grep", "x"],
      "apply is what news rules is told to do, and no name for a rule",
    )
    refused(
      ["rules", "add", String(repeating: "n", count: 65), "--grep", "x"],
      "a rule's name has 1 to 64 characters",
    )
    refused(["rules", "add", "\u{7}", "--grep", "x"], "a rule's name has 1 to 64 characters")
    refused(
      ["rules", "add", "a", "--grep", "/(/"],
      "--grep: at character 1: /(/ is not a regular expression: missing closing parenthesis",
    )
    refused(
      ["rules", "add", "a", "--grep", " ", "--then", "drop"],
      "--grep: there is no word to look for",
    )
    refused(["rules", "remove"], "no rule given: news rules remove NAME")
    refused(["rules", "apply"], "no rule given: news rules apply NAME")
    for verb in ["add", "apply"] {
      refused(
        ["rules", verb, "a", "b or", "c"],
        "one rule at a time: a, not b or c as well (--grep TEXT searches)",
      )
    }
    refused(
      ["rules", "remove", "a", "--test"],
      "--test cannot be used with remove: news rules --test NAME",
    )
    refused(
      ["rules", "--grep", "x"],
      "--grep can only be used with add or --test",
    )
    refused(
      ["rules", "remove", "a", "--then", "read"],
      "--then can only be used with add or --test",
    )
    refused(
      ["rules", "--test", "a", "--grep", "x"],
      "--test tries rules by their names, or one that is typed, not both",
    )
    news("rules", "add", "Chips", "--grep", "x")
    refused(
      ["rules", "add", "chips", "--grep", "y"],
      "there is a rule chips already (`news rules remove chips`)",
      status: 1,
    )
    refused(
      ["rules", "remove", "chip"],
      "no rule named chip; did you mean chips? (`news rules` lists them)",
      status: 1,
    )
    refused(
      ["rules", "add", "a", "--feed", "search:chips"],
      "search:chips is a saved search, and no feed; its stories: news list --feed search:chips",
      status: 1,
    )
    refused(["rules", "apply", "chips"], "Chips is a search, and does nothing", status: 1)
  }

  @Test("one that notifies says so, has nothing to apply, and comes back with undo")
  func notify() throws {
    #expect(
      news("rules", "add", "a", "--grep", "newest", "--then", "notify").errors
        == "rule added: news fetch tells of what it matches\n"
    )
    let both = ["rules", "add", "b", "--grep", "newest", "--then", "notify", "--then", "star"]
    #expect(news.run(both).status == 0)
    #expect(news.run(both).errors == "nothing to change: there is this rule already\n")
    refused(
      ["rules", "apply", "a"],
      "a tells of stories as they come, and changes none",
      status: 1,
    )
    #expect(news("rules", "apply", "b").errors == "1 story starred\n")
    let json = news("rules", "--json").output
    #expect(json.contains(#""then":["notify"]"#) && json.contains(#""then":["star","notify"]"#))
    #expect(news("rules", "--test").output.hasPrefix("star,notify\t"))
    refused(
      ["rules", "add", "c", "--grep", "x", "--then", "drop", "--then", "notify"],
      "--then drop stands alone: a story that is not stored is nothing else",
    )
    news("rules", "remove", "a", "b")
    #expect(news("undo").status == 0)
    #expect(news("rules", "--json").output == json)
  }

  @Test("a search is as good as a feed where stories are listed and marked")
  func searches() throws {
    news("rules", "add", "old", "--feed", "Example", "--unread", "--grep", "/^oldest/")
    news("rules", "add", "cafés", "--grep", "CAFE")
    #expect(titles("--feed", "search:old") == ["Oldest"])
    #expect(titles("--feed", "search:CAFES") == ["Café au lait"])
    #expect(
      titles("--feed", "search:old", "--feed", "search:cafés") == ["Café au lait", "Oldest"]
    )
    #expect(titles("--feed", "search:cafés", "--unread") == [])
    #expect(titles("--feed", "search:cafés", "--feed", "other").count == 3)
    #expect(titles("--feed", "search:cafés", "--grep", "oldest") == [])
    #expect(news("read", "--all", "--feed", "search:old").errors == "1 story marked read\n")
    #expect(titles("--feed", "search:old") == [])
    #expect(
      news("list", "--feed", "search:x").errors
        == "news: no rule named x (`news rules` lists them)\n"
    )
    #expect(
      news("clear", "--yes", "--feed", "search:old").errors
        == "news: search:old is a saved search, and no feed; its stories: news list --feed search:old\n"
    )
    news.useTerminal(80)
    #expect(news("list", "--feed", "search:cafés").output.contains("Café au lait"))
  }

  @Test("a tag means the stories that carry it, and those of the feeds that have it")
  func tags() throws {
    news("rules", "add", "t", "--grep", "café", "--then", "tag:drinks/hot")
    #expect(news("rules", "apply", "t").errors == "1 story tagged drinks/hot\n")
    #expect(titles("--feed", "tag:Drinks") == ["Café au lait"])
    #expect(
      news("list", "--feed", "tag:hot").errors == "news: no feed has the tag hot\n"
    )
    news("feeds", "set", "other", "--tag", "drinks")
    #expect(titles("--feed", "tag:drinks").count == 3)
    #expect(titles("--feed", "tag:drinks/hot") == ["Café au lait"])
    news("rules", "add", "s", "--feed", "tag:drinks", "--grep", "café")
    #expect(titles("--feed", "search:s") == ["Café au lait"])
  }

  @Test("--test shows what would have become of which story, numbers it, and changes nothing")
  func test() throws {
    let before = try readFile(news.store.dataPath)
    let tried = ["rules", "--test", "--grep", "café", "--then", "star", "--then", "tag:x"]
    #expect(
      news.run(tried).output
        == "star,tag:x\t1\tCafé au lait\t2026-10-31T10:00:00Z\tExample\thttps://example.com/3\n"
    )
    #expect(news("list", "-n", "0").status == 0)
    news("rules", "add", "a", "--grep", "oldest", "--then", "drop")
    news("rules", "add", "b", "--feed", "other", "--then", "read")
    #expect(
      news("rules", "--test").output.split(separator: "\n").map {
        $0.split(separator: "\t").prefix(3)
      }
        == [["read", "1", "東京で新しい駅が開業 👩‍👩‍👧"], ["drop", "2", "Oldest"]]
    )
    #expect(news("show", "2", "--keep-unread").output.hasPrefix("Oldest\n"))
    let json = news("rules", "--test", "B", "--json").output
    #expect(json.contains(#""then":["read"],"by":["b"]}"#))
    #expect(
      news("rules", "add", "c", "--grep", "title", "--then", "read", "--test").output
        .hasPrefix("read\t1\tA title")
    )
    #expect(try news.store.rules().count == 2)
    #expect(try readFile(news.store.dataPath) == before)
    news.useTerminal(60, variables: ["TERM": "dumb"])
    let shown = news("rules", "--test")
    #expect(shown.errors.hasPrefix("a: stories that have “oldest”; sorted by date, newest first"))
    #expect(shown.errors.hasSuffix("\n2 stories match\n"))
    let lines = shown.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("1• 東京") == true && lines.first?.hasSuffix("  read") == true)
    #expect(lines.last == "2• ★ Oldest                    Other Feed  27 Sep 2025  drop")
    let none = news("rules", "--test", "--grep", "zebra").errors
    #expect(none.hasSuffix("\nno stored story matches\n"))
  }

  @Test("apply does to what is stored what the rule says, and undo takes all of it back")
  func apply() throws {
    let before = try contents()
    news(
      "rules",
      "add",
      "all",
      "--grep",
      "/e/",
      "--then",
      "read",
      "--then",
      "star",
      "--then",
      "tag:t",
    )
    #expect(
      news("rules", "apply", "all").errors
        == "3 stories marked read, 3 stories starred, 4 stories tagged t\n"
    )
    #expect(news("rules", "apply", "all").errors == "nothing to change: already set\n")
    #expect(
      news("undo").errors
        == "3 stories are unread again, 3 stories are no longer starred, 4 stories are no longer tagged t\n"
    )
    #expect(try contents() == before)
    #expect(news("redo").status == 0 && news("undo").status == 0)
    #expect(try contents() == before)
    news("rules", "add", "none", "--grep", "nowhere", "--then", "drop")
    #expect(
      news("rules", "apply", "none").errors == "nothing to change: no stored story matches\n"
    )
  }

  @Test("apply of a rule that drops deletes what matches and has no star")
  func applyDrop() throws {
    let before = try contents()
    news("rules", "add", "gone", "--feed", "other", "--then", "drop")
    #expect(
      news("rules", "apply", "gone").errors.contains("add --yes to delete 1 story")
    )
    #expect(try news("rules", "apply", "gone").status == 64 && contents() == before)
    #expect(news("rules", "apply", "gone", "--yes").errors == "1 story deleted, 1 starred kept\n")
    #expect(try contents().count == 4)
    #expect(news("undo").errors == "1 story is back\n")
    #expect(news("rules", "add", "other", "--grep", "x", "--yes").status == 64)
    #expect(try contents() == before)
  }

  private func contents() throws -> [StoredItem] {
    let items = try news.store.read().items
    return try (0..<items.count).map { try items.item(at: $0) }
  }

  @Test("a rule follows its feed when that moves, and comes back with it")
  func moves() throws {
    news("rules", "add", "r", "--feed", "Example", "--then", "read")
    let new = "https://example.net/new"
    #expect(news("move", "Example", new, "--no-check").status == 0)
    #expect(try news.store.rules().first?.feeds == [new])
    #expect(news("undo").status == 0)
    #expect(try news.store.rules().first?.feeds == [Sample.feed])
    news("unsubscribe", "Example")
    #expect(
      news("doctor", "--offline").output
        .contains("note\trule r\thttps://example.com/feed.xml is followed no more\t")
    )
  }
}
