import TestSupport
import Testing

@Suite("Files and faults, with the built program")
struct PathTests {
  private let news: News

  init() throws {
    news = try News()
    let feed = try readFile(BuiltProduct.fixture("reuters/technology.xml"))
    try news.folder.write(feed, to: "technology.xml")
  }

  @Test("subscribe, refresh, list and open work with a relative path")
  func relativePath() throws {
    #expect(try news.run("subscribe", "technology.xml").status == 0)
    #expect(try news.run("refresh").status == 0)
    #expect(try news.titles().count == 24)
    let link = try news.run("open", "1")
    #expect(link.text.hasPrefix("https://www.reuters.com/article/"))
    #expect(link.text.contains("-idUSKCN1Q100?"))
  }

  @Test("import waits for what another command is still printing")
  func importPipe() throws {
    let print = "for ((i = 0; i < 5000; i++)); do echo \"https://a.example/$i\"; done"
    let result = try Subprocess.run(
      ["bash", "-c", "exec \"$0\" --home \"$1\" import <(\(print))", news.program, news.home]
    )
    #expect(result.errorText == "5000 feeds imported\n")
    #expect(result.status == 0)
  }

  @Test("a new file is subscribed by refresh")
  func refreshNew() throws {
    #expect(try news.run("refresh", "./technology.xml").status == 0)
    #expect(try news.titles().count == 24)
  }

  @Test("broken variants give every story that they hold")
  func broken() throws {
    let whole = try stories(of: "technology")
    #expect(whole.count == 24)
    for name in [
      "bare-ampersand", "undeclared-entities", "latin1-as-utf8", "mismatched-tag",
      "control-characters",
    ] {
      #expect(try stories(of: "technology-\(name)") == whole, "\(name)")
    }
    #expect(try stories(of: "technology-truncated") == Array(whole[..<4]))
  }

  @Test("parse lists what its JSON has, of every feed that is read")
  func lines() throws {
    let check = """
      import json, sys
      for number, item in enumerate(json.load(sys.stdin)["items"], 1):
          title = item["title"] or (item["summary"] or "")[:20]
          print(number, item["date"] or "-", title)
      """
    for name in ["reuters/technology.xml", "reuters/technology-bare-ampersand.xml"] {
      let path = BuiltProduct.fixture(name)
      let json = try news.run("parse", "--json", path)
      let wanted = try Subprocess.run(["python3", "-c", check], input: json.text).text
      let lines = try news.run("parse", path).text.split(separator: "\n")
      let found = lines.compactMap { line -> String? in
        let words = line.split(separator: " ")
        return Int(words[0]) == nil ? nil : words.joined(separator: " ")
      }
      #expect(found == wanted.split(separator: "\n").map(String.init), "\(name)")
    }
  }

  @Test("a file is read from its beginning to its end, whatever its kind")
  func kinds() throws {
    let items = (1...9_000).map { "<item><title>Story \($0)</title></item>" }.joined()
    let path = try news.folder.write("<rss><channel>\(items)</channel></rss>", to: "long.xml")
    let whole = try news.run("parse", path).text
    #expect(whole.contains("\n9000  -                     Story 9000\n"))
    let parts = "{ head -c 5 > /dev/null; exec \"$0\" parse -; } < \"$1\""
    let rest = try Subprocess.run(["bash", "-c", parts, news.program, path])
    #expect(rest.text.contains("Story 9000"))
    let pipe = try Subprocess.run(
      ["bash", "-c", "exec \"$0\" parse <(cat \"$1\")", news.program, path]
    )
    #expect(pipe.text == whole)
    let large = try news.folder.write(String(repeating: " ", count: 2 << 20), to: "large.xml")
    let refused = try news.run("parse", large, "--max-size", "1")
    #expect(refused.status == 1 && refused.errorText.contains("larger than 1"))
    // A file of the system says that it is empty.
    #expect(try news.run("parse", "/proc/self/status").status == 65)
  }

  private func stories(of name: String) throws -> [String] {
    let path = BuiltProduct.fixture("reuters/\(name).xml")
    let result = try news.run("parse", "--json", path)
    let check = "import json,sys;[print(i['title']) for i in json.load(sys.stdin)['items']]"
    let lines = try Subprocess.run(
      ["python3", "-c", check],
      environment: ["PYTHONIOENCODING": "utf-8"],
      input: result.text,
    )
    return lines.text.split(separator: "\n").map(String.init)
  }

