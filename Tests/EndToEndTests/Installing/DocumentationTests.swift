import TestSupport
import Testing

@Suite("The examples of the README and the pages")
struct DocumentationTests {
  private let news: News
  private let server: FaultyServer

  init() throws {
    news = try News()
    server = try ExampleFeeds.serve()
    try install("news", "exec '\(news.program)' \"$@\"")
    try install("mail", "echo \"mail $*\"; cat")
    try install("wget", "echo \"wget $*\"")
    // A page that installs a timer would change the machine that tests it.
    try install("crontab", "echo 'no crontab for you' >&2; exit 1")
  }

  private func install(_ name: String, _ script: String) throws {
    #expect(try Subprocess.run(["mkdir", "-p", news.folder.path("bin")]).status == 0)
    try news.writeProgram("bin/\(name)", "#!/bin/sh\n\(script)\n")
  }

  private func settings(home: String) -> [String: String?] {
    let own: [String: String?] = [
      "PATH": "\(news.folder.path("bin")):/usr/local/bin:/usr/bin:/bin",
      "http_proxy": server.url("/"), "no_proxy": nil, "TERM": "xterm-256color",
      "LC_ALL": "C.UTF-8", "NEWS_HOME": news.folder.path(home),
    ]
    return news.settings.merging(own) { $1 }
  }

