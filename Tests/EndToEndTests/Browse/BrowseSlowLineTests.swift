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
    // Two rows of a screen of twenty-four.
    #expect((terminal.screen.utf8.count - whole) / 8 < whole / 6)
    terminal.type("\r")
    try terminal.wait(for: "Paragraph 1 of story 9.")
    terminal.type("q")
    #expect(terminal.end() == 0)
  }
}
