import TestSupport
import Testing

@Suite("The table view over a slow line")
struct BrowseSlowLineTests {
  @Test("a key sends only the rows that it changes, and what is typed is answered in its order")
  func rows() throws {
    let scene = try BrowseScene()
    let settings = scene.news.settings.merging(["TERM": "xterm-256color"]) { $1 }
    let terminal = try PseudoTerminal(
      [scene.news.program, "browse"],
      environment: settings,
      line: .slow,
    )
    try terminal.wait(for: "q quit")
    try terminal.wait(for: "40 unread")
    let whole = terminal.screen.utf8.count
    for number in 2...9 {
      terminal.type("j")
      try terminal.wait(for: "Story \(number) ")
    }
    // Two rows of a screen of twenty-four are sent.
    #expect((terminal.screen.utf8.count - whole) / 8 < whole / 6)
    terminal.type("\r")
    try terminal.wait(for: "Paragraph 1 of story 9.")
    let opened = terminal.screen.utf8.count
    for number in 10...17 {
      terminal.type("jj")
      try terminal.wait(for: "Paragraph \(number) of story 9.")
    }
    #expect((terminal.screen.utf8.count - opened) / 8 < whole / 4)
    terminal.type("Q")
    #expect(terminal.end() == 0)
  }

  @Test("what a terminal has scrolled by itself is what would be drawn", arguments: [80, 200])
  func scrolling(columns: Int) throws {
    let scene = try BrowseScene()
    let window = try scene.window(columns: columns, rows: 20)
    try window.wait(for: "40 unread")
    let scrolls = ["j 25", "k 21", "Enter 1", "j 5", "k 2", "Space 1", "k 3", "h 1", "k 1", "G 1"]
    for (number, scroll) in scrolls.enumerated() {
      let words = scroll.split(separator: " ").map(String.init)
      try window.press("-N", words[1], words[0])
      try window.press(":", "a", "\(number)")
      try window.wait(for: ":a\(number)_")
      // A story that is opened is read, and is counted once that is stored.
      if scroll.hasPrefix("Enter") { try window.wait(for: "39 unread") }
      let rows = try window.rows.dropLast(2)
      try window.press("C-u", "BSpace", "C-l", ":", "b", "\(number)")
      try window.wait(for: ":b\(number)_")
      #expect(try window.rows.dropLast(2) == rows, "\(scroll)")
      try window.press("C-u", "BSpace")
    }
  }
}
