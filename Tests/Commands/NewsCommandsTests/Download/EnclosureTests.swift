import FeedModel
import Testing

@Suite("What stories carry, in show and list")
struct EnclosureTests {
  private let news: CommandRun

  /// Stores an episode, a story without files, and one with hostile files beside a good one.
  init() throws {
    news = try CommandRun()
    var episode = Sample.story(1, "Fog signals", hours: 1)
    episode.item.enclosures = [
      Enclosure(
        url: "https://media.example/redirect/of/a/counting/service/episodes/2026/fog-signals.mp3",
        type: "audio/mpeg",
        length: 43_200_000,
        duration: 3_723,
      ),
      Enclosure(url: "https://media.example/1.pdf"),
    ]
    episode.item.related = [
      RelatedFile(
        role: .alternate,
        url: "https://media.example/1.opus",
        type: "audio/opus",
        length: 12_000_000,
        language: "en",
      ),
      RelatedFile(role: .chapters, url: "https://media.example/1.json"),
      RelatedFile(
        role: .transcript,
        url: "https://media.example/1.vtt",
        type: "text/vtt",
        language: "en",
      ),
    ]
    (episode.item.season, episode.item.episode) = (2, 15)
    episode.item.chapters = [
      Chapter(start: 0, title: "Intro\u{1b}[31m"),
      Chapter(start: 750, title: "Horns and bells", url: "https://example.com/horns"),
      Chapter(start: 3_600, title: "Radio", url: "javascript:alert(1)"),
    ]
    episode.item.people = [
      Person(name: "Ida Keeper", url: "https://example.com/ida"),
      Person(name: "Bo", role: "guest"),
    ]
    episode.item.comments = "https://example.com/1#comments"
    var hostile = Sample.story(3, "Third", hours: 3)
    hostile.item.enclosures = [
      Enclosure(url: "javascript:alert(1)", type: "audio/mpeg"),
      Enclosure(
        url: "https://media.example/3",
        type: "a\tb\u{1b}[31m\nc",
        length: -1,
        duration: 0,
      ),
    ]
    var unsafe = Sample.story(4, "Fourth", hours: 4)
    unsafe.item.enclosures = [Enclosure(url: "file:///etc/passwd")]
    let stories = [episode, Sample.story(2, "Second", hours: 2), hostile, unsafe]
    try news.store(stories, subscriptions: [])
  }

