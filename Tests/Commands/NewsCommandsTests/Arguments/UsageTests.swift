import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands
@testable import ReadingCommands

@Suite("words, help and version")
struct UsageTests {
  @Test(
    "an unknown command names the nearest one",
    arguments: [
      ("lst", "list"), ("opne", "open"), ("refesh", "refresh"), ("sub", "subscribe"),
      ("feed", "feeds"), ("add", "subscribe"), ("rm", "unsubscribe"), ("update", "refresh"),
      ("ls", "list"), ("3", "show 3"), ("https://a.example/x", "subscribe https://a.example/x"),
      ("https://a.example/?b=1&c", "subscribe 'https://a.example/?b=1&c'"),
      ("rfresh", "refresh"), ("version", "--version"), ("docter", "doctor"),
      ("unsubscrib", "unsubscribe"), ("imprt", "import"), ("search", "list --grep TEXT"),
      ("mark", "read N"), ("next", "list --unread"),
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

  @Test(
    "an option with a value is given once, or may be repeated; no value is silently the last one"
  )
  func repeated() throws {
    let repeatable = ["--feed", "--grep", "--header", "--tag", "--untag", "--then"]
    for command in CommandList.news.all {
      for option in CommandOption.global + command.options where option.value != nil {
        let words = [option.spelling, "1", option.spelling, "2"]
        let result = try CommandRun().run([command.name] + words)
        let isRefused = result.errors.hasPrefix(
          "news: \(option.spelling) cannot be repeated: 1 and 2 "
        )
        #expect(isRefused != repeatable.contains(option.spelling), "\(command.name) \(words)")
        if isRefused { #expect(result.status == 64) }
      }
    }
  }

  @Test(
    "nothing is proposed for a word that is like no command",
    arguments: ["zzzzzzzz", "foo", "bar", "xyz", "frob", "quit", "q", "1x"],
  )
  func farFromAll(_ word: String) throws {
    #expect(
      try CommandRun()(word).errors == "news: unknown command \(word) (see `news --help`)\n"
    )
  }

  @Test(
    "what is typed wrongly is answered with what to type instead",
    arguments: [
      (["log", "x"], "log takes no operands: news log (see `news log --help`)"),
      (["help", "list", "x"], "help takes one command: news help list (see `news help --help`)"),
      (["parse", "a", "b"], "parse takes one source: news parse FILE (see `news parse --help`)"),
      (["list", "x"], "list takes options only; for a feed: news list --feed x"),
      (["list", "a $b"], "list takes options only; for a feed: news list --feed 'a $b'"),
      (["open"], "no story given: news open 3"), (["show"], "no story given: news show 3"),
      (["read"], "no stories given: news read 3"),
      (["star", "--all", "3"], "--all takes no numbers: news star --all"),
      (["subscribe"], "say what to follow: news subscribe https://example.com/feed.xml"),
      (["subscribe", "a", "b", "--title", "c"], "--title is for one feed: news subscribe URL"),
      (["unsubscribe"], "no feed given: news unsubscribe FEED"),
      (["import"], "no file given: news import FILE"),
      (["export", "x"], "export takes no operands; it prints: news export > FILE"),
      (["fetch", "x"], "fetch takes no feeds; `news refresh FEED` asks some of them"),
      (["fetch", "--deadline", "x"], "--deadline: x is not a number of seconds above zero, such"),
      (["list", "-n"], "-n needs a value: -n N"),
      (["list", "-n", "x"], "-n: x is not a number"),
      (["list", "--unraed"], "unknown option --unraed of `news list`; did you mean --unread?"),
      (["list", "--color", "x"], "--color: x is not one of auto, always and never"),
      ([""], "unknown command \"\" (see `news --help`)"),
      (["completions"], "no shell given: news completions bash, zsh or fish"),
      (["completions", "sh"], "sh is not one of bash, zsh and fish: news completions bash"),
      (["man", "list", "x"], "man takes one command: news man list"),
      (["man", "lists"], "unknown command lists; did you mean `news list`?"),
      (["doctor", "x"], "doctor takes no operands; for one feed: news refresh -v FEED"),
    ],
  )
  func instead(_ words: [String], _ message: String) throws {
    let result = try CommandRun().run(words)
    #expect(result.errors.hasPrefix("news: \(message)"))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.status == 64)
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
    for option in CommandList.news.all.flatMap({ CommandOption.global + $0.options }) {
      for name in [option.spelling, option.letter.map { "-\($0)" } ?? option.spelling] {
        #expect(values[name, default: option.value != nil] == (option.value != nil))
        values[name] = option.value != nil
      }
    }
  }

  @Test(
    "every command's help begins with examples of itself, and fits the terminal",
    arguments: [30, 43, 44, 80],
  )
  func helpOfAll(columns: Int) throws {
    let news = try CommandRun()
    news.useTerminal(columns)
    for command in CommandList.news.all {
      #expect(!command.examples.isEmpty)
      #expect(command.examples.contains { $0.words.contains("news \(command.name)") })
      let result = news(command.name, "--help")
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(result.output == news("help", command.name).output)
      let overview = news("help").output.split(separator: "\n")
      #expect(overview.allSatisfy { TerminalText.width(SGR.removed(String($0))) <= columns })
      for line in result.output.split(separator: "\n") where !line.contains("://") {
        #expect(TerminalText.width(SGR.removed(String(line))) <= columns)
      }
    }
  }

  @Test("help lists each command once, below its group, and shows one group")
  func groups() throws {
    let news = try CommandRun()
    let lines = news("help").output.split(separator: "\n")
    for command in CommandList.news.all {
      let own = lines.filter { $0.hasPrefix("  \(command.name) ") }
      #expect(own.count == 1, "\(command.name)")
    }
    let starts = ["Read:", "Follow feeds:", "Fetch in the background:", "Use several machines:"]
    let places = starts.map { lines.firstIndex(of: Substring($0)) }.compactMap(\.self)
    #expect(places.count == 4 && places == places.sorted())
    let machines = news("help", "machines").output
    #expect(machines.hasPrefix("Use several machines:\n  sync   keep read marks"))
    let json = news("help", "background", "--json").output
    #expect(json.contains(#""name":"schedule""#) && !json.contains(#""name":"list""#))
    #expect(news("help", "readings").status == 64)
    let names = CommandList.news.groups.map { $0.name }
    #expect(Set(names).isDisjoint(with: CommandList.news.all.map { $0.name }))
  }

  @Test("help names no command that is not there")
  func helpOfWhatIsThere() throws {
    let news = try CommandRun()
    let text =
      CommandList.news.all.map { news("help", $0.name).output }.joined() + news("help").output
    let known = Set(CommandList.news.all.map { $0.name } + ["COMMAND"])
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
    let version = news("--version")
    #expect(
      version == CommandResult(output: "\(Version.text(commit: nil))\n", errors: "", status: 0)
    )
    #expect(version.output.hasPrefix("news \(Version.number)"))
    #expect(news("help", "lsit").status == 64)
  }

  @Test(
    "options of other programs, and those that are gone, are told by what they are here",
    arguments: [
      (["list", "--tag", "x"], "--feed tag:NAME"), (["list", "--limit", "3"], "-n 10"),
      (["browse", "--order", "date"], "--grep sort:title"), (["list", "--oldest"], "--reverse"),
      (["read", "--tag", "x"], "--feed tag:NAME"), (["list", "--new"], "--grep is:new"),
      (["clear", "--read"], "`news delete --all --grep is:read`"),
      (["download", "--not-downloaded"], "--grep 'has:enclosure -is:downloaded'"),
      (["feeds", "--arrives-read"], "`news rules add NAME --feed FEED --then read`"),
      (["sync", "--restore"], "`news undo` on the other side"),
    ],
  )
  func otherOptions(_ words: [String], _ meant: String) throws {
    let errors = try CommandRun().run(words).errors
    #expect(
      errors.contains("unknown option \(words[1]) of `news \(words[0])`; did you mean \(meant)?")
    )
  }

