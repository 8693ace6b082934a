import CommandLine
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands
@testable import Searching

@Suite("newsboat's filters become searches and rules")
struct NewsboatFilterTests {
  @Test(
    "a filter is the search that asks the same",
    arguments: [
      (#"title = "b""#, "title:/^b$/"), (#"title == "a.b""#, #"title:/^a\.b$/"#),
      (#"title != "b""#, "-title:/^b$/"), (#"title =~ "abc""#, "title:/abc/"),
      (#"title !~ "abc""#, "-title:/abc/"), (#"(title =~ "b")"#, "title:/b/"),
      (#"((title=~"b"))"#, "title:/b/"),
      (#"title =~ "b" and author = "c""#, "title:/b/ author:/^c$/"),
      (
        #"( title = "b") and ( author = "c" ) or ( ( link != "d" ) and ( link !~ "asdf" )) or link != "xx""#,
        "title:/^b$/ author:/^c$/ or -link:/^d$/ -link:/asdf/ or -link:/^xx$/",
      ),
      (#"title =~ "a" and (title =~ "b" or title =~ "c")"#, "title:/a/ (title:/b/ or title:/c/)"),
      (#"title =~ "a" or title =~ "b" and unread = "yes""#, "(title:/a/ or title:/b/) is:unread"),
      (#"content =~ "\<linux\>""#, #"text:/\blinux\b/"#), (#"title =~ "a\"b""#, #"title:/a"b/"#),
      (#"title =~ "a/b""#, #"title:/a\/b/"#), (#"unread = "yes""#, "is:unread"),
      (#"unread != "yes""#, "is:read"), (#"unread = "no""#, "is:read"),
      ("age < 3", "since:3d"), ("age <= 3", "since:4d"), ("age > 3", "before:4d"),
      ("age >= 3", "before:3d"), (#"age = "3""#, "since:4d before:3d"),
      ("age between 0:15", "since:16d"), ("age between 15:3", "since:16d before:3d"),
      (#"age != 3"#, "-(since:4d before:3d)"),
      (#"tags # "news""#, "tag:news"), (#"tags !# "two words""#, "-tag:\"two words\""),
      (#"flags =~ "s""#, "tag:flag-s"), (#"flags !# "s""#, "-tag:flag-s"),
      (#"feedtitle = "Hacker News""#, "feed:\"Hacker News\""),
      (#"feedtitle =~ "lwn""#, "feed:lwn"),
      (#"rssurl != "https://a.example/""#, "-feed:https://a.example/"),
      (#"enclosure_url != """#, "has:enclosure"), (#"enclosure_url = """#, "-has:enclosure"),
      (#"TITLE =~ "Ünï""#, "title:/Ünï/"),
    ],
  )
  func searches(_ filter: String, _ search: String) throws {
    let found = try NewsboatFilter.search(filter)
    #expect(found.text == search)
    #expect(try StorySearch(found.text) == found)
  }

  @Test(
    "what is none, or what no search can say, is told with its reason",
    arguments: [
      ("", "an empty filter"), (#"title = "abc"#, "its quotation mark is not closed"),
      ("title", "it breaks off"), ("title =", "it breaks off"), (#"= "b""#, "not understood at ="),
      (#"title ++ "b""#, "not understood at +"),
      (#"title = "b" foobar"#, "not understood at foobar"),
      (#"(title = "b""#, "it breaks off"), (#"((title = "b")))"#, "not understood at )"),
      (#"title = "b" and"#, "it breaks off"), ("()", "not understood at )"),
      ("age between 0:", "no search can ask for"), ("age between x", "no search can ask for"),
      ("age < x", "no search can ask for"), ("age < 0", "no search can ask for"),
      ("age between 9223372036854775807:5", "no search can ask for"),
      ("age between 5:-3", "no search can ask for"),
      ("title between 0:15", "no search can ask for"), (#"title # "x""#, "no search can ask for"),
      (#"tags =~ "x""#, "no search can ask for"), (#"flags = "as""#, "no search can ask for"),
      (#"unread = "maybe""#, "no search can ask for"),
      ("total_count > 3", "no search can ask for newsboat's total_count"),
      ("AAAA < 12345", "no search can ask for newsboat's aaaa"),
      (#"guid = "x""#, "no search can ask for newsboat's guid"),
      (#"feedtitle =~ "a|b""#, "no search can ask for"),
      (#"title =~ "(""#, "missing closing parenthesis"),
      (String(repeating: "(", count: 99), "too much stands in one another"),
    ],
  )
  func faults(_ filter: String, _ reason: String) {
    let fault = #expect(throws: Failure.self) { try NewsboatFilter.search(filter) }
    #expect(fault?.line.contains(reason) == true, "\(fault?.line ?? "")")
  }

  @Test("query feeds become saved searches, once; undo takes them back with the feeds")
  func queries() throws {
    let news = try CommandRun()
    let file = try news.folder.write(
      #"""
      https://a.example/feed tech "~A Feed"
      "query:Unread Linux:unread = \"yes\" and (title =~ \"linux\\b\" or tags # \"tech\")"
      "query:add:age < 3"
      "query:Long:total_count > 3"
      "query:Broken:title ="
      """#,
      to: "urls",
    )
    let told = """
      news: line 4: total_count > 3: no search can ask for newsboat's total_count; left out
      news: line 5: title =: it breaks off; left out

      """
    let added = "1 feed imported\n2 saved searches added (`news rules` lists them)\n"
    #expect(news("import", file).errors == told + added)
    let rules = try news.store.rules()
    #expect(rules.map(\.name) == ["Unread Linux", "add-2"])
    #expect(rules.map(\.grep) == [[#"is:unread (title:/linux\b/ or tag:tech)"#], ["since:3d"]])
    #expect(news("list", "--feed", "search:unread linux").status == 0)
    let again = "0 feeds imported; 1 was there already\nno new rules; 2 were there already\n"
    #expect(news("import", file).errors == told + again)
    #expect(news("undo").status == 0)
    #expect(try news.store.rules().isEmpty && news.store.read().subscriptions.isEmpty)
  }

  @Test("a config's ignore-article lines become rules that drop; its other settings are no feeds")
  func ignored() throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Example")])

    news("rules", "add", "ignore-1", "--grep", "x")
    let file = try news.folder.write(
      #"""
      # a config
      reload-threads 10
      ignore-article "*" "title =~ \"sponsored\""
      ignore-article "\#(Sample.feed)" "author = \"Ann\" and content !~ \"x\""
      ignore-article "https://other.example/" "title =~ \"x\""
      ignore-article "*" "unread = \"no\""
      ignore-article "*" "title =~ \"\""
      define-filter "recent" "age < 2"
      """#,
      to: "config",
    )
    #expect(
      news("import", file).errors == """
        news: line 5: title =~ "x": about a feed that is not followed here; left out
        news: line 6: unread = "no": is:read is for lists and searches: what comes is new and unread and \
        has no star; left out
        news: line 7: title =~ "": it is about all stories; left out
        news: line 2: reload-threads 10: all feeds are fetched at once; left out
        1 saved search and 2 rules added (`news rules` lists them)

        """
    )
    let rules = try news.store.rules()
    #expect(rules.map(\.name) == ["ignore-1", "ignore-2", "ignore-3", "recent"])
    #expect(rules[2].feeds == [Sample.feed] && rules[2].actions == [.drop])
    news.fetcher.serve(
      Sample.feed,
      .init(body: Sample.rss("Example", ["Sponsored post", "A story"])),
    )
    news("fetch")
    #expect(news("list", "--format", "{title}").output == "A story\n")
  }
}
