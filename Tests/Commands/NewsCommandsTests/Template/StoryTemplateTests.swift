import FeedModel
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import System

@Suite("--format: stories in the user's own form")
struct StoryTemplateTests {
  private func list(_ template: String, _ words: String...) throws -> CommandResult {
    let news = try CommandRun()
    try news.storeSample()
    return news.run(["list", "-n1", "--format", template] + words)
  }

  @Test(
    "fields, dates, widths, braces and escapes",
    arguments: [
      ("{n} {title}", "1 Newest of all\n"), ("", "\n"), ("{{{n}}}", "{1}\n"), ("}}{{", "}{\n"),
      ("{id}\\t{guid}\\\\n", "0000000000000001\tguid 1\\n\n"), ("{n}\\n", "1\n\n"),
      ("{link}\\0", "https://example.com/1\0"),
      ("{feed}|{feeds}", "Example|https://example.com/feed.xml\n"),
      ("{date} {pubDate}", "2026-11-01T11:00:00+00:00 published 1\n"),
      ("{date:%A %e. %B %Y, %H:%M:%S %z %Z}", "Sunday  1. November 2026, 11:00:00 +0000 UTC\n"),
      ("{stored:%s} {date:%G-W%V-%u %j %I%p %%}", "1793530800 2026-W44-7 305 11AM %\n"),
      ("{title:6}|{n:3}|", "Newes…|1  |\n"), ("{read} {starred}", "false false\n"),
      ("<{author}{enclosure}{enclosures}{categories}>", "<>\n"), ("{author:q}", "''\n"),
      ("{date:%a%b%C%D%F%h%k%l%M%n%p%r%R%S%t%T%w%x%X%y%c%d%m}", nil),
    ] as [(String, String?)],
  )
  func forms(_ template: String, _ expected: String?) throws {
    let result = try list(template)
    #expect(expected == nil || result.output == expected)
    #expect(result.status == 0 && result.errors.isEmpty)
  }

  @Test("words and minutes of the text that is stored, whole or not; nothing without a text")
  func words() throws {
    let news = try CommandRun()
    let text = Array(repeating: "&lt;p&gt;two words — here&lt;/p&gt;", count: 74).joined(
      separator: " "
    )
    let body = """
      <rss version="2.0"><channel><title>Feed</title>
      <item><title>long</title><description>\(text)</description></item>
      <item><title>short</title><description>one two three</description></item>
      <item><title>none</title></item></channel></rss>
      """
    news.fetcher.serve(Sample.feed, .init(body: body))
    news("subscribe", Sample.feed)
    let format = ["--format", "{title}|{words}|{minutes}"]
    #expect(news.run(["list"] + format).output == "long|222|2\nshort|3|1\nnone||\n")
    #expect(news.run(["show", "1"] + format).output == "long|222|2\n")
    let json = news("show", "1-3", "--json").output
    for values in ["222,\"minutes\":2", "3,\"minutes\":1", "null,\"minutes\":null"] {
      #expect(json.contains("\"words\":\(values)"))
    }
  }

  @Test(
    "what is wrong in a template is told in one line, with the status 64",
    arguments: [
      ("{titel}", "unknown field {titel}; did you mean {title}?"),
      ("{Title}", "unknown field {Title}; did you mean {title}?"),
      ("{xyzzy}", "unknown field {xyzzy}; there are n, id, title, link,"),
      ("{}", "unknown field {}; there are"), ("{title", "a { without }"), ("a}", "a } without {"),
      ("\\x", "\\x means nothing"), ("\\", "\\ means nothing"),
      ("{date:%Q}", "%Q is no part of a date's form"), ("{date:%}", "% is no part of"),
      ("{title:%F}", "{title:%F}: after the colon stands q, or columns"),
      ("{n:0}", "{n:0}: after the colon"), ("{date:x}", "{date:x}: after the colon"),
    ],
  )
  func faults(_ template: String, _ message: String) throws {
    let result = try list(template)
    #expect(result.errors.hasPrefix("news: --format: \(message)"))
    #expect(result.errors.hasSuffix("(see `news list --help`)\n"))
    #expect(result.output.isEmpty && result.status == 64)
  }

  @Test("{image} is a file that is a picture, else the first picture in the text")
  func image() throws {
    let news = try CommandRun()
    let texts = [
      "<p>None</p>", "<p>Two <img src='/a.png'> <img src='/b.png'></p>",
      "<p>A pixel <img src='/p.gif' width=1 height=1><img src='data:image/png;base64,AA'></p>",
      "<img src='/a.png'><table><tr><td>x</table>",
    ]
    let files = ["", "", "", #"<enclosure url="https://example.com/file" type="image/JPEG"/>"#]
    let items = texts.indices.map { index in
      let text = "<description><![CDATA[\(texts[index])]]></description>"
      return "<item><title>\(index)</title><link>https://example.com/\(index)</link>\(text)"
        + "\(files[index])</item>"
    }
    let feed =
      "<rss version=\"2.0\"><channel><title>Pictures</title>\(items.joined())</channel></rss>"
    news.fetcher.serve(Sample.feed, .init(body: feed))
    let lines = "0:\n1:https://example.com/a.png\n2:\n3:https://example.com/file\n"
    let added = news("refresh", Sample.feed, "--format", "{title}:{image}")
    #expect(added.output == lines)
    #expect(news("list", "--format", "{title}:{image}").output == lines)
    #expect(news("show", "2", "--format", "{image:q}").output == "'https://example.com/a.png'\n")
    #expect(news("list", "--grep", "has:image", "--format", "{title}").output == "1\n2\n3\n")
  }

  @Test("{image}, has:image, show and JSON have a picture that the feed declares")
  func declaredImage() throws {
    let news = try CommandRun()
    let body = try readText(BuiltProduct.fixture("feeds/rss/pictures.xml"))
    news.fetcher.serve(Sample.feed, .init(body: body))
    news("refresh", Sample.feed)
    let host = "https://p.example/"
    let names = ["t.jpg", "w.jpg", "f.jpg", "e.png", "x.jpg", "n.JPG?w=460", "own.png", "1.jpg"]
    let images = names.map { host + $0 } + ["", host + "x.png", "", host + "c.png", host + "d.png"]
    #expect(
      news("list", "--format", "{image}").output == images.map { "\($0)\n" }.joined()
    )
    let found = news("list", "--grep", "has:image", "--format", "{title}").output
    #expect(found.split(separator: "\n").count == 11)
    #expect(news("show", "1").output.hasSuffix("[1] https://p.example/t.jpg (image)\n"))
    let file = "{\"role\":\"image\",\"url\":\"https://p.example/t.jpg\""
    #expect(news("list", "--json").output.contains(file))
    let other = "https://example.net/pictures"
    news("rules", "add", "pictures", "--grep", "has:image", "--then", "star")
    news.fetcher.serve(other, .init(body: body.replacing("p.example", with: "q.example")))
    news("refresh", other)
    let starred = news("list", "--starred", "--format", "{title}").output
    #expect(starred.split(separator: "\n").count == 11)
  }