  @Test("each of these proposes what there is, for an option that there is not")
  func synonyms() {
    let options = CommandList.news.all.flatMap { $0.options } + CommandOption.global
    let known = options.flatMap { ["--\($0.name)", "-\($0.letter ?? "-")"] }
    for (word, example) in CommandList.news.optionSynonyms {
      let words = example.split { $0 == "`" || $0 == " " }.map(String.init)
      let isCommand = words[0] == "news" && CommandList.news.all.contains { $0.name == words[1] }
      let option = words.first { $0.hasPrefix("-") }
      #expect(option.map(known.contains) ?? isCommand, "\(example)")
      #expect(!ListCommand.options.contains { $0.spelling == word }, "\(word)")
    }
  }

  @Test("an error that is too long for the terminal goes on at a word; a pipe gets one line")
  func wrapping() throws {
    let news = try CommandRun()
    let line = news("list", "--oldest").errors
    #expect(line.split(separator: "\n").count == 1)
    news.useTerminal(40)
    let rows = news("list", "--oldest").errors.split(separator: "\n")
    #expect(rows.count == 3 && rows.allSatisfy { $0.count <= 40 })
    #expect(rows.joined(separator: " ") + "\n" == line)
  }

  @Test("wrong colors are named where there are colors")
  func wrongColors() throws {
    let news = try CommandRun()
    news.variables["NEWS_COLORS"] = "titel=1:feed=34"
    #expect(news("list").errors.isEmpty)
    #expect(
      news("list", "--color", "always").errors
        == "news: NEWS_COLORS: titel=1 is left out; did you mean title?\n"
    )
  }

  @Test("schedule and sync alone show how they are")
  func aloneStatus() throws {
    let news = try CommandRun()
    #expect(news("schedule") == news("schedule", "status"))
    let sync = news("sync")
    #expect(sync.status == 0 && sync == news("sync", "status"))
    #expect(sync.errors.hasPrefix("nothing was added yet: news sync add NAME DIR"))
  }

  @Test("news alone says what to do next")
  func welcome() throws {
    let news = try CommandRun()
    #expect(
      news().output.hasPrefix(
        "No subscriptions yet. Follow a feed, then ask for its stories.\n\n  news subscribe"
      )
    )
    try news.store([], subscriptions: [(Sample.feed, "Example")])
    #expect(news().output.hasPrefix("1 feed, and nobody has asked it yet.\n\n  news refresh"))
    try news.storeSample()
    let shown = news().output
    #expect(shown.contains("\n  news open 1 "))
    #expect(news("open", "3").output == "https://example.com/4\n")
    news("unread", "--all")
    news("read", Sample.id(3))
    #expect(news().output.hasPrefix("4 unread stories in 2 feeds.\n\n1\tNewest of all\t"))
    news("read", "--all")
    #expect(news().output.hasPrefix("Everything is read, in 2 feeds.\n\n  news refresh"))
  }

  @Test(
    "the home is the option's, else NEWS_HOME's, else the system's",
    arguments: [
      (["NEWS_HOME": "/a/b/../c"], "/a/c", nil), (["HOME": "/h"], "/h/.local/share/news", nil),
      (["HOME": "/h", "XDG_DATA_HOME": "/x"], "/x/news", nil),
      (["HOME": "/h", "XDG_DATA_HOME": ""], "/h/.local/share/news", nil),
      (["HOME": "/h", "XDG_DATA_HOME": "x"], nil, "XDG_DATA_HOME is not an absolute path: x"),
      (["HOME": "h"], nil, "HOME is not an absolute path: h"),
      ([:], nil, "HOME is not set; use --home DIR or set NEWS_HOME"),
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
  func homes(_ variables: [String: String], _ arguments: Arguments) -> String {
    self.variables = variables
    do {
      return try HomeFolder.path(option: arguments.value("home"), environment: testEnvironment)
    } catch {
      return "news: " + error.lines[0]
    }
  }
}