  @Test("without a subscription refresh and fetch say how to subscribe")
  func noSubscription() throws {
    for command in ["refresh", "fetch"] {
      let result = try news.run(command)
      #expect(result.status == 1)
      #expect(result.errorText.contains("news subscribe"))
    }
  }

  @Test("each mistake gives one clear line and the right exit status")
  func mistakes() throws {
    _ = try news.run("subscribe", "technology.xml")
    _ = try news.run("refresh")
    let page = BuiltProduct.fixture("reuters/technology-web-page.html")
    let cases: [([String], Int32, String)] = [
      (["lst"], 64, "list"), (["list", "--grap=x"], 64, "--grep"), (["open"], 64, "--help"),
      (["open", "99"], 1, "24"), (["parse", page], 65, "a web page, not a feed"),
      (["parse", "/nonexistent"], 1, "no such file"), (["parse", "/"], 1, "is a directory"),
      (["unsubscribe", "nothing"], 1, "nothing"),
    ]
    for (arguments, status, text) in cases {
      let result = try Subprocess.run(
        [news.program] + arguments,
        environment: ["NEWS_HOME": news.home],
      )
      #expect(result.status == status, "\(arguments)")
      #expect(result.text == "", "\(arguments)")
      #expect(result.errorText.hasPrefix("news: "), "\(arguments)")
      #expect(result.errorText.contains(text), "\(arguments): \(result.errorText)")
    }
  }

  @Test("a home that cannot be used, and a folder in place of the data file, lose nothing")
  func unusableHome() throws {
    let file = try news.folder.write("x", to: "file")
    let result = try news.run("list", environment: ["NEWS_HOME": file])
    #expect(result.status == 1)
    #expect(result.errorText.split(separator: "\n").count == 1)
    _ = try news.run("subscribe", "technology.xml")
    _ = try news.run("refresh")
    _ = try Subprocess.run(["sh", "-c", "rm \"$0\" && mkdir \"$0\"", news.dataPath])
    for command in ["list", "refresh", "fetch"] {
      let result = try news.run(command)
      #expect(result.status == 1, "\(command)")
      #expect(result.errorText.contains("is a folder, not a file"), "\(result.errorText)")
    }
    #expect(outcome(try news.run("fetch")) == "failed: 0 of 0 feeds failed")
  }

  @Test("a full disk is told, and the store stays as it was")
  func fullDisk() throws {
    _ = try news.run("subscribe", "technology.xml")
    _ = try news.run("refresh")
    let before = try readFile(news.dataPath)
    let later = try readFile(BuiltProduct.fixture("reuters/technology-later.xml"))
    try news.folder.write(later, to: "technology.xml")
    // A limit of 4 blocks of 512 bytes on every file: writes fail as on a full disk.
    let result = try Subprocess.run(
      ["sh", "-c", "ulimit -f 4; exec \"$0\" fetch", news.program],
      environment: ["NEWS_HOME": news.home, "TZ": "UTC"],
    )
    #expect(result.text.hasPrefix("failed: "))
    #expect(result.status == 1)
    #expect(result.errorText.contains("cannot write"), "\(result.errorText)")
    #expect(try readFile(news.dataPath) == before)
    #expect(outcome(try news.run("fetch")) == "newData: 3 new in 1 of 1 feeds")
  }

  @Test("a closed pipe ends quietly, a full one is told")
  func outputs() throws {
    _ = try news.run("refresh", "technology.xml")
    let quiet = try Subprocess.run(
      ["bash", "-c", "\"$0\" list | head -n 1 >/dev/null; echo ${PIPESTATUS[0]}", news.program],
      environment: ["NEWS_HOME": news.home],
    )
    #expect(quiet.text == "0\n")
    #expect(quiet.errorText == "")
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let failed = try news.run("list", output: full)
    #expect(failed.status == 1)
    #expect(failed.errorText.hasPrefix("news: "))
    #expect(failed.errorText.split(separator: "\n").count == 1)
  }
}
