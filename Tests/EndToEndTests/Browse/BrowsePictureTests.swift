import TestSupport
import Testing

@Suite("Pictures in the text of the table view, in a real terminal")
struct BrowsePictureTests {
  private let news: News
  private let server: FaultyServer
  /// Closed as long as a picture is held back.
  private let gate = Monitor(true)

  init() throws {
    news = try News()
    let ring = try readFile(BuiltProduct.fixture("pictures/ring.png"))
    let answers = [
      "/feed": FaultyAnswer.response(body: Self.feed),
      "/declared": FaultyAnswer.response(body: Self.declared),
      "/ring.png": Self.picture(ring),
      "/slow.png": FaultyAnswer([.run { [gate] in gate.wait { $0 } }] + Self.picture(ring).steps),
      "/broken.png": Self.picture(Array(ring.prefix(60))),
      "/page.png": .response(headers: ["Content-Type: text/html"], bytes: ring),
      "/large.png": Self.picture(ring + [UInt8](repeating: 0, count: 8 << 20)),
    ]
    server = try FaultyServer(answers)
    #expect(try news.run("subscribe", server.url("/feed")).status == 0)
  }

  private static func picture(_ bytes: [UInt8]) -> FaultyAnswer {
    .response(headers: ["Content-Type: image/png"], bytes: bytes)
  }

  /// A feed whose stories are, from the newest on: without a picture, with one, with some that
  /// cannot be shown, with one that is slow.
  private static let feed: String = {
    let paragraphs = (1...30).map { "<p>Paragraph \($0).</p>" }.joined()
    let texts = [
      "<p>No picture.</p>", "<p>A ring: <img src='/ring.png' alt='Ring'/></p>",
      ["broken", "page", "large", "missing", "ring"].map {
        "<p><img src='/\($0).png' alt='alt of \($0)'/></p>"
      }.joined(),
      "<p><img src='/slow.png' alt='Slow'/></p>",
    ]
    let items = texts.enumerated().map { index, text in
      "<item><title>Story \(index + 1)</title><link>/\(index + 1)</link>"
        + "<pubDate>\(20 - index) Jun 2026 00:00:00 GMT</pubDate>"
        + "<description><![CDATA[\(text)\(paragraphs)]]></description></item>"
    }
    return "<rss version='2.0'><channel><title>Daily</title>\(items.joined())</channel></rss>"
  }()

  private static let declared = """
    <rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><title>Declared</title>
    <item><title>Beside</title><link>/b</link><pubDate>21 Jun 2026 00:00:00 GMT</pubDate>
    <media:thumbnail url='/ring.png'/><description>Words alone.</description></item></channel></rss>
    """

  private func window(
    _ words: String = "browse",
    columns: Int = 80,
    rows: Int = 50,
    unread: Int = 4,
    _ variables: [String: String?] = [:],
  ) throws -> TerminalWindow {
    let own: [String: String?] = ["NEWS_NO_IMAGES": nil, "SSH_CONNECTION": nil, "SSH_TTY": nil]
    let environment = news.settings.merging(own) { $1 }.merging(variables) { $1 }
    let window = try TerminalWindow(
      columns: columns,
      rows: rows,
      in: news.folder.path,
      environment: environment,
    )
    try window.run("TERM=tmux-256color \(news.program) \(words); echo status=$?")
    try window.wait(for: "\(unread) unread")
    return window
  }

  private func isAsked(for path: String) -> Bool { server.requests.contains { $0.path == path } }

  private static func hasBlocks(_ text: String) -> Bool {
    text.unicodeScalars.contains { (0x2580...0x259f).contains($0.value) }
  }

  @Test("one that the feed declares stands above a text that has none")
  func declared() throws {
    #expect(try news.run("subscribe", server.url("/declared")).status == 0)
    let window = try window(unread: 5)
    try window.press("Enter")
    try window.wait { $0.contains("Words alone.") && Self.hasBlocks($0) }
    let rows = try window.rows
    let picture = try #require(rows.lastIndex(where: Self.hasBlocks))
    let text = try #require(rows.firstIndex { $0.contains("Words alone.") })
    #expect(picture < text)
    try window.press("q", "Q")
    try window.wait(for: "status=0")
  }

