import TestSupport
import Testing

@Suite("the table view, in a real terminal")
struct BrowseTests {
  private let scene: BrowseScene
  private var news: News { scene.news }

  init() throws {
    scene = try BrowseScene()
  }

  @Test("one reads by keys: a story, its text page by page, the next one; what was read is stored")
  func reading() throws {
    let window = try scene.window()
    try window.wait(for: "40 stories, 40 unread")
    try window.press("j", "Enter")
    try window.wait(for: "Paragraph 1 of story 2.")
    try window.press("Space")
    try window.wait(for: "Paragraph 14 of story 2.")
    while try !window.screen.contains("story 3.") { try window.press("Space") }
    try window.press("Escape")
    try window.wait(for: "›   Story 3")
    try window.press("Q")
    try window.wait(for: "status=0")
    #expect(try window.fact("alternate_on") == "0")
    #expect(try !window.screen.contains("Story"))
    let read = Set(try scene.list()).subtracting(try scene.list("--unread"))
    #expect(read.isSuperset(of: ["Story 2", "Story 3"]) && !read.contains("Story 1"))
  }

  @Test("the cursor is on the chosen row, at a text's top, behind what is typed; marks are said")
  func cursor() throws {
    let window = try scene.window()
    try window.wait(for: "40 stories, 40 unread")
    try window.press("j", "j")
    try window.wait(until: "cursor_y", is: "3")
    #expect(try window.fact("cursor_flag") == "1" && window.fact("cursor_x") == "0")
    try window.press("s")
    try window.wait(for: "1 story starred")
    try window.wait(until: "cursor_y", is: "3")
    try window.press("u")
    try window.wait(for: "1 story marked read")
    try window.press("/", "a")
    try window.wait(until: "cursor_x", is: "2")
    #expect(try window.fact("cursor_y") == "23")
    try window.press("Escape", "Enter")
    try window.wait(for: "Paragraph 1 of story 1.")
    try window.wait(until: "cursor_y", is: "1")
  }

  @Test("a text is where it was left, after another one and in the next visit")
  func textPlace() throws {
    let window = try scene.window()
    let isBelow = { (screen: String) in
      screen.contains("of story 2.") && !screen.contains("Paragraph 1 of story 2.")
    }
    try window.wait(for: "40 stories, 40 unread")
    try window.press("j", "Enter")
    try window.wait(for: "Paragraph 1 of story 2.")
    try window.press("Space")
    try window.wait(until: isBelow)
    try window.press("Escape", "j", "Enter")
    try window.wait(for: "Paragraph 1 of story 3.")
    try window.press("Escape", "k", "Enter")
    try window.wait(until: isBelow)
    try window.press("Q")
    try window.wait(for: "status=0")
    try window.run("clear; TERM=tmux-256color \(news.program) browse --all; echo status=$?")
    try window.wait(for: "40 stories")
    try window.press("j", "Enter")
    try window.wait(until: isBelow)
  }

