import TestSupport
import Testing

@Suite("Installing and removing")
struct InstallTests {
  private let news: News
  private let prefix: String

  init() throws {
    news = try News()
    prefix = news.folder.path("a prefix")
  }

  private func script(_ name: String, _ arguments: String...) throws -> Subprocess.Result {
    let script = BuiltProduct.fixture("../.ci/\(name)")
    return try Subprocess.run([script] + arguments, environment: ["HOME": news.folder.path])
  }

  private func files() throws -> [String] {
    let found = try Subprocess.run(["find", ".", "-type", "f"], folder: prefix)
    return found.text.split(separator: "\n").map(String.init).sorted()
  }

  @Test("the program, its page and its completions come under a prefix, and go again")
  func installAndRemove() throws {
    let installed = try script("install-news", prefix, news.program)
    #expect(installed.status == 0)
    #expect(
      try files() == [
        "./bin/news", "./share/bash-completion/completions/news", "./share/doc/news/installed",
        "./share/fish/vendor_completions.d/news.fish", "./share/man/man1/news-json.1",
        "./share/man/man1/news.1",
        "./share/systemd/user/news-fetch.service", "./share/systemd/user/news-fetch.timer",
        "./share/zsh/site-functions/_news",
      ]
    )
    let version = try Subprocess.run(["\(prefix)/bin/news", "--version"])
    #expect(version.text == (try news.run("--version")).text)
    let sections = try Subprocess.run(["readelf", "--sections", "\(prefix)/bin/news"])
    #expect(sections.status == 0 && !sections.text.contains(".symtab"))
    #expect(try script("install-news", prefix, news.program).status == 0)
    #expect(try script("remove-news", prefix).status == 0)
    #expect(throws: POSIXFailure.self) { try namesInFolder(prefix) }
    let again = try script("remove-news", prefix)
    #expect(again.status == 1 && again.errorText.contains("share/doc/news/installed is not there"))
  }

  @Test("folders that were there before stay, also empty ones, and after an upgrade")
  func formerFolders() throws {
    let folders = ["bin", "share/man", "share/zsh"].map { "\(prefix)/\($0)" }
    #expect(try Subprocess.run(["mkdir", "-p"] + folders).status == 0)
    for _ in 1...2 { #expect(try script("install-news", prefix, news.program).status == 0) }
    #expect(try script("remove-news", prefix).status == 0)
    let left = try Subprocess.run(["find", ".", "-mindepth", "1"], folder: prefix).text
    #expect(
      left.split(separator: "\n").sorted() == ["./bin", "./share", "./share/man", "./share/zsh"]
    )
  }

  @Test("with DESTDIR nothing comes under the prefix itself, and no file names that folder")
  func staged() throws {
    let stage = news.folder.path("stage")
    let run = { (words: [String]) in
      try Subprocess.run(
        [BuiltProduct.fixture("../.ci/\(words[0])"), prefix] + words.dropFirst(),
        environment: ["HOME": news.folder.path, "DESTDIR": stage],
      )
    }
    #expect(try run(["install-news", news.program]).status == 0)
    #expect(throws: POSIXFailure.self) { try namesInFolder(prefix) }
    let service = try readText("\(stage)\(prefix)/share/systemd/user/news-fetch.service")
    #expect(service.contains("\nExecStart=\"\(prefix)/bin/news\" fetch"))
    #expect(try Subprocess.run(["grep", "-rF", stage, stage]).status == 1)
    #expect(try run(["remove-news"]).status == 0)
    #expect(try Subprocess.run(["find", stage, "-type", "f"]).text == "")
  }

  @Test("what is printed to be typed is quoted")
  func quoted() throws {
    let odd = news.folder.path("a $(b) c")
    let text = try script("install-news", odd, news.program).text
    let line = try #require(text.split(separator: "\n").first { $0.contains("export ") })
    let command = try #require(line.split(separator: ": ", maxSplits: 1).last)
    let found = try Subprocess.run(["bash", "-c", "\(command); command -v news"])
    #expect(found.text == "\(odd)/bin/news\n")
  }

  @Test("units and crontab lines of this program go with it, those of another one stay")
  func timers() throws {
    let units = news.folder.path(".config/systemd/user")
    let bin = news.folder.path("bin")
    try news.writeProgram("crontab", "#!/bin/sh\necho 'no crontab for you' >&2\nexit 1\n")
    #expect(try Subprocess.run(["mkdir", "-p", units, bin]).status == 0)
    #expect(try Subprocess.run(["mv", news.folder.path("crontab"), bin]).status == 0)
    let odd = news.folder.path("a $x 100%")
    for (owner, stays) in [
      ("/usr/bin/news", true), (news.folder.path("a $$x 100%%/bin/news"), false),
    ] {
      #expect(try script("install-news", odd, news.program).status == 0)
      let mark = "# news schedule: 1 *\n"
      try news.folder.write(mark, to: ".config/systemd/user/news-fetch.timer")
      try news.folder.write(
        mark + "[Service]\nExecStart=\"\(owner)\" fetch --due\n",
        to: ".config/systemd/user/news-fetch.service",
      )
      let removed = try Subprocess.run(
        [BuiltProduct.fixture("../.ci/remove-news"), odd],
        environment: news.settings.merging(["PATH": "\(bin):/usr/bin:/bin"]) { $1 },
      )
      #expect(removed.status == 0, "\(removed.errorText)")
      let left = (try? namesInFolder(units)) ?? []
      #expect(left.count == (stays ? 2 : 0), "\(left) \(removed.errorText)")
    }
  }

  @Test("what others have put under the prefix stays")
  func neighbours() throws {
    #expect(try script("install-news", prefix, news.program).status == 0)
    try writeFile("\(prefix)/bin/other", [])
    try writeFile("\(prefix)/share/man/man1/other.1", [])
    #expect(try script("remove-news", prefix).status == 0)
    #expect(try files() == ["./bin/other", "./share/man/man1/other.1"])
  }

  @Test("the shells find what was installed", arguments: ["zsh", "fish"])
  func found(_ shell: String) throws {
    #expect(try script("install-news", prefix, news.program).status == 0)
    let scripts = [
      "zsh": """
      fpath=($PREFIX/share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D
      print $_comps[news]; autoload +X _news && print loaded
      """,
      "fish": """
      set fish_complete_path $PREFIX/share/fish/vendor_completions.d; complete -C 'news unsubs'
      """,
    ]
    let result = try Subprocess.run(
      [shell, shell == "zsh" ? "-f" : "-N", "-c", scripts[shell] ?? ""],
      environment: [
        "PREFIX": prefix, "HOME": news.folder.path, "PATH": "\(prefix)/bin:/usr/bin:/bin",
        "XDG_CONFIG_HOME": nil, "XDG_DATA_HOME": nil, "LC_ALL": "C.UTF-8",
      ],
    )
    let wanted = ["zsh": "_news\nloaded\n", "fish": "unsubscribe\tstop following a feed\n"]
    #expect(result.text == wanted[shell])
  }

  @Test(
    "a prefix that nobody means is refused, and nothing is changed",
    arguments: [
      "", "here", "./here", "-x", "/", "//tmp", "/tmp/../here", "/tmp/./here", "/tmp/a\nb",
    ],
  )
  func oddPrefix(_ prefix: String) throws {
    for words in [["install-news", prefix, news.program], ["remove-news", prefix]] {
      let result = try Subprocess.run(
        [BuiltProduct.fixture("../.ci/\(words[0])")] + words.dropFirst(),
        environment: ["HOME": news.folder.path],
        folder: news.folder.path,
      )
      #expect(result.status == 64)
      #expect(
        String(decoding: result.errors, as: UTF8.self).contains(
          "PREFIX is one absolute path, such as /usr/local"
        )
      )
    }
    #expect(try namesInFolder(news.folder.path).filter { $0 != "home" } == [])
  }

  @Test("a program that does not run is not installed")
  func broken() throws {
    #expect(try script("install-news", prefix, "/bin/false").status != 0)
    // As an older libc says it.
    let tree = news.folder.path("tree")
    let parts = ["mkdir", "-p", "\(tree)/bin", "\(tree)/share/systemd/user"]
    #expect(try Subprocess.run(parts).status == 0)
    try news.writeProgram(
      "tree/bin/news",
      "#!/bin/sh\necho 'news: GLIBC_2.36 not found' >&2\nexit 1\n",
    )
    #expect(
      try Subprocess.run(["cp", BuiltProduct.fixture("../.ci/packaging/install"), tree]).status == 0
    )
    let result = try Subprocess.run(["\(tree)/install", prefix])
    #expect(result.status == 1)
    #expect(
      result.errorText
        == "install: nothing is installed, as news does not run here: news: GLIBC_2.36 not found\n"
    )
    #expect(throws: POSIXFailure.self) { try namesInFolder(prefix) }
  }
}
