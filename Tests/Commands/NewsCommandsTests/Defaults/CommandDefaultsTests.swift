import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands
@testable import ReadingCommands

@Suite("The reader's defaults")
struct CommandDefaultsTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
    news.variables["NEWS_DEFAULTS"] = news.folder.path("defaults")
  }

  private func write(_ text: String) throws {
    try news.folder.write(text, to: "defaults")
  }

  private func count(_ words: String...) -> Int {
    news.run(["list"] + words).output.split(separator: "\n").count
  }

  @Test("go before what is typed, which wins; --no-defaults leaves them out")
  func order() throws {
    try write("# mine\n\nlist -n 2   # few\nlist --unread\n")
    #expect(count() == 2 && count("-n", "1") == 1)
    #expect(count("--no-unread", "-n", "9") == 5 && count("-n", "9") == 4)
    #expect(count("--no-defaults") == 5 && count("--no-n", "--no-unread") == 5)
    #expect(news("list", "--no-defaults").errors == "")
  }

  @Test("of an option that is given once, the later line counts; those of all commands hold, too")
  func later() throws {
    try write("--json\nlist -n 2\nlist -n 3\n")
    #expect(news("list").output.hasPrefix("["))
    #expect(news("list").output.split(separator: "\n").count { $0.contains("\"id\"") } == 3)
    #expect(news("feeds").output.hasPrefix("["))
    #expect(news("--version").output.hasPrefix("{"))
  }

  @Test("give way where two options exclude each other")
  func rivals() throws {
    try write("list --format {title}\nlist -n 1\n-q\nbrowse --no-images\n")
    #expect(news("list").output == "Newest of all\n")
    let typed = news("list", "--json")
    #expect(typed.output.hasPrefix("[") && typed.errors == "" && typed.status == 0)
    try write("list --group\n")
    for form in ["--csv", "--follow"] {
      let call = try CommandCall(["list", form], news.testEnvironment).context()
      #expect(call.arguments.has(String(form.dropFirst(2))) && !call.arguments.has("group"))
    }
    try write("-q\nbrowse --no-images\n")
    let call = try CommandCall(["browse", "--images", "-v"], news.testEnvironment).context()
    #expect(call.arguments.has("images") && !call.arguments.has("no-images"))
    #expect(call.isVerbose && !call.isQuiet)
    try write("browse --unread --feed Example\n")
    let all = try CommandCall(["browse", "--all"], news.testEnvironment).context()
    #expect(!all.arguments.has("unread") && !all.arguments.has("feed"))
  }

  @Test("are of one action of a command, or of the command without any")
  func actions() throws {
    try write("feeds --json\nfeeds set --full\nserve --listen 10.0.0.1:80\n")
    #expect(news("feeds").output.hasPrefix("["))
    #expect(news("feeds", "set", "Example").status == 0)
    #expect(try news.store.read().subscriptions.first?.settings.fetchesPages == true)
    let status = try CommandCall(["serve", "status"], news.testEnvironment).context()
    #expect(!status.arguments.has("listen"))
    let serve = try CommandCall(["serve"], news.testEnvironment).context()
    #expect(serve.arguments.value("listen") == "10.0.0.1:80")
  }

  @Test(
    "a wrong line is named with its file and number, and the command runs without it",
    arguments: [
      ("lst -n 1", "unknown command lst; did you mean `news list`?"),
      ("list --lines 1", "unknown option --lines of `news list`"),
      ("list -n", "-n needs a value: -n N"), ("list -n x", "-n: x is not a number"),
      ("list -n 1 -n 2", "-n cannot be repeated: 1 and 2"),
      ("list reuters", "reuters is no option, and defaults are options"),
      ("feeds set Example --full", "Example is no option, and defaults are options"),
      ("list", "no option stands behind it: list -n 30"),
      ("list --home /tmp", "--home is for a command line alone"),
      ("list --help", "--help is for a command line alone"),
      ("sync --serve", "--serve is for a command line alone"),
      ("browse --keys", "--keys is for a command line alone"),
      ("list --grep 'a", "a quotation mark is not closed"),
      ("list --color red", "--color: red is not one of auto, always, never"),
      ("news list --lines 1", "unknown option --lines of `news list`"),
      ("-n 3", "unknown option -n; did you mean `news list -n 5`?"),
      ("__complete --json", "unknown command __complete"),
    ],
  )
  func wrongLines(_ line: String, _ reason: String) throws {
    try write("list -n 2\n\(line)\n")
    let command =
      switch line.prefix(while: { $0 != " " }) {
      case "feeds": ["feeds", "set", "Example", "--full"]
      case "sync": ["sync", "status"]
      case "browse": ["browse", "--keys"]
      default: ["list"]
      }
    let result = news.run(command)
    #expect(result.errors.hasPrefix("news: \(news.folder.path("defaults")), line 2: \(reason)\n"))
    #expect(result.status == 0)
    if command == ["list"] { #expect(count() == 2) }
  }

  @Test("a value that the command itself refuses costs its line alone; what is typed is as ever")
  func refusedByCommand() throws {
    try write("list -n 1\nlist --dates nonsense\nlist --format {titel}\n")
    let place = news.folder.path("defaults")
    let first = news("list", "--no-dates")
    #expect(first.output.split(separator: "\n").count == 1 && first.status == 0)
    #expect(first.errors.hasPrefix("news: \(place), line 3: --format: unknown field {titel}"))
    try write("list -n 1\nlist --dates nonsense\n")
    let result = news("list")
    #expect(result.output.split(separator: "\n").count == 1 && result.status == 0)
    #expect(result.errors.hasPrefix("news: \(place), line 2: --dates: nonsense is not one of"))
    try write("feeds set --interval 6h\nfeeds set --interval 1s\n")
    let set = news("feeds", "set", "Example", "--title", "Mine").errors
    #expect(set.hasPrefix("news: \(place), line 2: --interval: "), "before it does anything")
    #expect(set.contains("\nExample: now called Mine"))
    #expect(try news.store.read().subscriptions.first?.settings.interval != nil)
    try write("list -n 1\nlist --dates nonsense\n")
    let typed = news("list", "--since", "nonsense")
    #expect(typed.status == 64 && typed.errors.contains("\nnews: --since: "))
    #expect(news("list", "Example").errors.hasPrefix("news: list takes options only"))
    try write("list -n 1\nlist --dates nonsense\nlist --format {titel}\n")
    let both = news("list")
    let lines = both.errors.split(separator: "\n")
    #expect(lines.count == 2 && both.output.split(separator: "\n").count == 1)
    #expect(both.errors.contains("line 2: --dates") && both.errors.contains("line 3: --format"))
  }

  @Test("of other commands are not told of, and of none at all not to a quiet one")
  func others() throws {
    try write("show --wdth 60\nlst -n 1\n")
    #expect(news("list").errors.contains("line 2") && !news("list").errors.contains("line 1"))
    #expect(news("list", "--quiet").errors == "")
    #expect(news("show", "1", "--quiet").errors.contains("line 1: unknown option --wdth"))
    #expect(news("browse").errors.contains("line 1: unknown option --wdth"))
    try write((1...9).map { "list --x\($0)" }.joined(separator: "\n"))
    let lines = news("list").errors.split(separator: "\n")
    #expect(lines.count == 4 && lines[3] == "news: 9 lines are wrong: news doctor names all")
    #expect(news("help", "list").errors.contains("line 1: ") && news("help", "show").errors == "")
    #expect(news("doctor", "--offline").errors == "", "which has them in its own lines")
  }

  @Test("are none for what programs call")
  func programs() throws {
    try write("--json\nlist --unread\nsync --accept\nlst\n")
    let completed = news("__complete", "bash", "insert", ":", "--", "li")
    #expect(completed.output == "words\nlist\n" && completed.errors == "")
    let served = try CommandCall(["sync", "--serve"], news.testEnvironment).context()
    #expect(!served.arguments.has("accept") && !served.isJSON)
    #expect(try CommandCall(["sync"], news.testEnvironment).context().arguments.has("accept"))
  }

  @Test(
    "a file that is none, or no text, or too long, is left out whole",
    arguments: [
      ("mkdir $F", "it is a folder, not a file"), ("mkfifo $F", "it is a pipe, not a file"),
      ("printf 'list -n 1\\n\\0' > $F", "it is no text (UTF-8)"),
      ("printf 'list -n 1\\n\\377' > $F", "it is no text (UTF-8)"),
      ("head -c 10000000 /dev/zero | tr '\\0' '#' > $F", "larger than 65536 bytes"),
      ("echo list -n 1 > $F; chmod 666 $F", "others can write to $F (chmod go-w)"),
      ("ln -s nowhere $F", "it is a link to no file"), ("true", "NEWS_DEFAULTS names no file"),
      ("ln -s $F $F", "too many levels of symbolic links"),
    ],
  )
  func oddFiles(_ script: String, _ reason: String) throws {
    let path = news.folder.path("defaults")
    let made = try Subprocess.run(["sh", "-c", script], environment: ["F": path])
    #expect(made.status == 0)
    let wanted = "news: \(path) is left out: \(reason.replacing("$F", with: path))\n"
    #expect(news("list", "-q").errors == wanted && count() == 5)
    #expect(news("doctor", "--offline").output.contains("wrong\tdefaults\t\(path) is left out"))
  }

  @Test(
    "give way without a word to what is typed and cannot stand beside them",
    arguments: [
      ("list --group", "list --csv"), ("list --csv", "list --group"),
      ("list --explain", "list --csv"), ("feeds set --pause", "feeds set Example --resume"),
      ("feeds set --resume", "feeds set Example --pause"), ("undo --list", "undo --show"),
      ("clear --feed Example", "clear --history"),
      ("download --name {n}", "download --clean --yes"),
      ("download --playlist a.m3u8", "download --clean --yes"), ("read --all", "read 3"),
      ("tag --all --unread", "tag later 1"), ("undo --list", "undo 9"),
      ("download --latest 3", "download 1"), ("download --yes", "download --feed Example"),
      ("feeds --days 3", "feeds --failing"), ("list --grep (", "list --grep x"),
      ("--json", "why Example"),
    ],
  )
  func excluded(_ line: String, _ typed: String) throws {
    news("star", "1")
    try write(line + "\n")
    let words = typed.split(separator: " ").map(String.init)
    #expect(!news.run(words).errors.contains("line 1"))
    try write("feeds set --tag a --tag b\n")
    news("feeds", "set", "Example", "--untag", "a")
    #expect(try news.store.read().subscriptions.first?.tags == ["b"])
  }

  @Test("an option that cannot stand costs itself alone, and is told before its command begins")
  func optionAlone() throws {
    try write("show --force --transcript --link 1\n")
    let both = "line 1: --transcript and --link cannot be used together"
    #expect(news("show", "1").errors.contains(both))
    try write("show --force\n")
    #expect(news("show", "1").errors == "", "it is for --full")
    try write("feeds set --title X\n")
    #expect(news("feeds", "set").errors.hasPrefix("news: give a feed or --all"))
    try write("serve --certificate c.pem --behind-proxy\n")
    let told = Collector(failure: 0)
    let errors = TextOutput(capacity: 0) { told.take($0) }
    let environment = news.environment(TextOutput { _ in 0 }, errors)
    _ = try CommandCall(["serve"], environment).run { context in
      _ = try ServeOptions(context)
      #expect(told.text.contains("line 1: --certificate and --key go together"))
      #expect(context.arguments.has("behind-proxy"))
      return .done
    }
  }

  @Test("hold for a question that nobody is there to answer")
  func unasked() throws {
    try write("clear --feed Example\n")
    #expect(news("clear").errors.contains("add --yes to clear 3 stories of Example"))
    #expect(news("clear", "--yes").status == 0 && count("--no-defaults") == 2)
  }

  @Test("a file may begin with a byte order mark, and its lines end as those of Windows")
  func windows() throws {
    try write("\u{feff}list -n 2\r\n# few\r\nlist --unread")
    #expect(count() == 2 && news("list").errors == "")
  }

  @Test("a command that is tried again without a line has what it read before")
  func inputAgain() throws {
    try write("subscribe --title Mine\nsubscribe --no-check\n")
    let urls = ["https://a.example/", "https://b.example/"]
    (news.input, news.isInputReadOnce) = (urls, true)
    let result = news("subscribe", "-")
    #expect(result.status == 0)
    #expect(try news.store.read().subscriptions.suffix(2).map(\.url) == urls)
  }

  @Test("a line that names what is not there any more is told, and its command does nothing")
  func gone() throws {
    try write("read --unread\nread --feed reuters --feed tag:gone\n")
    let place = news.folder.path("defaults")
    let result = news("read", "--all")
    #expect(
      result.errors == "news: \(place), line 2: no feed matches reuters (`news feeds` lists them)\n"
    )
    #expect(result.status == 1 && count("--unread") == 4)
    #expect(news("list", "--feed", "reuters").errors.hasPrefix("news: no feed matches reuters"))
    try write("list --grep 'tag:gone a'\n")
    #expect(news("list").errors == "news: \(place), line 1: no feed has the tag gone\n")
    try write("stats --feed reuters\n")
    #expect(news("stats").errors.hasPrefix("news: \(place), line 1: no feed matches reuters"))
  }

  @Test(
    "hold for commands in the table view and its refresh, unless it was started without them",
    arguments: [true, false],
  )
  func inTableView(_ isWithout: Bool) throws {
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["x"])))
    news("refresh")
    try write("list -n 1\nrefresh --due\n")
    let words = ["browse"] + (isWithout ? ["--no-defaults"] : [])
    let view = try CommandCall(words, news.testEnvironment).context()
    let work = BrowserWork(view, news.store)
    work.run(["list", "--unread"], columns: 80)
    work.end()
    #expect(work.takeResults().first?.lines.count == (isWithout ? 5 : 2))
    let before = news.fetcher.requests.count
    let line = ProgressLine(output: TextOutput { _ in 0 }, columns: 80)
    _ = Program.news.refresh(view, news.store, [], line)
    #expect((news.fetcher.requests.count > before) == isWithout)
  }

  @Test("lie in the folder for configuration, on macOS in that for applications")
  func places() throws {
    news.variables["NEWS_DEFAULTS"] = nil
    news.variables["HOME"] = news.folder.path
    _ = try Subprocess.run([
      "mkdir", "-p", news.folder.path(".config/news"), news.folder.path("other/news"),
      news.folder.path("Library/Application Support/news"),
    ])
    try news.folder.write("list -n 1\nlist --nosuch\n", to: ".config/news/defaults")
    try news.folder.write("list -n 2\n", to: "other/news/defaults")
    try news.folder.write(
      "list -n 3\n",
      to: "Library/Application Support/news/defaults",
    )
    #expect(count() == 1)
    #expect(news("list").errors.hasPrefix("news: ~/.config/news/defaults, line 2: "))
    news.variables["XDG_CONFIG_HOME"] = news.folder.path("other")
    #expect(count() == 2)
    news.isMacOS = true
    #expect(count() == 3)
    news.variables["NEWS_DEFAULTS"] = "/dev/null"
    #expect(count() == 5 && news("list").errors == "")
  }

  @Test("are shown by help, and counted by doctor, which names each wrong line")
  func shown() throws {
    try write("list -n 30 --grep 'a b'\n--color never\nshow --width 60\nlst\nfetch --dew\n")
    let place = news.folder.path("defaults")
    #expect(
      news("help", "list").output.hasSuffix(
        "\nYour defaults (\(place)):\n  list -n 30 --grep 'a b'\n  --color never\n"
      )
    )
    #expect(!news("help", "list", "--no-defaults").output.contains("Your defaults"))
    let doctor = news("doctor", "--offline").output
    #expect(doctor.contains("wrong\tdefaults\t\(place), line 4: unknown command lst"))
    #expect(doctor.contains("wrong\tdefaults\t\(place), line 5: unknown option --dew"))
    try write("list -n 30\n--color never\n")
    #expect(news("doctor", "--offline").output.contains("ok\tdefaults\t2 lines in \(place)\t\n"))
  }
}