  @Test("N writes a note on the story, in the home that is read, and z takes it back")
  func note() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("j", "N")
    try window.wait(for: "note: ")
    try window.press("o", "n", "e", "Enter")
    try window.wait(for: "1 story noted")
    #expect(try news.run("list", "--json").text.contains("\"note\":\"one\""))
    try window.press("z")
    try window.wait(for: "1 story has no note again")
    #expect(try !news.run("list", "--json").text.contains("\"note\":\"one\""))
  }

  @Test("a text begins with feed, title, author and date; i shows what else is known, and hides it")
  func head() throws {
    let feed = BrowseScene.rss(0...40).replacing(
      "</title><link>",
      with: "</title><author>Ada</author><link>",
    )
    try news.folder.write(feed, to: "feed.xml")
    _ = try news.run("fetch")
    let window = try scene.window()
    try window.wait(for: "41 unread")
    try window.press("Enter")
    try window.wait(for: "Paragraph 1 of story 0.")
    let rows = try window.rows
    #expect(rows[1...2] == ["Daily", "Story 0"] && rows[3].hasPrefix("Ada, 2026-06-30 13:00"))
    #expect(rows[4...5] == ["", "Paragraph 1 of story 0."])
    try window.press("Space", "i")
    try window.wait { screen in
      ["Story 0\n", "\nStored      ", "\nId          "].allSatisfy(screen.contains)
    }
    try window.press("i")
    try window.wait { !$0.contains("Stored  ") && !$0.contains("Paragraph 1 of story 0.") }
    try window.press("Escape", "i")
    try window.wait(for: "press Enter to open a story")
  }

  @Test("beside the list the text follows the row unread; Tab goes into it, and reads it")
  func following() throws {
    let window = try scene.window(columns: 200, rows: 50)
    try window.wait(for: "40 unread")
    try window.press("Enter")
    try window.wait(for: "Paragraph 1 of story 1.")
    try window.press("Escape", "j", "j")
    try window.wait(for: "Paragraph 1 of story 3.")
    try window.wait(for: "39 unread")
    try window.press("Tab")
    try window.wait(for: "38 unread")
    #expect(try Set(scene.list()).subtracting(scene.list("--unread")) == ["Story 1", "Story 3"])
    try window.press("Escape", "/", "/4$/")
    try window.wait(for: "Paragraph 1 of story 4.")
    try window.press("/", "C-u", "nowhere")
    try window.wait { $0.contains("nothing here") && !$0.contains("Paragraph") }
    #expect(try window.rows[1].count { $0 == "│" } == 2)
  }

  @Test("stars, marks and their undoing are stored while one reads on")
  func marking() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("j", "s")
    try window.wait(for: "★ Story 2")
    while try scene.list("--starred") != ["Story 2"] { poll(nil, 0, 20) }
    try window.press("A")
    try window.wait(for: "40 stories marked read")
    try window.wait(for: "0 unread")
    #expect(try scene.list("--unread").isEmpty)
    try window.press("z")
    try window.wait(for: "40 stories are unread again")
    #expect(try scene.list("--unread").count == 40)
    try window.press("f", "d")
    try window.wait(for: "Clear 40 stories, 1 of them starred? [y/N]")
    try window.press("y", "Enter")
    try window.wait(for: "all stories cleared")
    #expect(try scene.list().isEmpty)
    try window.press("z")
    try window.wait(for: "40 stories are back? [y/N]")
    try window.press("y", "Enter")
    while try scene.list().count != 40 { poll(nil, 0, 20) }
    #expect(try scene.list().count == 40)
  }

  @Test("a background fetch shows its stories, and moves neither the text nor the chosen row")
  func backgroundFetch() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("j", "j", "Enter")
    try window.wait(for: "Paragraph 1 of story 3.")
    try window.press("Down", "Down")
    try window.wait { !$0.contains("Story 3") }
    let before = try window.rows
    let title =
      "<item><title>Breaking</title><pubDate>1 Jul 2026 00:00:00 GMT</pubDate></item><item>"
    try news.folder.write(
      BrowseScene.rss(1...40).replacing("<item>", with: title, maxReplacements: 1),
      to: "feed.xml",
    )
    #expect(try news.run("fetch").text.hasPrefix("newData: 1 new"))
    try window.wait(for: "41 stories")
    try window.wait(for: "1 more story")
    #expect(try window.rows[1..<23] == before[1..<23])
    try window.press("Escape")
    try window.wait(for: "›   Story 3")
    #expect(try window.rows[3].hasPrefix("›   Story 3"))
    try window.press("g")
    try window.wait(for: "› • Breaking")
  }

  @Test("r asks the feeds and shows how far it is, while keys go on working")
  func refresh() throws {
    let isSeen = Monitor(false)
    defer { isSeen.change { $0 = true } }
    let answer = FaultyAnswer.response(body: BrowseScene.rss(50...50))
    let server = try FaultyServer([
      "/a": FaultyAnswer([.run { isSeen.wait { $0 } }] + answer.steps)
    ])
    _ = try news.run("subscribe", "--no-check", server.url("/a"), "--title", "Slow")
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("r")
    try window.wait(for: "1 of 2 feeds")
    try window.press("j", "Enter")
    try window.wait(for: "Paragraph 1 of story 2.")
    isSeen.change { $0 = true }
    try window.wait(for: "1 new story")
    try window.press("Q")
    try window.wait(for: "status=0")
    #expect(try scene.list().count == 41)
  }

  @Test("leaving in the middle of a refresh stores what has arrived")
  func leavingRefresh() throws {
    let server = try FaultyServer([
      "/a": .response(body: BrowseScene.rss(50...50)), "/b": FaultyAnswer([.hang]),
    ])
    _ = try news.run("subscribe", "--no-check", server.url("/a"), server.url("/b"))
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("r")
    try window.wait(for: "2 of 3 feeds")
    try window.press("Q")
    try window.wait(for: "status=0")
    #expect(try scene.list().contains("Story 50"))
  }

  @Test("a filter leaves stories as one types, and is no part of the view afterwards")
  func filtering() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("/", "3", "3")
    try window.wait(for: "1 story  /33")
    try window.press("Enter", "Enter")
    try window.wait(for: "Paragraph 1 of story 33.")
    try window.press("Escape", "Escape")
    try window.wait(for: "40 stories, 39 unread")
    try window.press("/", "(", "/")
    try window.wait(for: "0 stories")
  }

  @Test("a search that cannot be understood is refused at Enter, and no key acts behind it")
  func wrongFilter() throws {
    let window = try scene.window()
    for wrong in ["auther:lee", "is:reed", "\"two"] {
      try window.wait(for: "40 unread")
      try window.press("/")
      for sign in wrong { try window.press("\(sign)") }
      try window.press("Enter", "A")
      try window.wait(for: "/\(wrong)A_")
      try window.press("Escape")
    }
    try window.wait(for: "40 unread")
  }

  @Test("a window that changes its size is filled anew: one pane, two, three")
  func resizing() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("Enter")
    try window.wait(for: "Paragraph 1 of story 1.")
    try window.resize(columns: 200, rows: 50)
    try window.wait { $0.contains("Daily") && $0.contains("Story 40") && $0.contains("story 1.") }
    #expect(try window.rows[2].contains("│   • Story 2"))
    try window.resize(columns: 130, rows: 10)
    try window.wait { !$0.contains("Starred") && $0.contains("story 1.") && $0.contains("Story 2") }
    try window.resize(columns: 30, rows: 5)
    try window.wait { !$0.contains("Story 2") && $0.contains("Daily\nStory 1\n") }
    try window.press("Escape")
    try window.wait(for: "› ")
    #expect(try window.rows.count == 6)
  }

  @Test("Ctrl-Z gives the terminal back, and fg brings the view back as it was")
  func suspending() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("j", "j")
    try window.wait(for: "› • Story 3")
    try window.press("C-z")
    try window.wait(for: "Stopped")
    #expect(try window.fact("alternate_on") == "0" && window.fact("mouse_any_flag") == "0")
    try window.run("echo typed")
    try window.wait(for: "\ntyped\n")
    try window.run("fg")
    try window.wait(for: "› • Story 3")
    #expect(try window.fact("alternate_on") == "1")
  }

  @Test(
    "the terminal is in order however the view ends",
    arguments: ["TERM", "HUP", "INT", "QUIT", "KILL", "SEGV", "ABRT"],
  )
  func killed(_ signal: String) throws {
    let window = try scene.window(environment: ["SWIFT_BACKTRACE": "enable=no"])
    try window.wait(for: "40 unread")
    #expect(try window.fact("mouse_any_flag") == "1")
    _ = try Subprocess.run(["pkill", "-\(signal)", "-P", try window.fact("pane_pid")])
    // The shell's output can be on the screen that is left behind.
    try window.wait(until: "alternate_on", is: "0")
    try window.wait(until: "cursor_flag", is: "1")
    #expect(try window.fact("mouse_any_flag") == "0")
    try window.run("stty -a | tr ' ' '\\n' | grep -cx -e icanon -e echo -e isig")
    try window.wait(for: "\n3\n")
  }

  @Test("what is typed ahead goes by the list that is seen then")
  func typedAhead() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("j", "/", "3", "5", "Enter", "Enter")
    try window.wait(for: "Paragraph 1 of story 35.")
    try window.press("Q")
    try window.wait(for: "status=0")
    #expect(try Set(scene.list()).subtracting(scene.list("--unread")) == ["Story 35"])
  }

  @Test("Ctrl-Z stops a script around it as well, and fg brings both back")
  func suspendedScript() throws {
    let window = try scene.window("--version")
    try window.wait(for: "status=0")
    try window.run("TERM=tmux-256color sh -c '\(news.program) browse; echo behind=$?'")
    try window.wait(for: "40 unread")
    try window.press("C-z")
    try window.wait(for: "Stopped")
    try window.resize(columns: 60, rows: 10)
    try window.run("fg")
    try window.wait(for: "40 unread")
    try window.press("Q")
    try window.wait(for: "behind=0")
  }

  @Test("a window that changed its size while we were stopped has its text laid out anew")
  func resizedWhileStopped() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("Enter")
    try window.wait(for: "Paragraph 1 of story 1.")
    try window.press("C-z")
    try window.wait(for: "Stopped")
    try window.resize(columns: 20, rows: 24)
    try window.run("fg")
    try window.wait { $0.contains("Paragraph 1 of story\n1.") }
  }

  @Test(
    "a page that does not come keeps nobody from leaving, nor from ending it",
    arguments: ["q", ""],
  )
  func hangingPage(_ key: String) throws {
    let server = try FaultyServer(["/1": FaultyAnswer([.hang])])
    let item = "<item><title>Late</title><link>\(server.url("/1"))</link></item>"
    try news.folder.write("<rss version=\"2.0\"><channel>\(item)</channel></rss>", to: "late.xml")
    _ = try news.run(
      "subscribe",
      news.folder.path("late.xml"),
      "--title",
      "Late",
      "--allow-private",
    )
    let window = try scene.window("browse --feed Late")
    try window.wait(for: "1 story, 1 unread")
    try window.press("F")
    server.waitForRequests(1)
    if key.isEmpty {
      _ = try Subprocess.run(["pkill", "-TERM", "-P", try window.fact("pane_pid")])
    } else {
      try window.press(key)
    }
    try window.wait(for: key.isEmpty ? "status=143" : "status=0")
    #expect(try window.fact("alternate_on") == "0")
  }

  @Test("F shows the page's article, where it was left, and goes back; z takes back F alone")
  func otherText() throws {
    let text = (1...60).map { "<p>Paragraph \($0) has a few words.</p>" }.joined()
    let server = try FaultyServer(["/1": .response(body: "<article>\(text)</article>")])
    let item =
      "<item><title>Two</title><link>\(server.url("/1"))</link>"
      + "<description>&lt;p&gt;The feed has few.&lt;/p&gt;</description></item>"
    try news.folder.write("<rss version=\"2.0\"><channel>\(item)</channel></rss>", to: "two.xml")
    let words = ["subscribe", news.folder.path("two.xml"), "--title", "Two", "--allow-private"]
    _ = try news.run(words)
    let window = try scene.window("browse --feed Two")
    try window.wait(for: "1 story, 1 unread")
    try window.press("Enter", "s", "F")
    try window.wait(for: "Paragraph 1 has a few words.")
    try window.press("G")
    try window.wait(for: "Paragraph 60 has a few words.")
    try window.press("F")
    try window.wait(for: "The feed has few.")
    try window.wait(for: "F goes back to the page's article")
    try window.press("F")
    try window.wait(for: "Paragraph 60 has a few words.")
    try window.press("z")
    try window.wait(for: "The feed has few.")
    try window.press("Q")
    try window.wait(for: "status=0")
    #expect(server.requests.count == 1)
    #expect(try news.run("list", "--feed", "Two", "--json").text.contains("\"starred\":true"))
  }

  @Test("a data file that another program damages is said, and read again when it is whole")
  func damaged() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    func copy(_ from: String, _ to: String) throws {
      _ = try Subprocess.run(["cp", from, to], folder: news.folder.path)
    }
    try copy("home/newsdata.plist", "whole.plist")
    try copy("feed.xml", "home/newsdata.plist")
    try window.wait(for: "newsdata.plist")
    try window.press("j", "k", "Enter")
    try copy("whole.plist", "home/newsdata.plist")
    try window.wait { $0.contains("› • Story 1") || $0.contains("Paragraph 1") }
    try window.press("Q")
    try window.wait(for: "status=0")
  }

  @Test("what was read here stays in a list of unread stories, unless the filter leaves it out")
  func unreadList() throws {
    let window = try scene.window("browse --unread")
    try window.wait(for: "40 stories, 40 unread")
    try window.press("Enter", "Escape", "j", "Enter", "Escape")
    try window.wait(for: "40 stories, 38 unread")
    try window.press("/", "/^story 2/")
    try window.wait(for: "11 stories")
    try window.press("Escape")
    try window.wait(for: "40 stories, 38 unread")
  }

  @Test("reading on leaves what was changed on purpose to be taken back")
  func undoBehindReading() throws {
    let window = try scene.window()
    try window.wait(for: "40 unread")
    try window.press("f", "d")
    try window.wait(for: "[y/N]")
    try window.press("y", "Enter")
    try window.wait(for: "all stories cleared")
    _ = try news.run("undo")
    try window.wait(for: "40 stories, 40 unread")
    try window.press("j", "k", "Enter", "s", "A")
    try window.wait(for: "stories marked read")
    try window.press("Escape")
    try window.wait(for: "0 unread")
    try window.press("z")
    try window.wait(for: "unread again")
  }

  @Test("a terminal that goes away ends it")
  func closed() throws {
    let shell: String
    do {
      let window = try scene.window()
      try window.wait(for: "40 unread")
      shell = try window.fact("pane_pid")
    }
    while try Subprocess.run(["pgrep", "-s", shell]).status == 0 { poll(nil, 0, 20) }
  }

  @Test(
    "without colour nothing is dressed, and the chosen row and unread stories are known all the same"
  )
  func colourless() throws {
    let window = try scene.window(environment: ["NO_COLOR": "1"])
    try window.wait(for: "› • Story 1")
    #expect(try window.dressedScreen.contains("\u{1b}") == false)
  }

  @Test("o opens a link in a browser that has the terminal meanwhile")
  func opening() throws {
    try news.writeProgram("browser", "#!/bin/sh\nread -p \"at $1: \" line\n")
    let window = try scene.window(environment: ["BROWSER": news.folder.path("browser")])
    try window.wait(for: "40 unread")
    try window.press("j", "o")
    try window.wait(for: "at https://a.example/2:")
    #expect(try window.fact("alternate_on") == "0")
    try window.press("Enter")
    try window.wait(for: "›   Story 2")
    while try scene.list("--unread").contains("Story 2") { poll(nil, 0, 20) }
  }

  @Test("a story whose link cannot be opened stays unread")
  func notOpened() throws {
    try news.writeProgram("browser", "#!/bin/sh\nexit 3\n")
    let window = try scene.window(environment: ["BROWSER": news.folder.path("browser")])
    try window.wait(for: "40 unread")
    try window.press("j", "o")
    try window.wait(for: "exited with status 3")
    #expect(try window.screen.contains("› • Story 2"))
  }

  @Test("a home that cannot be written is read all the same, and says what is not stored")
  func readOnly() throws {
    try writeFile(news.dataPath, Array("broken".utf8))
    #expect(try news.run("list").status == 1)
    let window = try scene.window()
    try window.wait(for: "status=1")
    #expect(try window.screen.contains("newsdata.plist"))
  }
}