  /// Returns the screen of a line's output on a terminal of 100 columns, without its dress.
  private func screen(_ line: String, home: String) throws -> String {
    let terminal = try PseudoTerminal(
      ["bash", "-c", line],
      columns: 100,
      rows: 100,
      environment: settings(home: home),
    )
    #expect(terminal.end() == 0, "\(line)")
    return terminal.screen.replacing(#/\u{1b}\]8;;[^\u{1b}]*\u{1b}\\/#, with: "")
      .replacing(#/\u{1b}\[[0-9;?]*[A-Za-z]/#, with: "")
      .replacing("\r\n", with: "\n").replacing(#/[^\n]*\r/#, with: "")
  }

  /// Returns a session as pages show it: each line behind a `$`, and its output.
  private func session(_ shown: String, home: String) throws -> String {
    let lines = shown.split(separator: "\n").filter { $0.hasPrefix("$ ") }
    return try lines.map { "\($0)\n" + (try screen(String($0.dropFirst(2)), home: home)) }.joined()
  }

  private static let picture = BuiltProduct.fixture("../\(Page.folder)/table-view.svg")

  /// Returns the table view as `.ci/picture` draws it.
  ///
  /// The dates in it are years old, and so stay as they are.
  private func drawnTableView() throws -> String {
    let (home, columns) = ("picture", 120)
    let urls = ExampleFeeds.names.map { "http://feeds.example.org/\($0).xml" }
    _ = try screen("news subscribe \(urls.joined(separator: " "))", home: home)
    _ = try screen("news list -n 1 && news read --all --until '2019-03-18 10:00'", home: home)
    _ = try screen("news star 1", home: home)
    let window = try TerminalWindow(
      columns: columns,
      rows: 20,
      in: news.folder.path,
      environment: settings(home: home),
    )
    try window.run("TERM=tmux-256color news browse")
    try window.wait { $0.contains(#/[0-9] unread/#) }
    let script = BuiltProduct.fixture("../.ci/picture")
    return try Subprocess.run([script, "\(columns)"], input: window.dressedScreen).text
  }

  @Test("the picture in the README is what the program draws")
  func tableView() throws {
    let drawn = try drawnTableView()
    if Self.isWriting { try writeFile(Self.picture, drawn.utf8) }
    #expect(try readText(Self.picture) == drawn)
    #expect(drawn.contains("> All stories  31 stories, "))
  }

  private static var isWriting: Bool {
    getenv("NEWS_OUTPUT").map { String(cString: $0) } == "write"
  }

  /// Durations, and the times at which stories were stored, differ from run to run.
  private static func masked(_ text: String) -> String {
    text.replacing(#/[0-9]+\.[0-9]{3} s/#, with: "0.000 s")
      .replacing(#/Stored +[^\n]*/#, with: "Stored …")
  }

  @Test("sessions are what is printed", arguments: try Page.all())
  func captures(_ page: Page) throws {
    for (number, block) in page.blocks.enumerated() where block.language == "console" {
      let shown = try session(block.text, home: "home\(number)")
      if Self.isWriting {
        let text = try readText(page.path).replacing(block.text, with: shown)
        try writeFile(page.path, text.utf8)
      }
      #expect(Self.masked(shown) == Self.masked(block.text))
    }
  }

  @Test("the README shows a session and the table view")
  func readme() throws {
    let readme = try Page.readme()
    #expect(readme.blocks.filter { $0.language == "console" }.count > 0)
    #expect(readme.text.contains("](\(Page.folder)/table-view.svg)"))
    #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
  }

  @Test("every line of shell does something, and ends with 0", arguments: try Page.all())
  func shell(_ page: Page) throws {
    let url = "http://feeds.example.org/technology.xml"
    let stock = "news subscribe \(url) && news list -n 9 && news star 1 2 && mkdir -p ~/Sync/news"
    _ = try screen(stock, home: "home")
    for line in page.lines(of: "sh") where line.hasPrefix("news ") || line.hasPrefix("python3 ") {
      let result = try Subprocess.run(
        ["bash", "-c", line],
        environment: settings(home: "home"),
        folder: line.hasPrefix("python3 ") ? news.home : news.folder.path,
      )
      #expect(result.status == 0, "\(line): \(result.text)\(result.errorText)")
      #expect(!result.text.isEmpty || !result.errorText.isEmpty, "\(line)")
    }
  }

  @Test("every command and option that is named is there", arguments: try Page.all())
  func names(_ page: Page) throws {
    let script = """
      import json, sys
      for command in json.load(sys.stdin):
        print(command["name"], *(option["name"] for option in command["options"] if option["name"]))
      """
    let help = try news.run("help", "--json").text
    let text = try Subprocess.run(["python3", "-c", script], input: help).text
    let known = Dictionary(
      uniqueKeysWithValues: text.split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        return (words[0], Set(words.dropFirst()))
      }
    )
    for match in page.text.matches(of: #/(?:`|\n|\$ |&& )news ([a-z]+)([^`\n]*)/#) {
      let command = String(match.1)
      let options = try #require(known[command], "news \(command)")
      for option in match.2.matches(of: #/--([a-z]+(?:-[a-z]+)*)/#) {
        #expect(options.contains(String(option.1)), "\(match.0)")
      }
    }
  }

  @Test("the types and files that Contributing names are there")
  func code() throws {
    let folders = ["Sources", "Tests"].map { BuiltProduct.fixture("../\($0)") }
    let types = ["grep", "-rhoE", "(struct|enum|class|protocol) [A-Z][A-Za-z]+"]
    let found = try [types + folders, ["find"] + folders].map { try Subprocess.run($0).text }
    let known = Set(found.joined().split { "/ \n".contains($0) })
    let names = try Page.named("Contributing").text
      .matches(of: #/`([A-Z][a-z]+[A-Z][A-Za-z]*(?:\+[A-Za-z]+)?)/#).map(\.1)
    #expect(names.count > 50)
    for name in names {
      #expect(known.contains(name) || known.contains(name + ".swift"), "\(name)")
    }
  }

  @Test("the object of fetch --json has the keys that are shown")
  func json() throws {
    let shown = try #require(Page.named("ForPrograms").blocks.first { $0.language == "json" })
    _ = try news.run("subscribe", BuiltProduct.fixture("reuters/technology.xml"))
    let check = """
      import json, sys
      shown, real = (json.loads(line) for line in sys.stdin.read().strip().splitlines())
      print(list(shown) == list(real), list(shown['feeds'][0]) == list(real['feeds'][0]))
      """
    let real = try news.run("fetch", "--json").text
    let text = try Subprocess.run(["python3", "-c", check], input: shown.text + real).text
    #expect(text == "True True\n")
  }
}
