import TestSupport
import Testing

@testable import NewsCommands

@Suite("words, help and version")
struct UsageTests {
  @Test(
    "an unknown command names the nearest one",
    arguments: [
      ("lst", "list"), ("opne", "open"), ("refesh", "refresh"), ("sub", "subscribe"),
      ("feed", "feeds"), ("unsubscrib", "unsubscribe"), ("imprt", "import"),
    ],
  )
  func nearest(_ word: String, _ meant: String) throws {
    let result = try CommandRun()(word)
    #expect(
      result.errors
        == "news: unknown command \(word); did you mean `news \(meant)`? (see `news --help`)\n"
    )
    #expect(result.status == 64)
  }

  @Test("nothing is proposed for a word that is like no command")
  func farFromAll() throws {
    #expect(
      try CommandRun()("zzzzzzzz").errors
        == "news: unknown command zzzzzzzz (see `news --help`)\n"
    )
  }

  @Test(
    "options stand anywhere, in every form",
    arguments: [
      ["list", "-n2"], ["list", "-n", "2"], ["-n2", "list"], ["-n", "2", "list"],
      ["-qn2", "list"], ["--quiet", "list", "-n=2"], ["--color", "never", "list", "-n2"],
      ["--color=never", "-n2", "list", "--"], ["--", "list", "-n2"],
    ],
  )
  func optionForms(_ words: [String]) throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(news.run(words).output.split(separator: "\n").count == 2)
  }

  @Test("everything after -- is an operand")
  func doubleDash() throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(news("open", "--", "1").output == "https://example.com/1\n")
    #expect(news("open", "--", "--browser").errors.hasPrefix("news: --browser is neither"))
  }

  @Test("an option takes a value in every command that has it, or in none")
  func sameArity() {
    var values: [String: Bool] = [:]
    for option in CommandList.all.flatMap({ CommandOption.global + $0.options }) {
      for name in [option.spelling, option.letter.map { "-\($0)" } ?? option.spelling] {
        #expect(values[name, default: option.value != nil] == (option.value != nil))
        values[name] = option.value != nil
      }
    }
  }

  @Test("every command's help begins with examples of itself, and fits the terminal")
  func helpOfAll() throws {
    let news = try CommandRun()
    news.useTerminal(80)
    for command in CommandList.all {
      #expect(!command.examples.isEmpty)
      #expect(command.examples.contains { $0.words.contains("news \(command.name)") })
      let result = news(command.name, "--help")
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(result.output == news("help", command.name).output)
      for line in result.output.split(separator: "\n") {
        #expect(TerminalText.width(SGR.removed(String(line))) <= 80)
      }
    }
  }

  @Test("help names no command that is not there")
  func helpOfWhatIsThere() throws {
    let news = try CommandRun()
    let text = CommandList.all.map { news("help", $0.name).output }.joined() + news("help").output
    let known = Set(CommandList.all.map { $0.name } + ["COMMAND"])
    for part in text.split(separator: "news ", omittingEmptySubsequences: false).dropFirst() {
      let word = part.prefix { $0.isLetter }
      guard part.first?.isLetter == true, text.contains("`news \(word)") else { continue }
      #expect(known.contains(String(word)), "\(word)")
    }
  }

  @Test("--help and --version work before and after the command")
  func helpAndVersion() throws {
    let news = try CommandRun()
    #expect(news("--help", "list").output == news("list", "--help").output)
    #expect(news("-h").output == news("help").output)
    #expect(
      news("--version") == CommandResult(output: "news \(Version.number)\n", errors: "", status: 0)
    )
    #expect(news("help", "lsit").status == 64)
  }

  @Test("news alone says what to do next")
  func welcome() throws {
    let news = try CommandRun()
    #expect(news().output.hasPrefix("No subscriptions yet."))
    try news.store([], subscriptions: [(Sample.feed, "Example")])
    #expect(news().output.hasPrefix("1 feed, and no stories yet.\n\n  news refresh"))
    try news.storeSample()
    #expect(news().output.hasPrefix("4 unread stories in 2 feeds.\n\n  news list --unread"))
    news("read", "--all")
    #expect(news().output.hasPrefix("0 unread stories in 2 feeds.\n\n  news refresh"))
  }

  @Test(
    "the home is the option's, else NEWS_HOME's, else the system's",
    arguments: [
      (["NEWS_HOME": "/a/b/../c"], "/a/c", nil), (["HOME": "/h"], "/h/.local/share/news", nil),
      (["HOME": "/h", "XDG_DATA_HOME": "/x"], "/x/news", nil),
      (["HOME": "/h", "XDG_DATA_HOME": ""], "/h/.local/share/news", nil),
      (["HOME": "/h", "XDG_DATA_HOME": "x"], nil, "XDG_DATA_HOME is not an absolute path: x"),
      (["HOME": "h"], nil, "HOME is not an absolute path: h"),
      ([:], nil, "HOME is not set; say where to keep the news with --home DIR or NEWS_HOME"),
    ] as [([String: String], String?, String?)],
  )
  func home(_ variables: [String: String], _ path: String?, _ error: String?) throws {
    let news = try CommandRun()
    let words = try ArgumentReader(options: CommandOption.global, command: nil).read([])
    #expect(news.homes(variables, words) == (path ?? "news: \(error ?? "")"))
  }

  @Test("--home wins, and may be relative")
  func homeOption() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.variables["NEWS_HOME"] = "/nowhere"
    #expect(news("--home", "home", "list", "-n1").output.hasPrefix("1\tNewest"))
    #expect(news("--home=", "list").status == 64)
  }
}

/// Escape sequences of colour and weight.
enum SGR {
  static func removed(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "\u{1b}") {
      result += rest[..<start]
      rest = rest[start...].drop { $0 != "m" }.dropFirst()
    }
    return result + rest
  }
}

extension CommandRun {
  /// The home with these variables, or the error.
  func homes(_ variables: [String: String], _ arguments: Arguments) -> String {
    self.variables = variables
    do {
      return try HomeFolder.path(option: arguments.value("home"), environment: testEnvironment)
    } catch {
      return "news: " + error.lines[0]
    }
  }
}
