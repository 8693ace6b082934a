import TestSupport
import Testing

/// What the page on reliability says about a process that was taken over, found by a library that runs
/// its code as soon as the cage of that process is closed, and tries each thing.
///
/// With `NEWS_OUTPUT=write` in the environment the page's table and list are written instead.
@Suite("The processes that strangers reach, taken over")
struct TakeoverTests {
  private enum Victim: String, CaseIterable {
    case file = "reads a file"
    case server = "asks servers"
    case database = "reads a database"
    case apps = "answers apps"
  }

  private let folder: TemporaryFolder
  private let (library, program, home): (String, String, String)
  private let page = BuiltProduct.fixture("../Sources/news/Documentation.docc/Reliability.md")
  private let other: Subprocess

  init() throws {
    folder = try TemporaryFolder()
    library = folder.path("taken-over.so")
    program = try BuiltProduct.path("news")
    home = folder.path("user/home")
    other = try Subprocess(["sleep", "1000"])
    mkdir(folder.path("user"), 0o700)
    try folder.write("secret\n", to: "user/key")
    let source = BuiltProduct.fixture("confinement/taken-over.c")
    let words = ["cc", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"]
    let compiled = try Subprocess.run(words)
    #expect(compiled.status == 0, Comment(rawValue: compiled.errorText))
    let feed = BuiltProduct.fixture("reuters/technology.xml")
    #expect(try news(["subscribe", feed]).status == 0)
    #expect(try news(["serve", "password"]).status == 0)
    let table = "CREATE TABLE rss_item (feedurl, guid, title, unread)"
    #expect(try Subprocess.run(["sqlite3", folder.path("user/cache.db"), table]).status == 0)
  }

  private func news(_ words: [String]) throws -> Subprocess.Result {
    try Subprocess.run([program] + words, environment: ["HOME": folder.path, "NEWS_HOME": home])
  }

  /// The attempts, in their order, but for those that are about programs that print.
  private func attempts() throws -> [String] {
    let others = [
      "print what it reads", "abort", "use much memory", "use much time", "know the home",
      "have other descriptors",
    ]
    return try readText(BuiltProduct.fixture("confinement/attempts.c"))
      .matches(of: #/\{"([^"]+)", \w+\}/#).map { String($0.1) }.filter { !others.contains($0) }
  }

  /// Returns the attempts that succeed.
  ///
  /// One that ends the process is the last one of its report; the others go on in another process.
  private func succeeding(_ victim: Victim) throws -> Set<String> {
    var (rest, found) = (try attempts()[...], Set<String>())
    while !rest.isEmpty {
      let ends = try ends(victim, rest)
      let tried = try #require(rest.lastIndex { ends[$0] != nil }, "\(victim) is not confined")
      for attempt in rest[...tried] {
        let end = try #require(ends[attempt])
        // Nobody listens at the port.
        if ["done", "Connection refused"].contains(end) { found.insert(attempt) }
      }
      rest = rest[(tried + 1)...]
    }
    return found
  }

  /// Returns the end of each attempt that was begun; one that ended the process has "begun" alone.
  private func ends(_ victim: Victim, _ attempts: ArraySlice<String>) throws -> [String: String] {
    let port = try freePort()
    let report = folder.path("report")
    _ = unlink(report)
    let words =
      switch victim {
      case .file: ["parse", BuiltProduct.fixture("reuters/technology.xml")]
      case .server: ["parse", "http://127.0.0.1:\(port)/"]
      case .database: ["import", folder.path("user/cache.db")]
      case .apps: ["serve", "--listen", "127.0.0.1:0"]
      }
    let process = try Subprocess(
      [program] + words,
      environment: [
        "LD_PRELOAD": library, "HOME": folder.path("user"), "NEWS_HOME": home,
        "ATTEMPT_REPORT": report, "ATTEMPTS": attempts.joined(separator: ";"),
        "ATTEMPT_FOLDER": folder.path("user"), "ATTEMPT_PROCESS": String(other.pid),
        "ATTEMPT_PORT": String(port), "ATTEMPT_HOME": home,
        "ATTEMPT_DOCUMENT": folder.path("user/cache.db"),
      ],
    )
    if victim == .apps, try process.readErrorLine().hasPrefix("listening") { process.send(SIGTERM) }
    _ = try process.wait()
    let lines = try readText(report).split(separator: "\n").map { line in
      line.split(separator: ": ", maxSplits: 1).map(String.init)
    }
    return Dictionary(lines.map { ($0[0], $0[1]) }) { $1 }
  }

  /// The lines of the page between those that say where they begin and end.
  private func found() throws -> String {
    let found = try Victim.allCases.map { (victim: $0, done: try succeeding($0)) }
    let names = found.map { " \($0.victim.rawValue) |" }.joined()
    var lines = ["| it could |\(names)", "|---|" + found.map { _ in "---|" }.joined()]
    var refused: [String] = []
    for attempt in try attempts() {
      let cells = found.map { $0.done.contains(attempt) ? " yes |" : " no |" }
      if cells.contains(" yes |") {
        lines.append("| \(attempt) |\(cells.joined())")
      } else {
        refused.append(attempt)
      }
    }
    return lines.joined(separator: "\n") + "\n\nNone of them could: "
      + refused.joined(separator: "; ") + ".\n"
  }

  @Test("can do what the page says, and nothing else that is tried; and nothing has changed")
  func table() throws {
    let before = try state()
    let found = try found()
    #expect(try state() == before)
    let text = try readText(page)
    let start = try #require(text.firstRange(of: "| it could |"))
    let end = try #require(text[start.lowerBound...].firstRange(of: ".\n\n"))
    let said = String(text[start.lowerBound..<end.lowerBound]) + ".\n"
    if getenv("NEWS_OUTPUT").map({ String(cString: $0) }) == "write" {
      try writeFile(page, text.replacing(said, with: found).utf8)
    }
    #expect(said == found)
  }

  /// The bytes and modes of the files that could be changed.
  private func state() throws -> [String] {
    let files =
      ["key", "cache.db"]
      + ["feeds.plist", "newsdata.plist", "serving.plist"].map {
        "home/" + $0
      }
    return try files.map { folder.path("user/" + $0) }.map { path in
      "\(path) \(try Subprocess.run(["stat", "-c", "%a %s %Y %u", path]).text)"
        + "\(try Subprocess.run(["sha256sum", path]).text)"
    } + [try Subprocess.run(["ls", "-a", folder.path("user")]).text]
  }
}