  @Test(
    "one is fetched when its story is opened, not when it stands beside the list, and scrolls along"
  )
  func opening() throws {
    let window = try window(columns: 200)
    try window.press("Enter")
    try window.wait(for: "No picture.")
    try window.press("Escape", "j")
    try window.wait(for: "[2: image: Ring]")
    #expect(!isAsked(for: "/ring.png"))
    try window.press("Tab")
    try window.wait(until: Self.hasBlocks)
    let rows = try window.rows
    let label = try #require(rows.firstIndex { $0.contains("A ring: [2: image: Ring]") })
    #expect(rows[(label - 24)..<label].contains(where: Self.hasBlocks))
    #expect(!rows[label...].contains(where: Self.hasBlocks))
    try window.press("G")
    try window.wait { $0.contains("Paragraph 30.") && !Self.hasBlocks($0) }
    try window.press("g")
    try window.wait(until: Self.hasBlocks)
    try window.press("Escape", "k")
    try window.wait { $0.contains("No picture.") && !Self.hasBlocks($0) }
    #expect(server.requests.count { $0.path == "/ring.png" } == 1)
  }

  @Test("one is drawn anew for another window, and nothing of it is left")
  func resizing() throws {
    let window = try window()
    try window.press("j", "Enter")
    try window.wait(until: Self.hasBlocks)
    let before = try window.rows
    try window.resize(columns: 40, rows: 30)
    try window.wait { screen in
      let rows = screen.split(separator: "\n").filter { Self.hasBlocks(String($0)) }
      return !rows.isEmpty && screen.contains("[2: image: Ring]") && screen.contains("Paragraph 1.")
    }
    try window.resize(columns: 80, rows: 50)
    try window.wait { _ in try window.rows.dropFirst() == before.dropFirst() }
    try window.press("Escape")
    try window.wait { $0.contains("› ") && !Self.hasBlocks($0) }
    #expect(try !window.dressedScreen.contains("48;5;"))
    #expect(server.requests.count { $0.path == "/ring.png" } == 1)
  }

  @Test(
    "none is fetched where none is wanted",
    arguments: [
      ("browse --no-images", [:]), ("browse", ["NEWS_NO_IMAGES": "1"]),
      ("browse", ["SSH_CONNECTION": "::1 1 ::1 22"]), ("browse", ["SSH_TTY": "/dev/pts/1"]),
      ("browse --color never", [:]), ("browse", ["LC_ALL": "C"]),
    ] as [(String, [String: String?])],
  )
  func unwanted(_ words: String, _ variables: [String: String?]) throws {
    let window = try window(words, variables)
    try window.press("j", "Enter")
    try window.wait(for: "[2: image: Ring]")
    try window.press("Space", "Q")
    try window.wait(for: "status=0")
    #expect(!isAsked(for: "/ring.png"))
  }

  @Test("over ssh they are shown where one asks for them")
  func overSSH() throws {
    let window = try window("browse --images", ["SSH_CONNECTION": "::1 1 ::1 22"])
    try window.press("j", "Enter")
    try window.wait(until: Self.hasBlocks)
    let both = try news.run("browse", "--images", "--no-images")
    #expect(both.status == 64)
    let bare = try news.run("browse", "--images", environment: ["PATH": "/nowhere"])
    #expect(bare.status == 1)
    #expect(
      bare.errorText
        == "news: --images: chafa is not installed, and pictures need it, texts do not: no such file in "
        + "PATH; install it: apt-get install chafa, or the like\n"
    )
  }

  @Test("of what is no picture, is broken, is missing or has more than 8 MiB, the text stays")
  func unshown() throws {
    let window = try window()
    try window.press("j", "j", "Enter")
    try window.wait(until: Self.hasBlocks)
    let rows = try window.rows
    let labels = ["broken", "page", "large", "missing"].map { name in
      rows.firstIndex { $0.contains("image: alt of \(name)]") }
    }
    let first = try #require(labels[0])
    #expect(labels == [first, first + 2, first + 4, first + 6])
    for name in ["broken", "page", "large", "missing"] { #expect(isAsked(for: "/\(name).png")) }
  }

  @Test("keys go on while one is waited for, and it appears when it has come")
  func waiting() throws {
    gate.change { $0 = false }
    defer { gate.change { $0 = true } }
    let window = try window()
    try window.press("j", "j", "j", "Enter")
    try window.wait(for: "image: Slow]")
    while !isAsked(for: "/slow.png") { poll(nil, 0, 20) }
    try window.press("j", "s")
    try window.wait { !$0.contains("\nDaily") }
    #expect(try !Self.hasBlocks(window.screen))
    gate.change { $0 = true }
    try window.wait(until: Self.hasBlocks)
    #expect(try window.rows[1] == "Story 4")
  }

  @Test("a picture that is waited for holds up nobody who leaves")
  func leaving() throws {
    gate.change { $0 = false }
    defer { gate.change { $0 = true } }
    let window = try window()
    try window.press("j", "j", "j", "Enter")
    try window.wait(for: "image: Slow]")
    while !isAsked(for: "/slow.png") { poll(nil, 0, 20) }
    try window.press("Q")
    try window.wait(for: "status=0")
  }
}
