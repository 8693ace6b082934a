import TestSupport
import Testing

@testable import CommandLine
@testable import NewsCommands
@testable import ReadingCommands

@Suite("the keys of the table view, as the reader writes them")
struct KeyMapTests {
  private func map(_ lines: String...) throws -> KeyMap {
    var keys = KeyMap(.news)
    for line in lines { try keys.take(line[...]) }
    return keys
  }

  @Test(
    "a line begins with a key or a sequence; what follows is its line",
    arguments: [
      ("x star", ["x"], "star"), ("g g first", ["g", "g"], "first"),
      ("g Space\t n", ["g", "Space"], "n"),
      ("a  :star ; n", ["a"], ":star ; n"), ("x n ; star", ["x"], "n ; star"), ("x n", ["x"], "n"),
      ("m ! mail {link}", ["m"], "! mail {link}"), ("w | wc -w", ["w"], "| wc -w"),
      (". :feeds set --tag", ["."], ":feeds set --tag "), ("x :", ["x"], ":"),
      ("m :! mail", ["m"], ":! mail "), ("x :note", ["x"], ":note "),
      ("; star", [";"], "star"),
      ("g ^G Home star", ["g", "^G", "Home"], "star"), ("- - fold", ["-", "-"], "fold"),
      ("x :star ; :tag", ["x"], ":star ; :tag"),
      ("x star   # mine", ["x"], "star"), ("x ! mail '#1' # mine", ["x"], "! mail '#1'"),
      ("' star # mine", ["'"], "star"), ("g g # mine", ["g"], "g"),
      ("x tag a#b", ["x"], "tag a#b"),
      (". :feeds set --tag # mine", ["."], ":feeds set --tag "),
      ("^I star", ["Tab"], "star"), ("^M ^H star", ["Enter", "Backspace"], "star"),
    ],
  )
  func lines(_ text: String, _ keys: [String], _ line: String) throws {
    #expect(try map(text).lines[keys] == line)
  }

  @Test(
    "several operations stand between semicolons, keys among them for what they mean by default",
    arguments: [
      (":star ; :tag later ; n", ["star", "tag later", "next"]), ("star", ["star"]),
      ("n", ["next"]),
      (":star ", [":star "]), ("s ; T", ["toggle-star", ":tag "]), ("note ; :", ["note", ":"]),
      ("!sh -c 'a ; b' {link} ; G", ["!sh -c 'a ; b' {link}", "last"]),
      ("|wc ; |less", ["|wc", "|less"]),
    ],
  )
  func operations(_ line: String, _ operations: [String]) {
    #expect(KeyLine(line).operations == operations)
  }

  @Test(
    "a sequence takes its beginning from the default keys, and never from a line of the reader's"
  )
  func beginnings() throws {
    let keys = try map("g g first", "g n next", "x star")
    #expect(keys.lines[["g"]] == nil && keys.lines[["Home"]] == "first")
    #expect(keys.isBeginning(["g"]) && !keys.isBeginning(["g", "g"]) && !keys.isBeginning(["x"]))
    #expect(keys.continuations(of: ["g"]).map(\.keys) == ["g", "n"])
    for (line, reason) in [
      ("x y star", "x has a line of its own, and cannot begin x y"),
      ("g last", "g begins g g, and cannot have a line of its own"),
      ("g g g star", "g g has a line of its own, and cannot begin g g g"),
    ] {
      var keys = keys
      #expect(throws: Failure(reason)) { try keys.take(line[...]) }
      #expect(keys.lines[["x"]] == "star" && keys.lines[["g", "g"]] == "first")
    }
  }

  private static func noKey(_ name: String, _ hint: String = "") -> String {
    "\(name) is no key\(hint); keys are signs, ^A to ^Z, Space, Enter, Esc, Tab, BackTab, Backspace, Up, "
      + "Down, Left, Right, PgUp, PgDn, Home, End"
  }

