import TestSupport
import Testing

@Suite("Completion, in the shells themselves")
struct CompletionTests {
  private let news: News
  private let shell: TypingShell

  /// Titles that would do harm in a shell that evaluated them; each begins with its own letter.
  private static let titles = [
    "A $(touch CANARY) $HOME ${x} $x", "B `touch CANARY` `", #"C "double" 'single' \back \\ \n"#,
    "D ; touch CANARY & | < > ( ) { } [ ]", "E !! ! !$ ^a^b", "F * ? ~ ~root [a-z] {a,b} #x",
    "G %s %n %d\u{9}tab\u{a}line", "H: colon = equals @ at", "I 東京 café 👩‍👩‍👧",
    "J 'unclosed", #"K "unclosed"#, #"L \"#, "M \u{1b}[31m\u{7}red", "N\u{2028}separator",
  ]

  private static let printed = titles.map { title in
    title.replacing("\u{9}", with: " ").replacing("\u{a}", with: " ")
      .replacing("\u{2028}", with: " ").replacing("\u{1b}[31m\u{7}", with: "[31m")
  }

  init() throws {
    news = try News()
    shell = TypingShell(news: news)
  }

  private func subscribe(_ titles: [String]) throws {
    for (number, title) in titles.enumerated() {
      let text = title.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing("CANARY", with: canary)
      let items = (1...3).map { "<item><title>story \($0)</title><guid>\($0)</guid></item>" }
      try news.folder.write(
        "<rss version=\"2.0\"><channel><title>\(text)</title>\(items.joined())</channel></rss>",
        to: "feed\(number).xml",
      )
      #expect(try news.run("subscribe", "feed\(number).xml").status == 0)
    }
  }

  private var canary: String { news.folder.path("canary") }

  @Test(
    "what feeds are called is typed for the user as it is, and never evaluated",
    arguments: TypingShell.all,
    ["", "'", "\""],
  )
  func hostileTitles(_ name: String, _ quote: String) throws {
    try subscribe(Self.titles)
    let lines = Self.titles.map { "refresh \(quote)\($0.first ?? "?")\t" }
    let words = try shell.words(name, lines)
    let wanted = Self.printed.map { ["refresh", $0.replacing("CANARY", with: canary)] }
    for (typed, title) in zip(words, wanted) { #expect(typed == title) }
    #expect(words.count == wanted.count)
    #expect(access(canary, F_OK) != 0)
  }

  @Test("a word is completed wherever it stands", arguments: TypingShell.all)
  func words(_ name: String) throws {
    try subscribe(["Reuters: Technology News"])
    #expect(try news.run("subscribe", "feed0.xml", "--tag", "work").status == 0)
    for rule in ["chips", "to do"] {
      #expect(try news.run("rules", "add", rule, "--grep", "x").status == 0)
    }
    try news.folder.write("", to: "a file.opml")
    let path = news.folder.path("a file.opml")
    let cases: [(String, [String])] = [
      ("compl\tba\t", ["completions", "bash"]),
      ("lis\t--unr\t", ["list", "--unread"]),
      ("--col\tnev\tlis\t", ["--color", "never", "list"]),
      ("list --feed=reu\t", ["list", "--feed=Reuters: Technology News"]),
      ("list --feed Reuters:\t", ["list", "--feed", "Reuters: Technology News"]),
      ("list --feed tech\t", ["list", "--feed", "Reuters: Technology News"]),
      ("refresh tag:wo\t", ["refresh", "tag:work"]),
      ("list --feed tag:\t", ["list", "--feed", "tag:work"]),
      ("list --feed=ta\t", ["list", "--feed=tag:work"]),
      ("list --feed sea\tt\t", ["list", "--feed", "search:to do"]),
      ("list --grep is:st\t", ["list", "--grep", "is:starred"]),
      ("list --grep 'x -is:st\t", ["list", "--grep", "x -is:starred"]),
      ("list --grep '(tag:w\t", ["list", "--grep", "(tag:work"]),
      (
        "list --grep 'x feed:\"reu\t", ["list", "--grep", "x feed:\"Reuters: Technology News\""],
      ),
      ("rules rem\tch\t", ["rules", "remove", "chips"]),
      ("rules add x --then st\t", ["rules", "add", "x", "--then", "star"]),
      ("-n 3 lis\t", ["-n", "3", "list"]),
      ("import \(news.folder.path)/a\t", ["import", path]),
      ("help unsubs\t", ["help", "unsubscribe"]),
      ("-- lis\t", ["--", "list"]),
    ]
    let words = try shell.words(name, cases.map(\.0))
    for (typed, wanted) in zip(words, cases.map(\.1)) { #expect(typed == wanted) }
    #expect(words.count == cases.count)
  }

  @Test("bash is given the numbers of the last list, and shows their titles when asked again")
  func bashNumbers() throws {
    try subscribe(["Example"])
    #expect(try news.run("refresh").status == 0)
    let complete = "source <(news completions bash); COMP_WORDS=(news open ''); COMP_CWORD=2; "
    let plain = try shell.run("bash", complete + #"_news; printf '%s\n' "${COMPREPLY[@]}""#)
    #expect(plain.text == "1\n2\n3\n")
    let shown = try shell.run(
      "bash",
      complete + #"COMP_TYPE=63 _news; printf '%s\n' "${COMPREPLY[@]}""#,
    )
    #expect(shown.text == "1  story 1\n2  story 2\n3  story 3\n")
    #expect(plain.errorText.isEmpty && shown.errorText.isEmpty)
  }

  @Test("fish is given words and what they mean")
  func fishMeanings() throws {
    try subscribe(["Example"])
    #expect(try news.run("refresh").status == 0)
    let load = "news completions fish | source; complete -C "
    #expect(
      try shell.run("fish", load + "'news open '").text == "1\tstory 1\n2\tstory 2\n3\tstory 3\n"
    )
    #expect(
      try shell.run("fish", load + "'news unsubs'").text == "unsubscribe\tstop following a feed\n"
    )
    #expect(
      try shell.run("fish", load + "'news refresh Ex'").text
        == "Example\t\(news.folder.path("feed0.xml"))\n"
    )
  }

  @Test("zsh shows what the numbers mean")
  func zshMeanings() throws {
    try subscribe(["Example"])
    #expect(try news.run("refresh").status == 0)
    let result = try shell.run(
      "zsh",
      """
      compdef() {}; source <(news completions zsh)
      compadd() { print -rl -- $values $shown }
      words=(news open ''); CURRENT=3; PREFIX=; _news
      """,
    )
    #expect(result.text == "1\n2\n3\n1  story 1\n2  story 2\n3  story 3\n")
    #expect(result.errorText.isEmpty)
  }

  @Test("without a home, with a broken one and without the program, nothing is said")
  func silence() throws {
    try news.folder.write("not a property list", to: "feeds.plist")
    let line = "COMP_WORDS=(news --home \(news.folder.path) open ''); COMP_CWORD=4; _news; "
    let count = #"echo "${#COMPREPLY[@]}""#
    let load = "source <(news completions bash); "
    for setting in ["", "unset HOME NEWS_HOME; ", "PATH=/nowhere; "] {
      let result = try shell.run("bash", load + setting + line + count)
      #expect(result.text == "0\n")
      #expect(result.errorText.isEmpty)
    }
  }
}
