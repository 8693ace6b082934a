import TestSupport
import Testing

/// The scripts of `.ci` in a package of their own, with tests that only print.
@Suite("The scripts that check and try")
struct CheckScriptTests {
  private let news: News
  private let package: String

  init() throws {
    news = try News()
    package = news.folder.path("package")
    let scripts = BuiltProduct.fixture("../.ci")
    #expect(
      try Subprocess.run(["mkdir", "-p", "\(package)/.build/release", news.folder.path("bin")])
        .status == 0
    )
    #expect(try Subprocess.run(["cp", "-r", scripts, package]).status == 0)
    try script("package/.ci/prepare", "true")
    try script("package/.ci/build", "echo '[1/2] Compiling'")
    try script("package/.ci/docs", "echo pages >&2")
    try script("package/.ci/instructions", "echo counted")
  }

  private func script(_ path: String, _ text: String) throws {
    try news.writeProgram(path, "#!/bin/sh\n\(text)\n")
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

  /// The words that choose the tests of each runner, besides those of `values`, which has the rest.
  private static let choices = [
    ("proofs", "--filter StoreProofTests|PolitenessTests|[.]ModelTests"),
    ("program", "--filter EndToEndTests"),
  ]

  /// Writes a file of tests that prints a text and ends with a status, another of each name.
  private func runners(_ texts: [String: String] = [:], status: [String: Int] = [:]) throws {
    let folder = news.folder.path
    for (number, name) in ["values", "program", "proofs"].enumerated() {
      let text = texts[name] ?? Self.passing.replacing("3 tests", with: "\(number + 3) tests")
      try news.folder.write(text, to: "\(name).text")
      try news.folder.write("exit \(status[name] ?? 0)\n", to: "\(name).end")
    }
    let cases = Self.choices.map { name, words in "*'\(words)'*) name=\(name) ;;" }
    try script(
      "package/.build/release/newsPackageTests.xctest",
      """
      name=values
      case "$*" in \(cases.joined(separator: "\n")) esac
      for events; do :; done
      [ ! -e "\(folder)/$name.events" ] || cp "\(folder)/$name.events" "$events"
      cat "\(folder)/$name.text" >&2
      . "\(folder)/$name.end"
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

  private static let endings = """
    ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.
    ✔ Test run with 4 tests in 1 suite passed after 0.1 seconds.
    ✔ Test run with 5 tests in 1 suite passed after 0.1 seconds.

    """

  private static let summary = """
    no test was skipped
    seconds of test cases, added up, by suite:

    """

  @Test("where all is well, the summary and the runners' last lines are printed")
  func passing() throws {
    try runners()
    let result = try run("test", "--counts")
    #expect(result.text == Self.summary + Self.endings)
    #expect(result.errorText.isEmpty && result.status == 0)
  }

  private static let failure = """
    ✘ Test case passing 1 argument text → "x
    y" to "texts" recorded an issue at Texts.swift:7:5: Expectation failed: a == b
    ↳ // why it
    matters

    """

  @Test(
    "the failures of one runner beside two good ones are printed, and the status says so",
    arguments: ["values", "program", "proofs"],
  )
  func failing(_ name: String) throws {
    let end = "✘ Test run with 9 tests in 1 suite failed after 0.1 seconds with 1 issue.\n"
    let others = "◇ Test other() started.\n✔ Test other() passed after 0.1 seconds.\n"
    try runners([name: Self.failure + others + end], status: [name: 1])
    let result = try run("test")
    #expect(result.text.hasPrefix(Self.failure + Self.summary))
    let endings = result.text.dropFirst(Self.failure.count + Self.summary.count)
    #expect(endings.split(separator: "\n").count == 3 && endings.contains(end))
    #expect(endings.components(separatedBy: "✔ Test run with").count == 3)
    #expect(result.status == 1)
  }

  @Test("a runner that dies shows its last words, and is said to have died at the end")
  func crash() throws {
    try runners(["proofs": "◇ Test deep() started.\n"])
    try news.folder.write("echo crashed >&2; kill -SEGV $$\n", to: "proofs.end")
    let result = try run("test")
    #expect(result.text.hasPrefix("◇ Test deep() started.\ncrashed\n"))
    let end = "✘ The runner of the proofs ended with status 139, and without a last line.\n"
    #expect(result.text.hasSuffix("seconds.\n" + end))
    #expect(result.status == 1)
  }

  @Test("a runner that ends well, but without a last line, has not run its tests")
  func silent() throws {
    try runners(["values": "◇ Test run started.\n"])
    let result = try run("test")
    #expect(result.text.contains("the values ended with status 0, and without a last line.\n"))
    #expect(result.status == 1)
  }

  private static func event(
    _ kind: String,
    _ seconds: Double,
    _ test: String,
    _ more: String = "",
  )
    -> String
  {
    """
    {"kind":"event","version":0,"payload":{"kind":"\(kind)","testID":"\(test)",
    "instant":{"absolute":\(seconds)}\(more)}}
    """.replacing("\n", with: "") + "\n"
  }

  @Test("tests are skipped for reasons, and cases last from their start to their end")
  func summary() throws {
    try runners()
    let message = { (text: String) in ",\"messages\":[{\"symbol\":\"skip\",\"text\":\"\(text)\"}]" }
    let reason = #"skipped: \"no\nroot\""#
    let skipped = [
      Self.event("testSkipped", 1, "A.B", message("Suite B \(reason)")),
      Self.event("testSkipped", 1, "A.B/c()/B.swift:1:2", message("Test c() \(reason)")),
      Self.event("testSkipped", 1, "A.B/d()/B.swift:3:2", message("Test d() \(reason)")),
      Self.event("testSkipped", 1, "A.E/f()/E.swift:3:2", message("Test f() skipped.")),
    ]
    try news.folder.write(skipped.joined(), to: "proofs.events")
    let text = { (name: String) in ",\"_testCase\":{\"id\":\"\(name)\"}" }
    let cases = [
      Self.event("testStarted", 0, "A.G/h(_:)/G.swift:1:2"),
      Self.event("testCaseStarted", 5, "A.G/h(_:)/G.swift:1:2", text("1")),
      Self.event("testCaseStarted", 6, "A.G/h(_:)/G.swift:1:2", text("2")),
      Self.event("testCaseEnded", 6.5, "A.G/h(_:)/G.swift:1:2", text("1")),
      Self.event("testCaseEnded", 7, "A.G/h(_:)/G.swift:1:2", text("2")),
      Self.event("testCaseStarted", 7, "A.G/i()/G.swift:3:2", text("1")),
      Self.event("testCaseEnded", 8, "A.G/i()/G.swift:3:2", text("1")),
      "{\"kind\":\"event\",\"pay",
    ]
    try news.folder.write(cases.joined(), to: "values.events")
    let result = try run("test")
    #expect(
      result.text == """
        2 skipped: no root
        1 skipped: no reason
        seconds of test cases, added up, by suite:
            3.5 A.G

        """ + Self.endings
    )
  }

  @Test("counts that have grown are printed, and the status says so")
  func counts() throws {
    try runners()
    try script("package/.ci/instructions", "echo 'parse +9.0 %  <- more'; exit 1")
    let result = try run("test", "--counts")
    #expect(result.text == "parse +9.0 %  <- more\n" + Self.summary + Self.endings)
    #expect(result.status == 1)
    #expect(try run("test").status == 0)
  }

  @Test("counts of another compiler are said to prove nothing")
  func foreignCounts() throws {
    try runners()
    try script("package/.ci/instructions", "echo 'this proves nothing.'")
    let result = try run("test", "--counts")
    #expect(result.text.contains("this proves nothing.\n") && result.status == 0)
    #expect(result.text.hasSuffix(Self.endings))
  }

  @Test("a build says something only where it fails, and nothing of its progress")
  func build() throws {
    try runners()
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
    try runners()
    try script("bin/swift", "exit 0")
    let result = try run("run")
    #expect(result.text == Self.summary + Self.endings && result.status == 0)
    try script("package/.ci/docs", "echo 'a link leads nowhere'; exit 1")
    let broken = try run("run")
    #expect(broken.text == "a link leads nowhere\n" && broken.status == 1)
  }

  @Test("the README's first command reads a feed in a home of its own")
  func firstCommand() throws {
    let commands = try Page.readme().lines(of: "sh")
    let line = try #require(commands.first)
    #expect(commands.contains(".ci/test"))
    try script("bin/swift", "mkdir -p .build/release")
    try script("package/.ci/packaging/link", "cp '\(news.program)' \"$2\"")
    let feed = BuiltProduct.fixture("reuters/technology.xml")
    #expect(line == ".ci/try Fixtures/reuters/technology.xml")
    let result = try run("try", feed)
    #expect(result.status == 0, "\(result.errorText)")
    #expect(result.text.split(separator: "\n").count == 25)
    #expect(result.errorText.contains("export NEWS_HOME="))
  }

  @Test("without root, what is missing is named with what a user can do, and nothing is installed")
  func withoutRoot() throws {
    try script("bin/swift", "true")
    try script("bin/id", "echo 1000")
    try script("bin/ldconfig", "true")
    try script("bin/apt-cache", "[ $3 != libcurl4t64 ]")
    try script(
      "bin/apt-get",
      """
      echo 'Need to get 9 MB of archives.'; echo "$*" >>'\(package)/asked'
      for word; do case $word in lib*) echo "Inst $word (1 Debian)"; echo "Inst $word-needs (1 Debian)" ;; esac; done
      """,
    )
    #expect(
      try Subprocess.run(["cp", BuiltProduct.fixture("../.ci/prepare"), "\(package)/.ci"]).status
        == 0
    )
    let result = try Subprocess.run(
      ["\(package)/.ci/prepare"],
      environment: news.settings.merging(["PATH": "\(news.folder.path("bin")):/usr/bin:/bin"]) {
        $1
      },
    )
    #expect(result.status == 1 && result.errorText.hasPrefix("missing here: "))
    #expect(result.errorText.contains("\nNeed to get 9 MB of archives.\n"))
    #expect(
      result.errorText.contains("apt-get download libcurl4 libcurl4-needs libpcre2-8-0 "),
      "\(result.errorText)",
    )
    let asked = try readText("\(package)/asked").split(separator: "\n")
    #expect(asked.allSatisfy { $0.contains("--assume-no") || $0.contains("--simulate") })
  }
}
