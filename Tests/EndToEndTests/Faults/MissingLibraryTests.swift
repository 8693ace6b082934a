import CommandLine
import TestSupport
import Testing

/// A file that is no library stands in for a broken one: the loader finds it first.
@Suite("Without libxml2 or libcurl, the commands that need neither work, and no feed is blamed")
struct MissingLibraryTests {
  private let news: News

  init() throws {
    news = try News()
    try news.folder.write(
      readFile(BuiltProduct.fixture("reuters/technology.xml")),
      to: "technology.xml",
    )
    try news.folder.write(
      #"{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","title":"One"}]}"#,
      to: "feed.json",
    )
    for (library, names) in Self.names {
      #expect(mkdir(news.folder.path(library), 0o700) == 0)
      for name in names { try news.folder.write("no library\n", to: "\(library)/\(name)") }
    }
  }

  private static let names = [
    "libxml2": ["libxml2.so.2", "libxml2.so.16"],
    "libcurl": ["libcurl.so.4", "libcurl-gnutls.so.4"], "libidn2": ["libidn2.so.0"],
    "PCRE2": ["libpcre2-8.so.0"], "SQLite": ["libsqlite3.so.0"],
    "libcrypt": ["libcrypt.so.1", "libcrypt.so.2"],
  ]

  private func without(_ libraries: String...) -> [String: String?] {
    ["LD_LIBRARY_PATH": libraries.map(news.folder.path).joined(separator: ":")]
  }

  @Test("no command that parses nothing loads libxml2 or libcurl")
  func unused() throws {
    _ = try news.run("subscribe", "technology.xml")
    _ = try news.run("refresh")
    let commands = [
      ["list"], ["open", "1"], ["show", "2"], ["why", "2"], ["star", "1"], ["undo"], ["feeds"],
      ["export"], ["log"], ["help"], ["--version"], ["unsubscribe", "technology.xml"],
    ]
    for words in commands {
      let result = try Subprocess.run(
        [news.program, "--home", news.home] + words,
        environment: without("libxml2", "libcurl"),
        folder: news.folder.path,
      )
      #expect(result.status == 0, "\(words): \(result.errorText)")
    }
  }

