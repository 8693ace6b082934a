import TestSupport
import Testing

@Suite("The manual page")
struct ManualTests {
  private let news: News
  private let page: String

  init() throws {
    news = try News()
    page = try news.folder.write(try news.run("man").output, to: "news.1")
  }

  @Test("mandoc finds nothing to say about it")
  func lint() throws {
    let list = try news.folder.write(try news.run("man", "list").output, to: "news-list.1")
    let json = try news.folder.write(try news.run("man", "json").output, to: "news-json.1")
    for page in [page, list, json] {
      let result = try Subprocess.run(["mandoc", "-T", "lint", page])
      #expect(result.text == "")
      #expect(result.errorText == "")
      #expect(result.status == 0)
    }
  }

  @Test("shown, it has every command with its options")
  func shown() throws {
    let shown = try Subprocess.run(["mandoc", "-T", "ascii", "-O", "width=100", page]).text
    let plain = Self.withoutOverstrikes(shown)
    #expect(plain.contains("news – follow RSS") || plain.contains("news - follow RSS"))
    #expect(plain.contains("news subscribe URL|FILE|-... [--title TITLE]"))
    #expect(plain.contains("-q, --quiet"))
    #expect(plain.contains("news list --json | jq -r '.[].link'"))
    #expect(plain.contains("news schedule [install|remove|status] [--every TIME]"))
  }

  @Test("on a terminal it is shown as a page, by whichever program is there")
  func onTerminal() throws {
    for program in ["man", "mandoc", "neither"] {
      let bin = news.folder.path(program)
      #expect(try Subprocess.run(["mkdir", bin]).status == 0)
      let script = "#!/bin/sh\necho shown by $0 $*\nwhile read -r line; do :; done\n"
      try news.writeProgram("\(program)/\(program)", script)
      let terminal = try news.terminal(["man"], environment: ["PATH": bin])
      #expect(terminal.end() == 0)
      let isShown = program != "neither"
      #expect(terminal.screen.contains("shown by \(bin)/\(program) ") == isShown)
      #expect(terminal.screen.contains(".Sh NAME") == !isShown)
      #expect(terminal.screen.contains("install man-db or mandoc") == !isShown)
    }
  }

  @Test("what fails to show it fails the command, and gets enough columns in a narrow window")
  func reader() throws {
    let bin = news.folder.path("bin")
    #expect(try Subprocess.run(["mkdir", bin]).status == 0)
    let script = "#!/bin/sh\necho width $MANWIDTH.\nwhile read -r line; do :; done\nexit 3\n"
    try news.writeProgram("bin/man", script)
    for (columns, wanted, width) in [
      (24, "", "40"), (100, "", ""), (100, "20", "40"), (24, "60", "60"),
    ] {
      let environment = ["PATH": bin, "COLUMNS": "\(columns)", "MANWIDTH": wanted]
      let terminal = try news.terminal(["man", "list"], environment: environment)
      #expect(terminal.end() == 1)
      #expect(terminal.screen.contains("width \(width)."))
      #expect(!terminal.screen.contains(".Sh NAME"))
    }
  }

  /// mandoc prints bold letters twice with a backspace between.
  private static func withoutOverstrikes(_ text: String) -> String {
    var result: [Character] = []
    var characters = text.makeIterator()
    while let character = characters.next() {
      if character == "\u{8}" {
        _ = result.popLast()
      } else {
        result.append(character)
      }
    }
    return String(result)
  }
}
