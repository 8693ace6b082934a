import TestSupport
import Testing

@Suite("The process that reads what strangers wrote")
struct ConfinementTests {
  private let folder: TemporaryFolder
  private let user: String
  private let home: String
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    user = folder.path("user")
    home = user + "/.local/share/news"
    program = try BuiltProduct.path("news")
    for name in ["", "/.ssh", "/Sync"] { mkdir(user + name, 0o700) }
    for name in [".profile", ".ssh/id_ed25519", ".ssh/authorized_keys", "Sync/file"] {
      try writeFile("\(user)/\(name)", "mine\n".utf8)
    }
    symlink("../.ssh/authorized_keys", user + "/Sync/link")
  }

  private var settings: [String: String?] {
    ["HOME": user, "NEWS_HOME": nil, "XDG_DATA_HOME": nil, "TZ": "UTC", "TERM": "dumb"]
  }

  private func news(_ words: String...) throws -> Subprocess.Result {
    try Subprocess.run([program] + words, environment: settings)
  }

  private func hasLandlock() throws -> Bool {
    try news("doctor", "--offline").text.contains("ok\tsandbox\tLandlock ")
  }

  private func publish(_ titles: [String]) throws {
    let items = titles.map { "<item><title>\($0)</title></item>" }.joined()
    let text = "<rss version=\"2.0\"><channel><title>Feed</title>\(items)</channel></rss>"
    try writeFile(user + "/feed.xml", text.utf8)
  }

  @Test("can write no .profile and nothing at home, read no key and run no shell")
  func attempts() throws {
    let probe = try BuiltProduct.path("StoreProbe")
    let words = [probe, "confined", home, user + "/Sync"]
    let result = try Subprocess.run(words, environment: settings)
    var answers: [String: String] = [:]
    for line in result.text.split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
      answers[parts[0]] = parts.last
    }
    let mayDo = ["read settings"]
    let mayNot = [
      "write at home", "write in the folder", "replace in the folder", "write .profile",
      "make .bashrc", "read a key", "list the keys", "write through a link",
      "move onto the keys", "make a link", "run a shell",
    ]
    let hasLandlock = try hasLandlock()
    for attempt in mayDo { #expect(answers[attempt] == "done", "\(attempt)") }
    for attempt in mayNot { #expect((answers[attempt] != "done") == hasLandlock, "\(attempt)") }
    #expect(try readText(user + "/.profile") == (hasLandlock ? "mine\n" : "xine\n"))
    print("confined in \(answers["microseconds"] ?? "-") microseconds")
  }

  @Test("the first fetch of a home, by whatever command, and doctor say which wall is missing")
  func missingWall() throws {
    let shim = folder.path("shim.so")
    let source = BuiltProduct.fixture("confinement/without-filter.c")
    let compiled = try Subprocess.run(["cc", "-Wall", "-shared", "-fPIC", "-o", shim, source])
    try #require(compiled.status == 0, Comment(rawValue: compiled.errorText))
    let none = settings.merging(["LD_PRELOAD": shim]) { $1 }
    let sentence =
      "a wall is missing: there is no filter of calls for this system: invalid argument; "
      + (try hasLandlock() ? "Landlock " : "a feed that takes over the process that reads it ")
    try publish(["one"])
    _ = try news("subscribe", "--no-check", user + "/feed.xml")
    let first = try Subprocess.run([program, "fetch"], environment: none).errorText
    #expect(first.contains(sentence), "\(first)")
    let second = try Subprocess.run([program, "fetch"], environment: none).errorText
    #expect(!second.contains("a wall is missing"), "\(second)")
    let found = try Subprocess.run([program, "doctor", "--offline"], environment: none).text
    #expect(found.contains("note\tsandbox\t" + sentence), "\(found)")
  }

  @Test("what the user has configured is run all the same, with all of the user's rights")
  func commands() throws {
    try publish(["one"])
    #expect(try news("subscribe", user + "/feed.xml").status == 0)
    try publish(["two", "one"])
    let told = try news("fetch", "--on-new", "cat >~/told; echo $PPID >~/runner; exit 3")
    #expect(told.text.hasPrefix("newData: 1 new"))
    #expect(told.errorText == "news: --on-new: the command exited with status 3\n")
    #expect(try readText(user + "/told").contains("\"two\""))
  }

  @Test("the process that runs commands ends with the one that it serves, and the commands with it")
  func end() throws {
    try publish(["one"])
    _ = try news("subscribe", user + "/feed.xml")
    try publish(["two", "one"])
    let runner = try Subprocess(
      [program, "fetch", "--on-new", "sleep 3600 & echo $PPID $! >~/runner; wait"],
      environment: settings,
    )
    waitUntil { (try? readText(user + "/runner"))?.hasSuffix("\n") == true }
    let numbers = try readText(user + "/runner").split(whereSeparator: \.isWhitespace)
      .compactMap { Int32($0) }
    #expect(numbers.count == 2 && numbers.allSatisfy { $0 != runner.pid && kill($0, 0) == 0 })
    runner.send(SIGKILL)
    _ = try runner.wait()
    for number in numbers {
      waitUntil { kill(number, 0) != 0 }
      #expect(kill(number, 0) != 0)
    }
  }

  @Test("a command that has ended leaves no process to the first one, which may wait for none")
  func leftBehind() throws {
    try publish(["one"])
    let names = "for file in /proc/[0-9]*/comm; do read name <$file; echo $name; done"
    for word in ["parse", "subscribe"] {
      let line = "\"$0\" \(word) ~/feed.xml >/dev/null 2>&1; \(names)"
      let first = ["unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", line, program]
      #expect(try Subprocess.run(first, environment: settings).text == "sh\n")
    }
  }

  @Test("follows a data file that is a link, and a home that is one, to where they really are")
  func links() throws {
    mkdir(user + "/disk", 0o700)
    mkdir(user + "/real", 0o700)
    symlink("real", user + "/home")
    symlink("../disk/data.plist", user + "/real/newsdata.plist")
    try publish(["one"])
    let subscribed = try news("subscribe", user + "/feed.xml", "--home", user + "/home")
    #expect(subscribed.status == 0, Comment(rawValue: subscribed.errorText))
    #expect(try readFile(user + "/disk/data.plist").starts(with: "bplist".utf8))
    #expect(try news("refresh", "--home", user + "/home").status == 0)
  }
}
