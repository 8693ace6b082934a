import CommandLine
import Testing

@Suite("What a program draws, as far as it is harmless")
struct PictureTextTests {
  @Test(
    "colours and signs pass, and nothing else",
    arguments: [
      (
        "\u{1b}[0m\u{1b}[38;2;1;2;3m▀▄\u{1b}[0m\n",
        ["\u{1b}[0m\u{1b}[38;2;1;2;3m▀▄\u{1b}[0m\u{1b}[0m"],
      ),
      ("\u{1b}[?25la\u{1b}[2Jb\u{1b}[10;10Hc\n\u{1b}[?25h", ["abc\u{1b}[0m"]),
      ("a\u{7}\r\u{8}\u{9b}2Jb", ["a2Jb\u{1b}[0m"]),
      ("\u{1b}]0;title\u{7}", ["]0;title\u{1b}[0m"]), ("\u{1b}Pq#0\u{1b}\\", ["Pq#0\\\u{1b}[0m"]),
      ("\u{202e}a\u{200b}界👍e\u{301}", ["ae\u{1b}[0m"]),
      ("\u{1b}[", []), ("a\u{1b}[31", ["a\u{1b}[0m"]), ("\u{1b}", []), ("", []), ("\n\n", []),
      ("\u{1b}[" + String(repeating: "1;", count: 40) + "mx", ["x\u{1b}[0m"]),
    ] as [(String, [String])],
  )
  func cleaning(_ printed: String, _ lines: [String]) {
    #expect(PictureText.lines(printed, columns: 10, rows: 5) == lines)
  }

  @Test("it has no more columns and rows than it was to have")
  func size() {
    let line = String(repeating: "\u{1b}[31m█", count: 100) + "\n"
    let lines = PictureText.lines(String(repeating: line, count: 50), columns: 7, rows: 3)
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { TerminalText.width(TerminalText.unstyled($0)) == 7 })
  }
}
