import TestSupport
import Testing

/// The scripts of `.ci` in a package of their own, with a `swift` that only prints.
@Suite("The scripts that check and try")
struct CheckScriptTests {
  private let news: News
  private let package: String

  init() throws {
    news = try News()
    package = news.folder.path("package")
    let scripts = BuiltProduct.fixture("../.ci")
    #expect(try Subprocess.run(["mkdir", "-p", package, news.folder.path("bin")]).status == 0)
    #expect(try Subprocess.run(["cp", "-r", scripts, package]).status == 0)
    try script("package/.ci/install", "echo installing >&2")
    try script("package/.ci/build", "echo '[1/2] Compiling'")
    try script("package/.ci/docs", "echo pages >&2")
    try script("package/.ci/instructions", "echo counted")
  }

  private func script(_ path: String, _ text: String) throws {
    let path = try news.folder.write("#!/bin/sh\n\(text)\n", to: path)
    #expect(try Subprocess.run(["chmod", "+x", path]).status == 0)
  }

  private func run(_ words: String...) throws -> Subprocess.Result {
    try Subprocess.run(
      ["\(package)/.ci/\(words[0])"] + words.dropFirst(),
      environment: news.settings.merging(
        ["PATH": "\(news.folder.path("bin")):/usr/local/bin:/usr/bin:/bin", "TMPDIR": nil]
      ) { $1 },
      folder: news.folder.path,
    )
  }

  /// Writes a runner of tests that prints one text for the proofs and another for all else.
  private func runner(_ proofs: String, _ others: String, status: Int = 0) throws {
    try news.folder.write(proofs, to: "proofs")
    try news.folder.write(others, to: "others")
    let folder = news.folder.path
    try script(
      "bin/swift",
      """
      case "$*" in
      *--filter*) cat '\(folder)/proofs' ;;
      *--skip*) cat '\(folder)/others'; [ \(status) -lt 128 ] || echo crashed >&2; exit \(status) ;;
      esac
      """,
    )
  }

  private static let passing = """
    Test Suite 'All tests' started
    ◇ Suite "Texts" started.
    ◇ Test case passing 1 argument text → "a
    b ✘ c" to "texts" started.
    ✔ Test case passing 1 argument text → "a
    b ✘ c" to "texts" passed after 0.1 seconds.
    ➜ Test power() skipped: "not
    here"
    printed by a test
    ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.

    """

  @Test("where all is well, only the runner's last lines are printed")
  func passing() throws {
    try runner(Self.passing.replacing("3 tests", with: "2 tests"), Self.passing)
    let result = try run("test", "--counts")
    #expect(
      result.text == """
        ✔ Test run with 2 tests in 1 suite passed after 0.1 seconds.
        ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.

        """
    )
    #expect(result.errorText.isEmpty && result.status == 0)
  }

  @Test("what fails is printed with what belongs to it, and the status says so")
  func failing() throws {
    let failure = """
      ✘ Test case passing 1 argument text → "x
      y" to "texts" recorded an issue at Texts.swift:7:5: Expectation failed: a == b
      ↳ // why it
      matters
      ◇ Test other() started.
      ✔ Test other() passed after 0.1 seconds.
      ✘ Test run with 3 tests in 1 suite failed after 0.1 seconds with 1 issue.

      """
    try runner(Self.passing, failure, status: 1)
    let result = try run("test")
    #expect(
      result.text == """
        ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.
        ✘ Test case passing 1 argument text → "x
        y" to "texts" recorded an issue at Texts.swift:7:5: Expectation failed: a == b
        ↳ // why it
        matters
        ✘ Test run with 3 tests in 1 suite failed after 0.1 seconds with 1 issue.

        """
    )
    #expect(result.status == 1)
  }

  @Test("a runner that dies shows its last words")
  func crash() throws {
    try runner(Self.passing, "◇ Test deep() started.\n", status: 139)
    let result = try run("test")
    #expect(result.text.hasSuffix("◇ Test deep() started.\n"))
    #expect(result.errorText == "" && result.text.contains("crashed\n"))
    #expect(result.status == 139)
  }

  @Test("counts that have grown end it, and the network's tests do not run")
  func counts() throws {
    try runner(Self.passing, Self.passing)
    try script("package/.ci/instructions", "echo 'parse +9.0 %  <- more'; exit 1")
    let result = try run("test", "--counts")
    #expect(result.text.hasSuffix("parse +9.0 %  <- more\n"))
    #expect(result.text.split(separator: "\n").count == 2 && result.status == 1)
    #expect(try run("test").status == 0)
  }

  @Test("counts of another compiler are said to prove nothing")
  func foreignCounts() throws {
    try runner(Self.passing, Self.passing)
    try script("package/.ci/instructions", "echo 'this proves nothing.'")
    let result = try run("test", "--counts")
    #expect(result.text.contains("this proves nothing.\n") && result.status == 0)
    #expect(result.text.hasSuffix("passed after 0.1 seconds.\n"))
  }

  @Test("a build says something only where it fails, and nothing of its progress")
  func build() throws {
    try runner(Self.passing, Self.passing)
    try script(
      "package/.ci/build",
      "echo '[1/2] Compiling A'; echo 'A.swift:1:1: error: no'; exit 3",
    )
    let result = try run("test")
    #expect(result.text + result.errorText == "A.swift:1:1: error: no\n")
    #expect(result.status == 3)
  }

  @Test("the check ends on the tests' last lines, and with the first step that fails")
  func check() throws {
    try runner(Self.passing, Self.passing)
    let result = try run("run")
    #expect(result.text.split(separator: "\n").count == 2 && result.status == 0)
    try script("package/.ci/docs", "echo 'a link leads nowhere'; exit 1")
    let broken = try run("run")
    #expect(broken.text == "a link leads nowhere\n" && broken.status == 1)
  }

  @Test("the README's first command reads a feed in a home of its own")
  func firstCommand() throws {
    let commands = try Page.readme().lines(of: "sh")
    let line = try #require(commands.first)
    #expect(commands.contains(".ci/test"))
    try script("bin/swift", "mkdir -p .build/release; cp '\(news.program)' .build/release/news")
    let feed = BuiltProduct.fixture("reuters/technology.xml")
    #expect(line == ".ci/try Fixtures/reuters/technology.xml")
    let result = try run("try", feed)
    #expect(result.status == 0, "\(result.errorText)")
    #expect(result.text.split(separator: "\n").count == 25)
    #expect(result.errorText.contains("export NEWS_HOME="))
  }
}
