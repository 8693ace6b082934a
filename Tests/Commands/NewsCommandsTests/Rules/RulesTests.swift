import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@testable import FollowingCommands
@testable import Searching
@testable import System

@Suite("Rules decide of stories as they come")
struct RulesTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try publish(["old"])
    news("subscribe", Sample.feed)
  }

  private func publish(_ titles: [String], at url: String = Sample.feed) throws {
    let name = url == Sample.feed ? "Feed" : "Other"
    news.fetcher.serve(url, .init(body: Sample.rss(name, titles), etag: "\(titles)"))
  }

  private func stories() throws -> [String: StoredItem] {
    let items = try news.store.read().items
    var stories: [String: StoredItem] = [:]
    for place in 0..<items.count {
      let story = try items.item(at: place)
      stories[story.item.title] = story
    }
    return stories
  }

  private func add(_ words: String...) {
    let result = news.run(["rules", "add"] + words)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("several rules look into one story, each where it says")
  func severalFields() throws {
    add("a", "--grep", "title:alpha", "--then", "tag:title")
    add("b", "--grep", "author:beta", "--then", "tag:author")
    add("c", "--grep", "text:gamma", "--then", "tag:text")
    add("d", "--grep", "alpha -title:alpha", "--then", "tag:elsewhere")
    let long = String(repeating: "word ", count: 300)
    let items = [("alpha", "beta", long + "gamma"), ("beta", "gamma", long + "alpha")].map {
      "<item><title>\($0)</title><author>\($1)</author><link>https://example.com/\($0)</link>"
        + "<description>\($2)</description></item>"
    }
    let document =
      "<rss version='2.0'><channel><title>Feed</title>\(items.joined())</channel></rss>"
    news.fetcher.serve(Sample.feed, .init(body: document))
    news("refresh")
    #expect(try stories()["alpha"]?.tags == ["title", "author", "text"])
    #expect(try stories()["beta"]?.tags == ["elsewhere"])
  }

  private func put(_ value: PropertyListValue) throws -> [UInt8] {
    let bytes = PropertyList.encode(value)
    try news.folder.write(bytes, to: "home/rules.plist")
    return bytes
  }

  @Test("what comes is read, starred, tagged or not stored; what was there stays as it was")
  func actions() throws {
    add("quiet", "--grep", "soccer", "--then", "read")
    add("chips", "--feed", "Feed", "--grep", "/chips?/", "--then", "star", "--then", "tag:tech")
    add("ads", "--grep", "OLD AD", "--then", "drop")
    add("late", "--grep", "old", "--then", "tag:x", "--then", "tag:y")
    add("seen", "--grep", "old")
    try publish(["soccer chip", "an old ad", "plain", "old"])
    #expect(news("fetch").output.hasPrefix("newData: 2 new in 1 of 1 feeds"))
    let found = try stories()
    #expect(found.keys.sorted() == ["old", "plain", "soccer chip"])
    let chip = try #require(found["soccer chip"])
    #expect(chip.isRead && chip.isStarred)
    #expect(chip.tags == ["tech"] && chip.rules == ["quiet", "chips"])
    for title in ["old", "plain"] {
      let story = try #require(found[title])
      #expect(!story.isRead && !story.isStarred && story.tags.isEmpty && story.rules.isEmpty)
    }
    #expect(
      news("list", "--format", "{title}: {tags}", "--feed", "tag:tech").output
        == "soccer chip: tech\n"
    )
    #expect(news("show", "1").output.contains("Tags        tech\n"))
    #expect(news("why", "1").output.contains("Rules    quiet acted on it when it came\n"))
    #expect(news("list", "--json").output.contains(#""tags":["tech"]"#))
  }

  @Test("tags, stars and their rules outlive a new text of the story, and rules a new one")
  func updates() throws {
    let guid = { (text: String) in
      "<rss version=\"2.0\"><channel><title>Feed</title><item><title>A</title><guid>1</guid>"
        + "<description>\(text)</description></item></channel></rss>"
    }
    add("a", "--grep", "one", "--then", "star", "--then", "tag:t")
    add("b", "--grep", "two", "--then", "read")
    for text in ["one", "two"] {
      news.fetcher.serve(Sample.feed, .init(body: guid(text)))
      news("fetch")
    }
    let story = try #require(try stories()["A"])
    #expect(story.item.summary == "two" && story.isStarred && !story.isRead)
    #expect(story.tags == ["t"] && story.rules == ["a"])
    news("star", "--all")
    news("read", "--all")
    #expect(try stories()["A"]?.tags == ["t"])
    #expect(try values("tags") == [.array([.string("t")])])
  }

  @Test("what another program calls tags stays through an update, and is none of ours")
  func foreignTags() throws {
    var story = try #require(
      try PropertyList.value(readFile(news.store.dataPath)).array?.first?.dictionary
    )
    story["tags"] = .string("mine")
    story["title"] = .string("older")
    try news.folder.write(
      PropertyList.encode(.array([.dictionary(story)])),
      to: "home/newsdata.plist",
    )
    try publish(["old", "more"])
    news("fetch")
    #expect(try stories()["old"]?.tags == [])
    #expect(try values("tags") == [.string("mine")])
  }

  private func values(_ key: String) throws -> [PropertyListValue] {
    let stories = try PropertyList.value(readFile(news.store.dataPath)).array ?? []
    return stories.compactMap(\.dictionary).flatMap(\.entries).filter { $0.key == key }.map(\.value)
  }

  @Test("the outcome is that of a feed without the dropped stories")
  func outcome() throws {
    add("ads", "--grep", "ad", "--then", "drop")
    try publish(["ad 1", "old"])
    #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 1 feeds"))
    try publish(["ad 2", "news", "ad 1", "old"])
    let report = news("fetch", "--json").output
    #expect(report.hasPrefix(#"{"outcome":"newData","new":1,"stored":1,"#))
    #expect(report.contains(#","filtered":2}"#))
    try publish(["ad 3", "news", "old"])
    #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 1 feeds"))
    #expect(try stories().keys.sorted() == ["news", "old"])
  }

  @Test("the newest story by its date is one that is stored")
  func datedOutcome() throws {
    func item(_ title: String, _ day: Int) -> String {
      "<item><title>\(title)</title><link>https://example.com/\(title)</link>"
        + "<pubDate>2026-10-\(day)T12:00:00Z</pubDate></item>"
    }
    func publish(_ items: String...) {
      let body = items.joined()
      news.fetcher.serve(
        Sample.feed,
        .init(body: "<rss version=\"2.0\"><channel><title>Feed</title>\(body)</channel></rss>"),
      )
    }
    news("clear", "--yes")
    publish(item("one", 20))
    news("fetch")
    add("ads", "--grep", "ad", "--then", "drop")
    publish(item("one", 20), item("ad", 25))
    #expect(news("fetch").output.hasPrefix("noData: 0 new"))
    publish(item("one", 20), item("ad", 25), item("two", 22))
    #expect(news("fetch").output.hasPrefix("newData: 1 new"))
    publish(item("one", 20), item("ad, again", 25), item("two!", 22))
    #expect(news("fetch").output.hasPrefix("newData: 1 new"))
  }

  @Test(
    "a feed of nothing but dropped stories has no data, and what is dropped is in no other's way"
  )
  func allDropped() throws {
    add("ads", "--feed", "Feed", "--grep", "ad", "--then", "drop")
    news("clear", "--yes")
    try publish(["ad 1", "ad 2"])
    #expect(news("fetch").output.hasPrefix("noData"))
    try publish(["ad 1"], at: Sample.other)
    news("subscribe", Sample.other)
    let stored = try stories()
    #expect(stored.keys.sorted() == ["ad 1"] && stored["ad 1"]?.feeds == [Sample.other])
    #expect(news("fetch", "--json").output.contains("noData"))
    #expect(try stories()["ad 1"]?.feeds == [Sample.other])
  }

  @Test("a story that two feeds bring at once gets what the rules of both say")
  func together() throws {
    add("one", "--feed", "Feed", "--then", "star")
    news("subscribe", Sample.other, "--no-check", "--title", "Other")
    add("two", "--feed", "Other", "--then", "tag:t")
    try publish(["shared", "old"])
    try publish(["shared"], at: Sample.other)
    news("fetch")
    let story = try #require(try stories()["shared"])
    #expect(story.feeds == [Sample.feed, Sample.other])
    #expect(story.isStarred && story.tags == ["t"] && story.rules == ["one", "two"])
  }

  @Test("a drop rule that goes, by remove or by undo, gives back what the feed still carries")
  func back() throws {
    add("ads", "--feed", "Feed", "--grep", "ad", "--then", "drop")
    try publish(["ad", "old"])
    news("fetch")
    #expect(try stories()["ad"] == nil)
    #expect(
      news("rules", "remove", "ADS")
        == CommandResult(
          output: "",
          errors: "1 rule removed; the next refresh brings back what the feeds still carry\n",
          status: 0,
        )
    )
    #expect(news("undo").errors == "rule ads is back\n")
    news("fetch")
    #expect(try stories()["ad"] == nil)
    news("rules", "remove", "ads")
    #expect(news("fetch").output.hasPrefix("newData: 1 new"))
    #expect(try stories()["ad"] != nil)

    add("again", "--grep", "banner", "--then", "drop")
    try publish(["banner", "old"])
    news("fetch")
    add("other", "--grep", "x", "--then", "read")
    #expect(news("undo").errors == "rule other is gone\n")
    news("rules", "remove", "again")
    news("undo")
    news("rules", "add", "last", "--grep", "banner", "--then", "drop")
    #expect(news("undo").errors == "rule last is gone\n")
    #expect(try news.store.rules().map(\.name) == ["again"])
  }

  @Test("a rule looks in the whole text of a story that comes")
  func wholeTexts() throws {
    let long = "<p>" + String(repeating: "word ", count: 400) + "needle</p>"
    let item =
      "<item><title>T</title><link>https://example.com/T</link><description>"
      + long.replacing("<", with: "&lt;") + "</description></item>"
    add("deep", "--grep", "needle word", "--then", "star")
    news.fetcher.serve(
      Sample.feed,
      .init(body: "<rss version=\"2.0\"><channel><title>Feed</title>\(item)</channel></rss>"),
    )
    news("fetch")
    let story = try #require(try stories()["T"])
    #expect(story.isStarred)
    #expect(news("list", "--feed", "search:deep", "--format", "{title}").output == "T\n")
  }

  @Test("what a rule marked read is told in no notice")
  func notices() throws {
    add("quiet", "--grep", "soccer", "--then", "read")
    var told: [[String]] = []
    news.programs = { words, _ in
      told.append(words)
      return POSIX.ProgramAnswer("", status: 0)
    }
    try publish(["soccer 1", "old"])
    #expect(news("fetch", "--notify=each").output.hasPrefix("newData: 1 new"))
    #expect(told.isEmpty)
    try publish(["soccer 2", "goal", "old"])
    news("fetch", "--notify=each")
    #expect(told.count == 1 && told.first?.suffix(2) == ["1 new story", "goal"])
  }

  @Test("without a rule that matches, the data file is the same to the byte")
  func same() throws {
    let other = try CommandRun()
    other.fetcher.serve(Sample.feed, .init(body: Sample.rss("Feed", ["old"])))
    other("subscribe", Sample.feed)
    add("none", "--grep", "nothing has this", "--then", "drop")
    for titles in [["a", "old"], ["b", "a"], ["c", "b", "old"]] {
      for run in [news, other] {
        run.fetcher.serve(Sample.feed, .init(body: Sample.rss("Feed", titles)))
        run("fetch")
      }
    }
    #expect(try readFile(news.store.dataPath) == readFile(other.store.dataPath))
  }

  @Test("what rules say of stories that come is what --test says of them when they are stored")
  func sameAsStored() throws {
    let titles = (0..<60).map { "Tïtle \($0 % 7) ß“x” \($0)" }
    let rules = [
      ["--grep", "title 3"], ["--grep", "/\\b4\\d\\b/"], ["--grep", "\"title 5 ss\" 1"],
      ["--feed", "Feed", "--grep", "TITLE"], ["--feed", "tag:none", "--grep", "title"],
      ["--feed", "Other"], ["--grep", "title", "--grep", "/6$/"],
    ]
    news("subscribe", Sample.other, "--no-check", "--title", "Other")
    for (number, words) in rules.enumerated() {
      #expect(
        news.run(["rules", "add", "r\(number)", "--then", "tag:\(number)"] + words).status == 0
      )
    }
    try publish(Array(titles[..<30]) + ["old"])
    try publish(Array(titles[30...]), at: Sample.other)
    news("fetch")
    let found = try stories()
    #expect(found.count == 61)
    for number in rules.indices {
      let tagged = found.values.filter { $0.tags.contains("\(number)") }.map(\.item.title).sorted()
      let items = try news.store.read().items
      let condition = try news.context.condition(
        of: news.store.rules()[number],
        news.store.read().subscriptions,
      )
      let places = try StoryScan(items, condition, now: news.now).run()
      let stored = try places.map { try items.item(at: $0).item.title }.filter { $0 != "old" }
      #expect(tagged == stored.sorted())
      #expect(tagged.isEmpty == (number == 4))
    }
  }

  @Test("a damaged file of rules is told of, stays as it is, and nothing new is stored without it")
  func damaged() throws {
    add("ads", "--grep", "ad", "--then", "drop")
    let path = news.store.home + "/rules.plist"
    let cases: [(PropertyListValue, String)] = [
      (.string("x"), "the top-level object is not an array"),
      (.array([.string("x")]), "a rule is not a dictionary"),
      (.array([.dictionary(["grep": .array([])])]), "rule 1 has no name"),
      (
        .array([.dictionary(["name": .string("a"), "then": .array([.string("burn")])])]),
        "what the rule a says is not understood",
      ),
      (
        .array([.dictionary(["name": .string("a"), "grep": .string("x")])]),
        "what the rule a says is not understood",
      ),
      (
        .array(["a", "A"].map { .dictionary(["name": .string($0)]) }), "there are two rules A",
      ),
      (
        .array([.dictionary(["name": .string(String(repeating: "n", count: 65))])]),
        "rule 1 has a name of more than 64 characters",
      ),
      (
        .array((0...1_000).map { .dictionary(["name": .string("\($0)")]) }),
        "it has more than 1000 rules",
      ),
    ]
    try publish(["x"], at: Sample.other)
    for (number, (value, reason)) in cases.enumerated() {
      let bytes = try put(value)
      let text = "\(path) cannot be read and was left as it is: \(reason)"
      try publish(["ad \(number)", "new \(number)", "old"])
      let (asked, before) = (news.fetcher.requests.count, try news.store.read())
      let failed = "failed: 0 of 0 feeds failed, "
      let result = news("fetch", "--exit-status")
      #expect(result.errors == "news: \(text)\n" && result.status == 1)
      #expect(result.output.hasPrefix(failed))
      #expect(news("fetch", "--json").output.hasPrefix("{\"outcome\":\"failed\""))
      #expect(news.fetcher.requests.count == asked)
      let others = [
        ["rules"], ["rules", "add", "b", "--grep", "c"], ["rules", "remove", "b"], ["refresh"],
        ["subscribe", Sample.other], ["move", Sample.feed, Sample.other],
      ]
      for words in others {
        #expect(news.run(words) == CommandResult(output: "", errors: "news: \(text)\n", status: 1))
      }
      #expect(news("list", "--feed", "search:a").errors == "news: \(text)\n")
      #expect(news("doctor", "--offline").output.contains("wrong\trules.plist\t\(text)\t"))
      #expect(try readFile(path) == bytes)
      #expect(try news.store.read().isUnchanged(in: before))
    }
    unlink(path)
    #expect(news("fetch").output.hasPrefix("newData: 2 new"))
    try news.folder.write([UInt8](repeating: 0x20, count: 1 << 20 + 1), to: "home/rules.plist")
    #expect(news("rules").errors == "news: \(path) is larger than 1048576 bytes\n")
  }

  @Test("a rule that cannot be used is named, and the others work")
  func unusable() throws {
    _ = try put(
      .array([
        .dictionary([
          "name": .string("bad\u{1b}[1m"), "grep": .array([.string("/(/")]),
          "then": .array([.string("read")]),
        ]),
        .dictionary(["name": .string("all"), "then": .array([.string("drop")])]),
        .dictionary([
          "name": .string("slow"), "grep": .array([.string("/(a+)+$/")]),
          "then": .array([.string("drop")]),
        ]),
        .dictionary([
          "name": .string("good"), "grep": .array([.string("new")]),
          "then": .array([.string("star")]), "color": .string("red"),
        ]),
      ])
    )
    try publish(["new " + String(repeating: "a", count: 100) + "!", "old"])
    let errors = news("fetch").errors.split(separator: "\n")
    try #require(errors.count == 3)
    #expect(errors[0].hasPrefix("news: rule bad"))
    #expect(errors[1] == "news: rule all: it does not say which stories")
    #expect(errors[2].hasPrefix("news: rule slow: --grep: this expression goes back and forth"))
    #expect(!errors[0].contains("\u{1b}"))
    #expect(try stories().values.contains { $0.isStarred && $0.rules == ["good"] })
    #expect(
      news("doctor", "--offline").output.contains(
        "it does nothing: at character 1: /(/ is not a regular expression: missing closing"
      )
    )
    news("rules", "remove", "slow")
    let value = try PropertyList.value(readFile(news.store.home + "/rules.plist"))
    #expect(value.array?.last?.dictionary?["color"] == .string("red"))
  }
}

extension PropertyList {
  fileprivate static func value(_ bytes: [UInt8]) throws -> PropertyListValue {
    let reader = try reader(PropertyListBytes(bytes))
    return try reader.value(reader.root)
  }
}