  @Test("a feed that nothing can read keeps its turn; JSON feeds come in; the advice is to install")
  func refresh() throws {
    _ = try news.run("subscribe", "--no-check", "technology.xml", "feed.json")
    let result = try news.run("refresh", environment: without("libxml2"))
    #expect(result.text.contains("One"))
    #expect(
      result.errorText.contains("libxml2 could not be loaded, and XML needs it, JSON does not: ")
    )
    #expect(result.errorText.contains("apt-get install libxml2"))
    #expect(!(try news.run("feeds", "--json").text.contains("libxml2")))
    #expect(try news.run("refresh").status == 0)
    #expect(try news.titles().count == 25)
  }

  @Test("parse fails without calling the document no feed, and doctor says what to install")
  func diagnosis() throws {
    let parsed = try news.run("parse", "technology.xml", environment: without("libxml2"))
    #expect(parsed.status == 1)
    #expect(parsed.errorText.contains("technology.xml: libxml2 could not be loaded"))
    let followed = try news.run("subscribe", "technology.xml", environment: without("libxml2"))
    for said in [parsed, followed] {
      #expect(said.errorText.hasSuffix("; install it: apt-get install libxml2, or the like\n"))
    }
    let found = try news.run("doctor", "--offline", environment: without("libxml2"))
    #expect(found.status == 1)
    #expect(found.text.contains("install it: apt-get install libxml2"))
    #expect(try news.run("doctor", "--offline").text.contains("libxml2"))
  }

  @Test("files are read without libcurl; a URL fails, and is not blamed")
  func network() throws {
    _ = try news.run("subscribe", "--no-check", "http://127.0.0.1:1/feed")
    _ = try news.run("subscribe", "technology.xml")
    let result = try news.run("refresh", environment: without("libcurl"))
    #expect(result.errorText.contains("libcurl could not be loaded"))
    #expect(try news.titles().count == 24)
    #expect(!(try news.run("feeds", "--json").text.contains("libcurl")))
  }

  @Test(
    "without libidn2 a host in ASCII is asked, and no other is called wrong; files have no need of it"
  )
  func names() throws {
    let none = without("libidn2")
    let international = try news.run("subscribe", "http://b\u{FC}cher.example/", environment: none)
    #expect(
      international.errorText.contains(
        "libidn2 could not be loaded, and hosts that are not in ASCII need it"
      ),
      "\(international.errorText)",
    )
    #expect(try news.run("subscribe", "technology.xml", environment: none).status == 0)
    let ascii = try news.run("subscribe", "http://127.0.0.1:1/feed", environment: none)
    #expect(!ascii.errorText.contains("hosts that are not in ASCII"))
    let found = try news.run("doctor", "--offline", environment: none).text
    #expect(found.contains("install it: apt-get install libidn2-0"), "\(found)")
  }

  @Test(
    "a command and doctor say with one sentence what is missing, its use, what does without it, and the remedy"
  )
  func oneSentence() throws {
    try news.folder.write("SQLite format 3\0", to: "cache.db")
    for (library, words, sentence) in [
      (
        "libcurl", ["parse", "http://127.0.0.1:1/"],
        [
          "http and https need it, files do not",
          "install it: apt-get install libcurl4, or the like",
        ],
      ),
      (
        "libcurl", ["import", "http://127.0.0.1:1/"],
        [
          "http and https need it, files do not",
          "install it: apt-get install libcurl4, or the like",
        ],
      ),
      (
        "PCRE2", ["list", "--grep", "title:/a.b/"],
        [
          "expressions need it, words do not",
          "install it: apt-get install libpcre2-8-0, or the like",
        ],
      ),
      (
        "SQLite", ["import", "cache.db"],
        [
          "databases of other readers need it, OPML does not",
          "install it: apt-get install libsqlite3-0, or the like",
        ],
      ),
      (
        "libcrypt", ["serve", "password"],
        [
          "passwords for apps need it, nothing else does",
          "install it: apt-get install libcrypt1, or the like",
        ],
      ),
    ] {
      let said = try news.run(words, environment: without(library)).errorText
      #expect(said.contains("\(library) could not be loaded, and \(sentence[0]): "), "\(said)")
      #expect(said.contains("; \(sentence[1])"), "\(said)")
      let found = try news.run(["doctor", "--offline"], environment: without(library)).text
      #expect(
        found.contains("note\t\(library)\t\(library) could not be loaded, and \(sentence[0])")
      )
      #expect(found.contains("\t\(sentence[1])\n"), "\(found)")
    }
  }

  @Test("a program that is missing is told by the command that runs it and by doctor alike")
  func programs() throws {
    try news.folder.write(
      #"{"version":"https://jsonfeed.org/version/1.1","title":"P","items":[{"id":"1","title":"One","#
        + #""url":"http://x.example/","attachments":[{"url":"http://x.example/a.mp3","#
        + #""mime_type":"audio/mpeg"}]}]}"#,
      to: "podcast.json",
    )
    _ = try news.run("subscribe", "podcast.json")
    let none: [String: String?] = ["PATH": news.folder.path, "BROWSER": nil, "NEWS_PLAYER": nil]
    let found = try news.run("doctor", "--offline", environment: none).text
    for (words, sentence) in [
      (["play", "1"], "mpv is not installed, and playing needs it"),
      (["open", "1", "--browser"], "xdg-open is not installed, and --browser needs it"),
      (
        ["schedule", "install", "--cron"], "crontab is not installed, and background fetches need",
      ),
    ] {
      let said = try news.run(words, environment: none).errorText
      #expect(said.contains(sentence), "\(said)")
      if words[0] != "schedule" { #expect(found.contains("\t" + sentence), "\(found)") }
    }
    let own = none.merging(["BROWSER": "/bin/true", "NEWS_PLAYER": "/bin/true"]) { $1 }
    let named = try news.run("doctor", "--offline", environment: own).text
    #expect(!named.contains("NEWS_PLAYER") && !named.contains("BROWSER"), "\(named)")
  }

  @Test("without authorities to trust, the remedy is told, and none that leaves out the check")
  func authorities() throws {
    let server = try FaultyServer(["/feed": .response(body: "<rss/>")])
    let url = server.url("/feed").replacing("http:", with: "https:")
    let result = try news.run(
      "subscribe",
      "--allow-private",
      url,
      environment: ["CURL_CA_BUNDLE": news.folder.path("none.pem")],
    )
    #expect(result.errorText.contains("; install ca-certificates: apt-get install ca-certificates"))
    #expect(!result.errorText.contains("--no-check"), "\(result.errorText)")
  }

  @Test("for want of descriptors or memory nothing is called missing, and no feed is blamed")
  func exhausted() throws {
    let packed = try Subprocess.run(["gzip", "-k", news.folder.path("technology.xml")])
    #expect(packed.status == 0)
    let server = try FaultyServer(["/feed": .response(body: "<rss/>")])
    _ = try news.run(
      ["subscribe", "--no-check", "--allow-private", server.url("/feed"), "technology.xml"]
        + ["technology.xml.gz", "feed.json"]
    )
    var told = ""
    for limit in (9...40).map({ "-n \($0)" })
      + ([300] + Array(stride(from: 55, through: 110, by: 5))).map({ "-v \($0)000" })
    {
      let words = ShellWord.asNeeded(news.program) + " --home " + ShellWord.asNeeded(news.home)
      let script = "ulimit \(limit); exec \(words) refresh --force"
      told += try Subprocess.run(["sh", "-c", script], folder: news.folder.path).errorText
    }
    #expect(told.contains("could not be loaded"))
    #expect(!told.contains("not installed") && !told.contains("could not connect"))
    let feeds = try news.run("feeds", "--json").text
    #expect(!feeds.contains("could not be loaded") && !feeds.contains("open files"), "\(feeds)")
  }
}
