import Testing

@testable import CommandLine

@Suite("A line of words")
struct ShellLineTests {
  @Test(
    "is split at spaces, without quotes and backslashes",
    arguments: [
      ("", []), ("  a  b\t c ", ["a", "b", "c"]),
      ("'a b' \"c 'd'\" e\\ f", ["a b", "c 'd'", "e f"]),
      ("a'b c'd ''", ["ab cd", ""]), ("\"a\\\"b\" 'c\\d'", ["a\"b", "c\\d"]), ("'open", ["open"]),
    ],
  )
  func words(_ line: String, _ words: [String]) {
    #expect(ShellLine(line).words == words)
  }

  @Test(
    "tells where its last word begins, and its end behind a space",
    arguments: [
      ("a bc", "bc"), ("a bc ", ""), ("a 'b c", "'b c"), ("", ""), ("a\\ b", "a\\ b"),
    ],
  )
  func last(_ line: String, _ rest: String) {
    #expect(line[ShellLine(line).last...] == rest)
  }

  @Test("tells that a quotation mark is not closed")
  func unclosed() {
    #expect(ShellLine("a 'b").isUnclosed && ShellLine("a \"b' c").isUnclosed)
    #expect(!ShellLine("a 'b' \\'").isUnclosed)
  }

  @Test(
    "ends before a word that begins with a number sign",
    arguments: [
      ("list -n 3 # don't", "list -n 3 "), ("# all", ""), ("a#b '#c' \\#d", "a#b '#c' \\#d"),
    ],
  )
  func comments(_ line: String, _ rest: String) {
    #expect(ShellLine(line).withoutComment == rest)
  }

  @Test("is parted at semicolons that stand alone")
  func parts() {
    #expect(ShellLine("a ; b 'c ; d' ;; e;").parts == ["a ", " b 'c ; d' ;; e;"])
    #expect(ShellLine("; a ;").parts == ["", " a ", ""])
    #expect(ShellLine("a ';' b \\; c").parts == ["a ';' b \\; c"])
  }
}

@Suite("Arguments that stand over earlier ones")
struct ArgumentsTests {
  private static let options = [
    CommandOption("", "n", value: "N", help: ""),
    CommandOption("feed", value: "FEED", isRepeatable: true, help: ""),
    CommandOption("json", help: ""), CommandOption("format", value: "F", help: ""),
    CommandOption("images", help: ""), CommandOption("no-images", help: ""),
    CommandOption("unread", help: ""), CommandOption("no-pager", help: ""),
  ]

  private func read(_ line: String) throws -> Arguments {
    try ArgumentReader(options: Self.options, command: nil).read(ShellLine(line).words)
  }

  @Test(
    "replace what is given once, join what is repeated, and displace opposites and rivals",
    arguments: [
      ("-n 3 --json", "a", "-n 3 --json a"), ("-n 3", "-n 5 a b", "-n 5 a b"),
      ("--feed a --feed b", "--feed c", "--feed a --feed b --feed c"),
      ("--format x", "--json", "--json"), ("--json", "--format x", "--format x"),
      ("--images", "--no-images", "--no-images"), ("--no-images", "--images", "--images"),
      ("--unread -n 3", "--no-unread", "-n 3"), ("--unread -n 3", "--no-n", "--unread"),
      ("--no-pager", "--pager", ""), ("--no-pager", "--no-no-pager", ""),
      ("--unread", "--no-unread --unread", "--unread"),
    ],
  )
  func order(_ earlier: String, _ typed: String, _ result: String) throws {
    let all = try read(typed).over(try read(earlier), rivals: [["json", "format"]])
    let wanted = try read(result)
    #expect(all.operands == wanted.operands)
    for option in Self.options {
      #expect(all.values(option.key) == wanted.values(option.key), "\(option.key)")
      #expect(all.has(option.key) == wanted.has(option.key), "\(option.key)")
    }
  }

  @Test("withdraw no option that is unknown")
  func unknown() {
    #expect(throws: Failure.self) { try read("--no-such") }
    #expect(throws: Failure.self) { try read("--no-") }
    #expect(throws: Failure.self) { try read("--no-json=1") }
  }
}