  @Test("show lists the people of an episode and its chapters with their times, by links' numbers")
  func chapters() {
    news.useTerminal(80, variables: ["TERM": "dumb"])
    let shown = news("show", "1").output
    #expect(shown.contains("\nPeople      Ida Keeper (host) [9], Bo (guest)\n"))
    #expect(
      shown.contains(
        """

        Chapters    0:00:00 Intro [31m
                    0:12:30 Horns and bells [8]
                    1:00:00 Radio

        [1] https

        """.dropLast()
      ),
      "\(shown)",
    )
    let made = news("list", "--format", "{people}|{chapters}", "--grep", "has:enclosure").output
    let chapters = "00:00 Intro [31m; 12:30 Horns and bells; 1:00:00 Radio"
    #expect(made.contains("Ida Keeper (host), Bo (guest)|\(chapters)\n"), "\(made)")
    let json = news("show", "1", "--json").output
    #expect(json.contains(#"{"start":3600,"title":"Radio","url":null}]"#), "\(json)")
    #expect(json.contains(#""people":[{"name":"Ida Keeper","role":"host","url":"https://"#))
  }

  @Test("show numbers the files among the links, and what has no room beside one stands below it")
  func show() {
    news.useTerminal(80, variables: ["TERM": "dumb"])
    let links = news("show", "1").output.split(separator: "\n").suffix(10)
    #expect(
      links == [
        "[1] https://example.com/1",
        "[2] https://media.example/redirect/of/a/counting/service/episodes/2026/fog-signals.mp3",
        "    (audio/mpeg, 43.2 MB, 1:02:03)", "[3] https://media.example/1.pdf",
        "[4] https://media.example/1.opus (alternate, audio/opus, 12.0 MB, en)",
        "[5] https://media.example/1.json (chapters)",
        "[6] https://media.example/1.vtt (transcript, text/vtt, en)",
        "[7] https://example.com/1#comments (comments)", "[8] https://example.com/horns",
        "[9] https://example.com/ida",
      ]
    )
    #expect(news("show", "1", "--link", "6").output == "https://media.example/1.vtt\n")
    news.useTerminal(40)
    #expect(
      news("show", "1").output.hasSuffix(
        """
        [4] https://media.example/1.opus
            (alternate, audio/opus, 12.0 MB, en)
        [5] https://media.example/1.json
            (chapters)
        [6] https://media.example/1.vtt
            (transcript, text/vtt, en)
        [7] https://example.com/1#comments
            (comments)
        [8] https://example.com/horns
        [9] https://example.com/ida

        """
      )
    )
  }

  @Test("the numbers of season and episode are told, and where a story is commented on")
  func episode() {
    news.useTerminal(80, variables: ["TERM": "dumb"])
    #expect(news("show", "1").output.contains("\nEpisode     season 2, episode 15\n"))
    #expect(!news("show", "2").output.contains("Episode"))
    let output = news("list", "--json", "-n2").output
    #expect(
      output.contains(
        "\"season\":2,\"episode\":15,\"comments\":\"https://example.com/1#comments\""
      )
    )
    #expect(output.contains("\"season\":null,\"episode\":null,\"comments\":null"))
    let template = "{season}|{episode}|{comments}|{duration}|{file}"
    #expect(
      news("list", "-n2", "--format", template).output
        == "2|15|https://example.com/1#comments|1:02:03|\n||||\n"
    )
  }

  @Test("list --grep has:enclosure shows what a story carries below it, as far as there is room")
  func list() {
    news.useTerminal(80, variables: ["TERM": "dumb"])
    #expect(
      news("list", "--grep", "has:enclosure").output == """
        1• Fog signals  1 h ago
           audio/mpeg, 43.2 MB, 1:02:03
           https://media.example/1.pdf
        2• Third        3 h ago
           a b [31m c

        """
    )
    news.useTerminal(20)
    #expect(
      news("list", "--grep", "has:enclosure", "-n1").output == """
        1• Fog signals
           audio/mpeg, 43.2…
           https://media.ex…

        """
    )
  }

  @Test("piped, each file is a line, and no field of it can be taken for another")
  func piped() {
    #expect(
      news("list", "--grep", "has:enclosure").output == """
        1\tFog signals\t2026-11-01T11:00:00Z\thttps://example.com/feed.xml\thttps://example.com/1\t\
        https://media.example/redirect/of/a/counting/service/episodes/2026/fog-signals.mp3\t\
        audio/mpeg\t43200000\t3723
        1\tFog signals\t2026-11-01T11:00:00Z\thttps://example.com/feed.xml\thttps://example.com/1\t\
        https://media.example/1.pdf\t\t\t
        2\tThird\t2026-11-01T09:00:00Z\thttps://example.com/feed.xml\thttps://example.com/3\t\
        https://media.example/3\ta b [31m c\t\t

        """
    )
    #expect(
      news("list", "--grep", "has:enclosure", "--format", "{n} {title}").output
        == "1 Fog signals\n2 Third\n"
    )
  }

  @Test("with --json it chooses stories, whose files are told in either case")
  func json() {
    let output = news("list", "--grep", "has:enclosure", "--json", "-n1").output
    #expect(
      output.contains(
        "\"type\":\"audio/mpeg\",\"length\":43200000,\"duration\":3723},{\"url\""
      )
    )
    #expect(
      output.contains(
        """
        "related":[{"role":"alternate","url":"https://media.example/1.opus","type":"audio/opus",\
        "length":12000000,"language":"en"},{"role":"chapters",\
        "url":"https://media.example/1.json","type":null,"length":null,"language":null},
        """.dropLast()
      )
    )
    #expect(news("list", "--json", "-n1").output == output)
    #expect(
      news("list", "--grep", "has:enclosure", "--json").output.split(separator: "\n").count == 4
    )
  }

  @Test("it goes with other filters, and with commands that take those of list")
  func otherFilters() {
    #expect(news("list", "--grep", "has:enclosure", "--grep", "second").output.isEmpty)
    #expect(
      news("list", "--grep", "has:enclosure", "--grep", "third").output.hasPrefix("1\tThird\t")
    )
    #expect(news("read", "--all", "--grep", "has:enclosure").errors == "2 stories marked read\n")
    #expect(news("list", "--grep", "has:enclosure", "--unread").output.isEmpty)
  }
}