  @Test(
    "what is wrong is told",
    arguments: [
      ("3 star", "3 begins a number, as in 3o, and is no key"),
      ("g 3 star", "3 begins a number, as in 3o, and is no key"),
      ("Esc x star", "Esc ends a sequence, and stands in none"),
      ("g ^C star", "^C ends a sequence, and stands in none"),
      ("gg first", Self.noKey("gg", " (a sequence has blanks: g g)")),
      ("F1 first", Self.noKey("F1")), ("Del first", Self.noKey("Del")),
      ("space n", "space is no key; did you mean Space?"),
      ("^x n", "^x is no key; did you mean ^X?"),
      ("x star;n", "a ; between operations has blanks beside it: star ; next"),
      ("x n ; star; n", "a ; between operations has blanks beside it: star ; next"),
      ("x star ;", "nothing stands beside a ;"), ("x ; star", "nothing stands beside a ;"),
      ("x star ;  ; n", "nothing stands beside a ;"),
      ("x star ; strar", "unknown command strar; did you mean `news star`? (see `news --help`)"),
      ("x star ; :strar", "unknown command strar; did you mean `news star`? (see `news --help`)"),
      (
        "x list --uread",
        "unknown option --uread of `news list`; did you mean --unread? (see `news list --help`)",
      ),
      ("x n ; ! {link}", "no program given: ! PROGRAM {link}"),
      ("x :strar", "unknown command strar; did you mean `news star`? (see `news --help`)"),
      ("g g :first", "first is a word of the view, and has no : before it"),
    ],
  )
  func faults(_ line: String, _ reason: String) {
    let error = #expect(throws: Failure.self) { try map(line) }
    #expect(error?.line == reason)
  }

  @Test("keys are read from their file, and doctor names what is wrong in it")
  func files() throws {
    let folder = try TemporaryFolder()
    let news = try CommandRun()
    news.variables = ["HOME": folder.path]
    _ = try Subprocess.run(["mkdir", "-p", folder.path(".config/news")])
    try folder.write("y unread\nF1 star\ng g first\nc star\nw strar", to: ".config/news/keys")
    let keys = KeyMap(news.testEnvironment)
    #expect(keys.lines[["y"]] == "unread" && keys.lines[["c"]] == "star")
    #expect(keys.lines[["g", "g"]] == "first" && keys.lines[["g"]] == nil)
    #expect(keys.faults.count == 2)
    #expect(keys.faults[0].hasPrefix("~/.config/news/keys, line 2: F1 is no key; keys are signs"))
    #expect(keys.faults[1].hasSuffix("line 5: unknown command strar; did you mean `news star`?"))
    let doctor = news.run(["doctor", "--offline", "--home", folder.path]).output
    #expect(doctor.contains("wrong\tkeys\t~/.config/news/keys, line 2: "))
  }

  @Test("what --keys prints is read again as it is")
  func printed() throws {
    let folder = try TemporaryFolder()
    let news = try CommandRun()
    news.variables = ["HOME": folder.path, "NEWS_HOME": folder.path("home")]
    _ = try Subprocess.run(["mkdir", "-p", folder.path(".config/news")])
    let lines = "g g   first\na :star ; :tag later ; n\n. :feeds set --tag \nBackspace x y star\n"
    try folder.write(lines, to: ".config/news/keys")
    let first = news("browse", "--keys")
    #expect(first.errors == "" && first.output.contains("g g       first\n"))
    #expect(first.output.contains("a         :star ; :tag later ; n\n"))
    #expect(first.output.contains("Backspace x y  star\n"))
    #expect(
      !first.output.contains("\ng         first\n") && !first.output.contains("Backspace  back")
    )
    var again = KeyMap(.news)
    for line in first.output.split(separator: "\n") { try again.take(line) }
    #expect(again.lines == KeyMap(news.testEnvironment).lines)
  }
}