  @Test("--format and --json cannot be used together")
  func json() throws {
    #expect(try list("{n}", "--json").status == 64)
  }

  @Test("{date} follows --dates relative")
  func relative() throws {
    #expect(try list("{date}", "--dates", "relative").output == "1 h ago\n")
  }

  @Test(
    "a quoted value is one word of a shell, which obeys nothing in it",
    arguments: ["bash", "zsh", "dash", "fish"],
  )
  func shell(_ shell: String) throws {
    let titles = [
      "it's $(touch x) `y` \\ \"z\" ; & * ~ -n #", "\\'; touch x #", "\\", "'", "''", "a\\\\'b",
      "\\''\\'", "'\u{301}; touch x #", "\\\u{301}'\u{20DD}; touch x; '\u{301}", "!! !x ^a^b",
      "=ls", "%self", "~", "~root", "{a,b} (touch x) <(touch x)", "$'\\x41' \\x41 \\n %s %n",
      "caf\u{E9} \\",
    ]
    let news = try CommandRun()
    let stories = titles.enumerated().map { Sample.story($0, $1, hours: $0) }
    try news.store(stories, subscriptions: [])
    let lines = news("list", "--format", "printf '<%s>' {title:q} {link:q}").output
    let script = lines + titles.map { "printf '<%s>' \(ShellWord.asNeeded($0))\n" }.joined()
    let result = try Subprocess.run([shell, "-c", script], environment: ["LC_ALL": "C.UTF-8"])
    let listed = titles.enumerated().map { "<\($1)><https://example.com/\($0)>" }
    #expect(result.text == listed.joined() + titles.map { "<\($0)>" }.joined())
    #expect(result.errors.isEmpty)
  }

  @Test("no value brings a control character, or a link that is none")
  func hostile() throws {
    let news = try CommandRun()
    var story = Sample.story(1, "a\u{1b}[2Jb\nc\u{0}d\u{202e}", hours: 1)
    story.item.link = "javascript:alert(1)"
    story.item.author = "\u{9b}31m\r"
    story.item.guid = "\u{7}"
    story.item.enclosures = [Enclosure(url: "file:///etc/passwd")]
    try news.store([story], subscriptions: [("https://u:secret@a.example/", "x\u{1b}y")])
    let all = TemplateField.names.map { "{\($0)}{\($0):q}{\($0):30}" }.joined()
    let output = news("list", "--format", all + "\\0").output
    #expect(
      output.unicodeScalars.dropLast().allSatisfy { $0.properties.generalCategory != .control }
    )
    for text in ["\u{202e}", "javascript", "etc/passwd", "secret"] {
      #expect(!output.contains(text))
    }
  }

  @Test("show and refresh take templates, too; what a refresh brings is numbered")
  func elsewhere() throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(news("show", "3", "5", "--format", "{n}{read}").output == "3true\n5false\n")
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["new"])))
    #expect(news("refresh", "Example", "--format", "{n}{title} {feed}").output == "1new Example\n")
  }

  @Test(
    "the calendar's weeks and days",
    arguments: [
      (1970, 1, 1, 4, 1, 1970, 1), (2024, 12, 30, 1, 365, 2025, 1), (2024, 2, 29, 4, 60, 2024, 9),
      (2021, 1, 3, 0, 3, 2020, 53), (2000, 12, 31, 0, 366, 2000, 52), (1900, 3, 1, 4, 60, 1900, 9),
      (1969, 12, 31, 3, 365, 1970, 1),
    ],
  )
  func calendar(
    _ year: Int,
    _ month: Int,
    _ day: Int,
    _ weekday: Int,
    _ inYear: Int,
    _ weekYear: Int,
    _ week: Int,
  ) throws {
    let instant = CivilTime(year: year, month: month, day: day).utcSeconds
    let text = try DateFormat("%w %j %G %V").text(instant, clock: .utc(0))
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    #expect(numbers == [weekday, inYear, weekYear, week])
  }

  @Test("exact dates have the offset of their own day")
  func offsets() {
    let clock = WallClock(
      now: { 0 },
      civilTime: { WallClock.utc(0).civilTime($0 - 12_600) },
      seconds: { _ in nil },
    )
    #expect(clock.isoText(1_793_534_400) == "2026-11-01T08:30:00-03:30")
    #expect(clock.offsetText(1_793_534_400) == "-0330")
  }
}
