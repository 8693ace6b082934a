import TestSupport
import Testing

@Suite("The keys of the table view, and the lines that they stand for")
struct BrowseKeyTests {
  private let scene: BrowseScene
  private var news: News { scene.news }

  init() throws {
    scene = try BrowseScene()
  }

  private func program(_ name: String, _ body: String) throws -> String {
    try news.writeProgram(name, "#!/bin/sh\n\(body)\nread -p \"$*: \" line\n")
  }

  private func write(_ keys: String) throws {
    _ = try Subprocess.run(["mkdir", "-p", news.folder.path(".config/news")])
    try news.folder.write(keys, to: ".config/news/keys")
  }

  @Test("a line behind : is a command of news, which means the chosen row; Tab completes it")
  func line() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("j", ":", "s", "t", "a", "r", "Enter")
    try window.wait(for: "★ Story 2")
    #expect(try scene.list("--starred") == ["Story 2"])
    try window.press(":", "u", "n", "s", "t", "Tab")
    try window.wait(for: ":unstar _")
    try window.press("Enter")
    try window.wait(for: "1 story unstarred")
    try window.press(":", "Up")
    try window.wait(for: ":unstar _")
    try window.press("C-u")
    try window.run("strar")
    try window.wait(for: "did you mean `news star`?")
    try window.press(":")
    try window.run("feeds set --title Weekly")
    try window.press("f")
    try window.wait(for: "Weekly")
    try window.press("z")
    try window.wait(for: "feeds set Daily --title Weekly")
    try window.press("y", "Enter")
    try window.wait(for: "Daily")
  }

  @Test("Tab behind a word of the view shows how it goes on, and the options of the command")
  func completedWords() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("j", "j", ":", "r", "e", "a", "d", "Space", "Tab")
    try window.wait { $0.contains("above  below  --all") }
    try window.press("a", "Tab")
    try window.wait(for: ":read above _")
    try window.press("Enter")
    try window.wait(for: "2 stories marked read")
  }

  @Test("S saves where download does, by its defaults")
  func savedText() throws {
    try write("")
    let folder = news.folder.path("Pod casts")
    try news.folder.write("download --to '\(folder)'", to: ".config/news/defaults")
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("j", "S")
    try window.wait(for: "saved \(folder.prefix(8))")
    #expect(try readText("\(folder)/2026-06-30 Story 2.txt").contains("Paragraph 20 of story 2."))
  }

  @Test("v and % choose the stories for the next command, and Escape none")
  func picking() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("v", "j", "v", "s")
    try window.wait { $0.contains("★ Story 1 ") && $0.contains("★ Story 3 ") }
    while try scene.list("--starred").count != 2 { poll(nil, 0, 20) }
    try window.press("g", "v")
    try window.wait(for: " +• ★ Story 1")
    try window.press("Escape", "%")
    try window.wait(for: " +• Story 4")
    try window.press(":")
    try window.run("read")
    try window.wait(for: "40 stories marked read")
    try window.press("z")
    try window.wait(for: "40 stories are unread again")
  }

  @Test("what a command prints in several lines is a text, in which one searches")
  func output() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press(":")
    try window.run("help star")
    try window.wait(for: "news star 1 3-7")
    try window.press("/")
    try window.run("UNDO")
    try window.wait(for: "takes the last marking back")
    try window.press("Escape", "Escape")
    try window.wait(for: "› • Story 1")
    try window.press("Enter", "/")
    try window.run("paragraph 19")
    try window.wait(for: "Paragraph 19 of story 1.")
    #expect(try window.dressedScreen.contains("\u{1b}[7mParagraph 19 of story 1."))
    try window.press("n", "N")
    try window.wait(for: "Paragraph 19 of story 1.")
    try window.press("/")
    try window.run("nowhere")
    try window.wait(for: "not found")
  }

  @Test("? shows the keys by topic; a key that is none is said")
  func help() throws {
    let window = try scene.window(rows: 60)
    try window.wait(for: "40 unread")
    try window.press("?")
    try window.wait { $0.contains("Feeds\n") && $0.contains("play the episode") }
    try window.press("Escape", "X")
    try window.wait(for: "X is not a key; press ? for help")
  }

  @Test("l leaves out what is read, < puts the oldest first, as --reverse does")
  func orderAndRead() throws {
    _ = try news.run("read", "--all", "--grep", "/[1-9]$/")
    let window = try scene.window()
    try window.wait(for: "40 stories, 4 unread")
    try window.press("l")
    try window.wait(for: "4 stories, 4 unread")
    try window.press("<")
    try window.wait(for: "› • Story 40")
    try window.press("l")
    try window.wait { $0.contains("40 stories, 4 unread") && $0.contains("› • Story 40") }
    try window.press("Q")
    try window.wait(for: "status=0")
    try window.run("TERM=tmux-256color \(news.program) browse --reverse")
    try window.wait(for: "› • Story 40")
  }

  @Test("in the feeds' pane / jumps by name, l hides what is read out, > sorts")
  func feedsPane() throws {
    for (name, numbers) in [("Zebra", 41...50), ("Aardvark", 51...52)] {
      let feed = BrowseScene.rss(numbers).replacing("Daily", with: name)
      _ = try news.run("subscribe", try news.folder.write(feed, to: name + ".xml"))
    }
    _ = try news.run("read", "--all", "--feed", "Daily")
    let window = try scene.window(columns: 120)
    try window.wait(for: "52 stories, 12 unread")
    func feeds() throws -> [Substring] {
      try window.rows[4...6].compactMap { $0.prefix(30).split(separator: " ").first { $0 != "›" } }
    }
    #expect(try feeds() == ["Daily", "Zebra", "Aardvark"])
    try window.press("f", "/", "a", "r", "d")
    try window.wait(for: "› Aardvark")
    try window.press("Enter", ">")
    try window.wait(for: "feeds by title")
    #expect(try feeds() == ["Aardvark", "Daily", "Zebra"])
    try window.press(">", "l")
    try window.wait(for: "what is read is hidden")
    #expect(try feeds() == ["Zebra", "Aardvark"])
  }

  @Test("it opens where one left, at an unread story; --all from the top, as without its file")
  func placeLeft() throws {
    _ = try news.run("star", "--all", "--grep", "/^Story [1-5]$/")
    _ = try news.run("read", "--all", "--grep", "/^Story [1-2]$/")
    let window = try scene.window()
    func open(_ words: String = "") throws {
      try window.press("Q")
      try window.wait(for: "status=0")
      try window.run("clear; TERM=tmux-256color \(news.program) browse \(words); echo status=$?")
    }
    try window.wait(for: "40 stories, 38 unread")
    try window.press("f", "j", "j", "Enter")
    try window.wait(for: "Starred  5 stories, 3 unread")
    try open()
    try window.wait(for: "› • ★ Story 3")
    try window.press("<", "k")
    try window.wait(for: "› • ★ Story 4")
    try open()
    try window.wait { $0.contains("Starred  5 stories") && $0.contains("› • ★ Story 4") }
    try window.press("A")
    try window.wait(for: "3 stories marked read")
    try open()
    try window.wait { $0.contains("Starred  5 stories") && $0.contains("›   ★ Story 4") }
    try open("--all")
    try window.wait { $0.contains("All stories  40") && $0.contains("›   ★ Story 1 ") }
    try news.folder.write("damaged", to: "home/browse.plist")
    try open("--no-history")
    try window.wait { $0.contains("All stories  40") && $0.contains("›   ★ Story 1 ") }
  }

  @Test(
    "--feed opens its feed behind tagged ones, and A marks that one read; the feeds stay sorted"
  )
  func named() throws {
    for name in ["Zebra", "Aardvark"] {
      let feed = BrowseScene.rss(50...52).replacing("Daily", with: name)
        .replacing("Story", with: "\(name)'s story").replacing(
          "a.example",
          with: "\(name).example",
        )
      _ = try news.run("subscribe", try news.folder.write(feed, to: name + ".xml"))
    }
    _ = try news.run("feeds", "set", "Aardvark", "--tag", "work")
    let window = try scene.window("browse --feed Zebra", columns: 120)
    try window.wait { $0.contains("Zebra  3 stories, 3 unread") && $0.contains("› Zebra") }
    try window.press("A")
    try window.wait(for: "3 stories marked read")
    #expect(try Set(scene.list("--unread").map { $0.prefix(5) }) == ["Story", "Aardv"])
    try window.press(">", "l", "Q")
    try window.wait(for: "status=0")
    try window.run("clear; TERM=tmux-256color \(news.program) browse; echo status=$?")
    try window.wait { $0.contains("Zebra  0 stories, 0 unread") && $0.contains("› Zebra") }
    try window.press("f", ">")
    try window.wait(for: "feeds by unread stories")
    try window.press("l")
    try window.wait(for: "what is read is shown")
  }

  @Test("a line that is typed while its story is deleted elsewhere does nothing to the next one")
  func goneMeanwhile() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("j", ":", "s", "t", "a", "r")
    try window.wait(for: ":star_")
    let ids = try news.run("list", "--format", "{id}", "--grep", "/^Story [13]$/").text
    _ = try news.run(["delete"] + ids.split(separator: "\n").map(String.init))
    try window.wait(for: "38 stories")
    try window.press("Enter")
    try window.wait(for: "★ Story 2")
    try window.press(":", "s", "t", "a", "r")
    try window.wait(for: ":star_")
    _ = try news.run("unstar", "--all")
    _ = try news.run("delete", "--all", "--yes", "--grep", "/^Story 2$/")
    try window.wait(for: "37 stories")
    try window.press("Enter")
    try window.wait(for: "is not here any more; nothing was done")
    #expect(try scene.list("--starred").isEmpty)
  }

  @Test("e plays an episode in the terminal, D saves it and says where")
  func episodes() throws {
    let item =
      "<item><title>Talk</title><pubDate>28 Oct 2026 10:00:00 GMT</pubDate>"
      + "<enclosure url=\"/talk.mp3\" type=\"audio/mpeg\"/></item>"
    let sound =
      "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 5\r\n\r\nsound"
    let server = try FaultyServer([
      "/feed": .response(
        body: "<rss version=\"2.0\"><channel><title>Talks</title>\(item)</channel></rss>"
      ),
      "/talk.mp3": FaultyAnswer([.send(Array(sound.utf8))]),
    ])
    _ = try news.run("subscribe", server.url("/feed"))
    let player = try program("player", "echo playing")
    let window = try scene.window(
      "browse --feed Talks",
      columns: 160,
      environment: ["NEWS_PLAYER": player],
    )
    try window.wait(for: "♪ Talk")
    try window.press("e")
    try window.wait(for: "\(server.url("/talk.mp3")):")
    #expect(try window.fact("alternate_on") == "0")
    try window.press("Enter")
    try window.wait(for: "0 unread")
    try window.press("D")
    try window.wait(for: "2026-10-28 Talk.mp3")
    let saved = try news.run(
      "list",
      "--feed",
      "Talks",
      "--grep",
      "is:downloaded",
      "--format",
      "{title}",
    )
    #expect(saved.text == "Talk\n")
  }

  @Test("a follows a feed, R asks one alone")
  func feeds() throws {
    let server = try FaultyServer([
      "/a": .response(body: BrowseScene.rss(50...50).replacing("Daily", with: "Other"))
    ])
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("a")
    try window.wait(for: ":subscribe _")
    try window.run(server.url("/a"))
    try window.wait(for: "41 stories")
    #expect(server.requests.count == 1)
    try news.folder.write(BrowseScene.rss(0...40), to: "feed.xml")
    try window.press("g", "j", "R")
    try window.wait(for: "1 new story")
    #expect(server.requests.count == 1)
  }

  @Test("y copies the link, S saves the text, | gives it to a program")
  func handingOn() throws {
    let reader = try program("reader", "cat > \(news.folder.path("read.txt")) ; exit")
    try write("| | \(reader)\n")
    let window = try scene.window(columns: 160)
    try window.wait(for: "40 unread")
    try window.press("j", "y")
    try window.wait(for: "copied https://a.example/2")
    #expect(try window.clipboard == "https://a.example/2")
    try window.press("S")
    try window.wait(for: "saved ")
    let text = try readText(news.folder.path("Downloads/news/2026-06-30 Story 2.txt"))
    #expect(text.contains("\nParagraph 20 of story 2.\n"))
    try window.press("S")
    try window.wait(for: "file exists")
    try window.press("|")
    let path = news.folder.path("read.txt")
    while (try? readText(path)) != text { poll(nil, 0, 20) }
  }

  @Test("L shows the links of a text as a menu, without their schemes", arguments: [80, 120])
  func links(_ columns: Int) throws {
    let far = String(repeating: "far/", count: 60)
    let text =
      "<![CDATA[<p>See <a href='http://www.b.example/\(far)'>far</a> and"
      + " <a href='https://c.example/'>near</a>.</p>]]>"
    let feed = BrowseScene.rss(50...50).replacing("Daily", with: "Linked")
      .replacing(#/<!\[CDATA.*\]\]>/#, with: text)
    _ = try news.run("subscribe", try news.folder.write(feed, to: "linked.xml"))
    let window = try scene.window("browse --feed Linked", columns: columns)
    try window.wait(for: "1 unread")
    try window.press("Enter")
    try window.wait(for: "See far")
    try window.press("L")
    try window.wait(for: "a number and Enter opens")
    let rows = try window.rows.map { $0.drop { $0 != "[" } }.filter { !$0.isEmpty }
    #expect(rows[0] == "[1] a.example/50" && rows[2] == "[3] c.example/")
    #expect(rows[1].hasPrefix("[2] b.example/far/") && rows[1].hasSuffix("…") && rows.count == 3)
    try window.press("3", "y")
    try window.wait(for: "copied https://c.example/")
    try window.press("Escape")
    try window.wait(for: "See far")
  }

  @Test("a file changes keys, also for programs of one's own; --keys prints those in force")
  func ownKeys() throws {
    let mail = try program("mail", "echo mailing")
    try write("# mine\nx star\ns\nm ! \(mail) '{title} (new)' {link}\n. :feeds set --tag \n")
    let printed = try news.run("browse", "--keys").text.split(separator: "\n").map(String.init)
    #expect(printed.contains("x         star") && !printed.contains { $0.hasPrefix("s ") })
    #expect(printed.contains("m         ! \(mail) '{title} (new)' {link}"))
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("x")
    try window.wait(for: "★ Story 1")
    try window.press("s")
    try window.wait(for: "s is not a key")
    try window.press(".")
    try window.wait(for: ":feeds set --tag _")
    try window.press("Escape", "m")
    try window.wait(for: "Story 1 (new) https://a.example/1:")
    try window.press("Enter")
  }

  @Test(
    "a wrong line of the keys costs itself and is named; tabs part, a line to be finished waits"
  )
  func wrongLine() throws {
    try write("w strar\nx\tstar\n.\t :feeds set --tag\nF1 x\n+ :list --feed tag:\n")
    let window = try scene.window()
    try window.wait(
      for: "2 lines are wrong (news browse --keys); ~/.config/news/keys, line 1: unknown"
    )
    try window.press("x")
    try window.wait(for: "★ Story 1")
    try window.press(".")
    try window.wait(for: ":feeds set --tag _")
    try window.press("Escape", "+")
    try window.wait(for: ":list --feed tag:_")
    let printed = try news.run("browse", "--keys")
    #expect(printed.text.contains("x         star\n") && printed.status == 1)
    #expect(printed.errorText.contains("news: ~/.config/news/keys, line 4: F1 is no key"))
  }

  @Test("no line of a file of keys counts that others can write, and that is said")
  func othersKeys() throws {
    try write("x star\nw !touch \(news.folder.path("ran"))\n")
    let path = news.folder.path(".config/news/keys")
    #expect(chmod(path, 0o666) == 0)
    let reason = "~/.config/news/keys is left out: others can write to \(path) (chmod go-w)"
    #expect(try news.run("browse", "--keys").errorText == "news: \(reason)\n")
    let window = try scene.window(columns: 200)
    try window.wait(for: reason)
    try window.press("w")
    try window.wait(for: "w is not a key")
    #expect(access(news.folder.path("ran"), F_OK) != 0)
  }

  @Test("programs get numbers that news knows, and no field as an option unless behind --")
  func fields() throws {
    let item =
      "<item><title>--exec=x</title><guid>1</guid><pubDate>Wed, 28 Oct 2026 10:00:00 GMT</pubDate></item>"
    let feed = "<rss version=\"2.0\"><channel><title>Odd</title>\(item)</channel></rss>"
    let path = try news.folder.write(feed, to: "odd.xml")
    _ = try news.run("subscribe", path)
    let show = try program("show", "printf '[%s]' \"$@\"")
    try write(
      "b !\(show) {title}\nc !\(show) -- {title}\nm !sh -c '\(show) {title:q}'\n"
        + "w !\(show) -t {n} {title:9}\n"
    )
    let window = try scene.window("browse --feed Odd", columns: 160)
    for (key, words) in [
      ("b", "[ --exec=x]"), ("c", "[--][--exec=x]"), ("m", "[ --exec=x]"),
      ("w", "[-t][1][ --exec=x ]"),
    ] {
      try window.wait(for: "Odd")
      try window.press(key)
      try window.wait(for: words)
      try window.press("Enter")
      try window.wait(for: key == "c" ? "Odd" : "went with a blank before it")
    }
    #expect(try news.run("show", "1").text.contains("--exec=x"))
  }

  @Test(":man shows the page")
  func manual() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press(":")
    try window.run("man")
    try window.wait(for: "NAME")
    try window.wait(for: "follow RSS, Atom and JSON feeds from the command line")
    try window.press("Q")
    try window.wait(for: "40 unread")
  }

  @Test(
    "what is wrong in the keys is said with its line",
    arguments: [
      ("x strar", "unknown command strar; did you mean `news star`?"),
      ("F1 star", "F1 is no key"), ("x ! {link}", "no program given"),
      ("x !mail {titel}", "unknown field {titel}; did you mean {title}?"),
    ],
  )
  func wrongKeys(_ line: String, _ message: String) throws {
    try write("\n\(line)\n")
    let result = try news.run("browse", "--keys")
    #expect(result.status == 1)
    #expect(result.errorText.hasPrefix("news: ~/.config/news/keys, line 2: \(message)"))
  }

  @Test("keys of one's own have several operations and sequences, which the bottom line and ? show")
  func sequences() throws {
    _ = try Subprocess.run(["mkdir", "-p", news.folder.path(".config/news")])
    try write("a star\n")
    try news.folder.write(
      "a  :star ; :tag later ; n\ng g first\ng e last\nb note ; T ; :untag later\ng star\n",
      to: ".config/news/keys",
    )
    let window = try scene.window(columns: 100, rows: 40)
    try window.wait(
      for: "~/.config/news/keys, line 5: g begins g g, and cannot have a line of its own"
    )
    try window.press("a")
    try window.wait { $0.contains("★ Story 1 ") && $0.contains("› • Story 2 ") }
    while try scene.list("--feed", "tag:later", "--starred") != ["Story 1"] { poll(nil, 0, 20) }
    try window.press("g")
    try window.wait(for: "g …  e: last  g: first  Esc ends it")
    try window.press("e")
    try window.wait(for: "› • Story 40 ")
    try window.press("g", "Escape")
    try window.wait(for: "Enter read  n next unread")
    try window.press("g", "g")
    try window.wait(for: "› • ★ Story 1 ")
    try window.press("b")
    try window.wait(for: "note: _")
    try window.run("mine")
    try window.wait(for: ":tag _")
    try window.run("soon")
    while try scene.list("--feed", "tag:soon") != ["Story 1"] { poll(nil, 0, 20) }
    while try news.run("list", "--grep", "note:mine tag:later").text != "" { poll(nil, 0, 20) }
    try window.press("?")
    try window.wait(for: "G, End, g e ")
    try window.press("G")
    try window.wait(for: ":star ; :tag later ; n")
  }

  @Test("a command or a program that fails ends what stands behind it of the same key")
  func failing() throws {
    try write(
      "a star ; tag ; tag no\nb star ; ! sh -c 'exit 3' ; tag no\nc ! true ; tag yes\n"
        + "d ! sh -c 'exit 4'\n"
    )
    let window = try scene.window(columns: 120)
    try window.wait(for: "40 unread")
    try window.press("a")
    try window.wait { $0.contains("★ Story 1 ") && $0.contains("no tag and no stories given") }
    try window.press("j", "b")
    try window.wait { $0.contains("★ Story 2 ") && $0.contains("sh ended with status 3") }
    try window.press("c")
    try window.wait(for: "1 story tagged yes")
    try window.press("d")
    try window.wait { $0.contains("sh ended with status 4") && !$0.contains("left out") }
    #expect(try scene.list("--grep", "tag:yes") == ["Story 2"])
    #expect(try news.run("list", "--grep", "tag:no").text == "")
  }

  @Test("defaults hold for the view, and for the lines that are typed in it")
  func defaults() throws {
    _ = try Subprocess.run(["mkdir", "-p", news.folder.path(".config/news")])
    try news.folder.write(
      "browse --unread --reverse\nlist -n 2 --follow\nlist --nonsense\nbrowse --nosuch\n",
      to: ".config/news/defaults",
    )
    let window = try scene.window()
    try window.wait(for: "Unread  40 stories")
    try window.wait(for: "› • Story 40 ")
    try window.press(":")
    try window.run("list")
    try window.wait(for: "Space on  / search")
    let rows = try window.rows.filter { $0.contains("Story ") }
    #expect(rows.count == 2 && rows[0].contains("Story 1 ") && rows[1].contains("Story 2 "))
    try window.press("Escape", "Q")
    try window.wait(for: "status=0")
    let said = "news: ~/.config/news/defaults, line 4: unknown option --nosuch of `news browse`"
    #expect(try window.screen.contains(said))
  }
}
