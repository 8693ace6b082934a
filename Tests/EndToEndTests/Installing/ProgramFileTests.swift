import TestSupport
import Testing

@Suite("The program as a file that the system loads")
struct ProgramFileTests {
  private let news: News

  init() throws {
    news = try News()
  }

  /// Returns the parts of `readelf`'s output on where a program looks for libraries, and how it is
  /// linked.
  private func header(_ program: String) throws -> String {
    let result = try Subprocess.run(
      ["readelf", "--wide", "--dynamic", "--program-headers", program],
      environment: ["LC_ALL": "C"],
    )
    try #require(result.status == 0)
    return result.text
  }

  @Test("what the loader has filled in cannot be overwritten")
  func relocations() throws {
    let header = try header(news.program)
    #expect(header.contains("GNU_RELRO"))
    #expect(header.contains("BIND_NOW") || header.contains("Flags: NOW"))
  }

  /// A package that is built in seconds, where `news` takes minutes.
  private static let package = [
    "Package.swift": """
    // swift-tools-version: 6.2
    import PackageDescription
    let package = Package(name: "news", targets: [.executableTarget(name: "news")])
    """,
    // Its output is laid out as its page, its completions and its timer.
    "Sources/news/main.swift":
      "for unit in [\"service\", \"timer\"] { print(\"# /x/news-fetch.\\(unit)\\n[Unit]\") }\n",
  ]

  @Test("what install-news builds looks for no library beside itself")
  func runPath() throws {
    let script = BuiltProduct.fixture("../.ci/install-news")
    let folders = ["mkdir", "-p", "package/.ci", "package/Sources/news"]
    #expect(try Subprocess.run(folders, folder: news.folder.path).status == 0)
    for (name, text) in Self.package { try news.folder.write(text, to: "package/\(name)") }
    let packaging = BuiltProduct.fixture("../.ci/packaging")
    let copy = ["cp", "-R", script, packaging, news.folder.path("package/.ci")]
    #expect(try Subprocess.run(copy).status == 0)
    let installed = try Subprocess.run(
      [news.folder.path("package/.ci/install-news"), news.folder.path("prefix")],
      environment: ["HOME": news.folder.path],
    )
    try #require(installed.status == 0, "\(installed.text)\(installed.errorText)")
    let header = try header(news.folder.path("prefix/bin/news"))
    #expect(header.contains("NEEDED") && !header.contains("ORIGIN"))
  }

  @Test("wherever pages and scripts build the program, no library beside it is taken")
  func everyBuild() throws {
    var builds = 0
    let scripts = try ["install-news", "try", "build", "test"].map { name in
      (name, try readText(BuiltProduct.fixture("../.ci/\(name)")))
    }
    for (name, text) in try Page.all().map({ ($0.name, $0.text) }) + scripts {
      for start in ["swift build ", "swift test "] {
        for build in text.split(separator: start, omittingEmptySubsequences: false).dropFirst() {
          let words = build.prefix { !"&`\n)".contains($0) }
          #expect(words.contains("--disable-local-rpath"), "\(name): \(start)\(words)")
          builds += 1
        }
      }
    }
    #expect(builds > 4)
  }

  @Test(
    "arguments come to main, whatever became of /proc",
    .enabled(if: NetworkNamespace.isAllowed, "mounts of the test's own need root"),
  )
  func withoutProc() throws {
    let result = try Subprocess.run(
      ["unshare", "--mount", "sh", "-c", "umount -l /proc && exec \"$0\" \"$@\""]
        + [news.program, "subscribe", "a \u{e9}", ""],
      environment: ["NEWS_HOME": news.home],
      folder: news.folder.path,
    )
    #expect(
      result.errorText
        == "news: a é: no such file, and not a URL\nnews: a feed name cannot be empty\n"
    )
    #expect(result.status == 1)
    let script = "umount -l /proc && exec \"$0\" schedule install --print"
    let timed = try Subprocess.run(
      ["unshare", "--mount", "sh", "-c", script, news.program],
      environment: news.settings,
    )
    #expect(timed.text.contains("\(news.program) fetch --due"), "\(timed.errorText)")
  }

  @Test(
    "without HOME, the folder of the passwd entry is the user's own",
    .enabled(if: NetworkNamespace.isAllowed, "mounts of the test's own need root"),
  )
  func withoutHome() throws {
    let entry = "root:x:0:0::\(news.folder.path):/bin/sh\n"
    try news.folder.write(entry, to: "passwd")
    let result = try Subprocess.run(
      ["unshare", "--mount", "sh", "-c", "mount --bind passwd /etc/passwd && exec \"$@\"", "sh"]
        + [news.program, "subscribe", BuiltProduct.fixture("reuters/technology.xml")],
      environment: news.settings.merging(["HOME": nil, "NEWS_HOME": nil]) { $1 },
      folder: news.folder.path,
    )
    #expect(result.status == 0, "\(result.errorText)")
    #expect(try !readFile(news.folder.path(".local/share/news/newsdata.plist")).isEmpty)
  }
}
