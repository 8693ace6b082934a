import TestSupport
import Testing

@Suite("The Debian package and the archive")
struct PackageTests {
  private let news: News

  init() throws {
    news = try News()
  }

  private func make(in folder: String) throws -> [String] {
    let made = try Subprocess.run(
      [BuiltProduct.fixture("../.ci/package"), news.program, news.folder.path(folder)],
      environment: [
        // 2026-11-20 22:59:00 UTC; compressing takes longest, and is left out.
        "SOURCE_DATE_EPOCH": "1795215540", "DPKG_DEB_COMPRESSOR_TYPE": "none",
        "NEWS_MAINTAINER": "Anna Reader <anna@example.org>",
        "NEWS_HOMEPAGE": "https://news.example/",
        "HOME": news.folder.path, "TZ": "Asia/Tokyo",
      ],
    )
    let lines = made.text.split(separator: "\n").map(String.init)
    try #require(made.status == 0 && lines.count == 4, Comment(rawValue: made.errorText))
    return lines
  }

  private func ran(_ words: String..., folder: String? = nil) throws -> String {
    let result = try Subprocess.run(
      words,
      environment: ["TZ": "UTC", "HOME": news.folder.path],
      folder: folder,
    )
    #expect(result.status == 0, Comment(rawValue: result.errorText))
    return result.text
  }

  @Test("the package has all that belongs to the program, and names what it needs")
  func package() throws {
    let package = try make(in: "packages")[0]
    let root = news.folder.path("root")
    _ = try ran("dpkg-deb", "--raw-extract", package, root)
    try expectFiles(of: package)
    try expectFields(of: package)
    try expectProgram(in: root)
    try expectTimer(in: "\(root)/usr/lib/systemd/user")
    try expectChangelog(in: root, of: try field("Version", of: package))
    let metadata = try readText("\(root)/usr/share/metainfo/invalid.news.news.metainfo.xml")
    #expect(metadata.contains("\n  <url type=\"homepage\">https://news.example/</url>\n"))
  }

  private func field(_ name: String, of package: String) throws -> String {
    String(try ran("dpkg-deb", "--field", package, name).dropLast())
  }

  /// Expects files at Debian's places, readable by all, with the commit's time.
  private func expectFiles(of package: String) throws {
    // "-rwxr-xr-x root/root 17000000 2026-11-20 22:59 ./usr/bin/news"
    let lines = try ran("dpkg-deb", "--contents", package).split(separator: "\n")
      .map { $0.split(separator: " ").map(String.init) }
    #expect(lines.allSatisfy { $0[1] == "root/root" && $0[3...4] == ["2026-11-20", "22:59"] })
    let files = lines.map { "\($0[0]) \($0[5])" }.filter { !$0.hasPrefix("drwxr-xr-x ") }
    let pages = files.filter { $0.hasPrefix("-rw-r--r-- ./usr/share/doc/news/html/") }
    #expect(pages.contains { $0.hasSuffix("/html/index.html") })
    #expect(pages.count == (try Page.all()).count - 1)
    #expect(
      files.filter { !pages.contains($0) }.sorted() == [
        "-rw-r--r-- ./usr/lib/systemd/user/news-fetch.service",
        "-rw-r--r-- ./usr/lib/systemd/user/news-fetch.timer",
        "-rw-r--r-- ./usr/share/applications/news.desktop",
        "-rw-r--r-- ./usr/share/bash-completion/completions/news",
        "-rw-r--r-- ./usr/share/doc-base/news", "-rw-r--r-- ./usr/share/doc/news/changelog.gz",
        "-rw-r--r-- ./usr/share/doc/news/copyright",
        "-rw-r--r-- ./usr/share/doc/news/examples/defaults",
        "-rw-r--r-- ./usr/share/doc/news/examples/keys",
        "-rw-r--r-- ./usr/share/doc/news/examples/rules",
        "-rw-r--r-- ./usr/share/fish/vendor_completions.d/news.fish",
        "-rw-r--r-- ./usr/share/lintian/overrides/news",
        "-rw-r--r-- ./usr/share/man/man1/news-json.1.gz",
        "-rw-r--r-- ./usr/share/man/man1/news.1.gz",
        "-rw-r--r-- ./usr/share/metainfo/invalid.news.news.metainfo.xml",
        "-rw-r--r-- ./usr/share/zsh/vendor-completions/_news",
        "-rwxr-xr-x ./usr/bin/news",
      ]
    )
  }

  /// Expects the packages of the libraries that are loaded on first use, by the names that the
  /// program tries, beside those that the loader looks for.
  private func expectFields(of package: String) throws {
    let names = { (name: String) in
      try field(name, of: package).split(separator: ", ").map { alternatives in
        alternatives.split(separator: " | ").map { $0.prefix { $0 != " " } }.joined(separator: "|")
      }
    }
    // What else a program for tests is linked with varies.
    let xml = try ran("\(BuiltProduct.fixture("../.ci/packaging/loaded"))", news.program)
    let needs = [
      xml.contains("libxml2.so.16") ? "libxml2-16" : "libxml2", "libc6", "libidn2-0", "zlib1g",
      "libcurl4|libcurl4t64|libcurl3-gnutls|libcurl3t64-gnutls", "libpcre2-8-0",
    ]
    #expect(Set(needs).isSubset(of: try names("Depends")))
    #expect(try names("Recommends") == ["libsqlite3-0", "ca-certificates"])
    #expect(
      try names("Suggests") == [
        "libcrypt1", "libmicrohttpd12|libmicrohttpd12t64", "chafa", "libnotify-bin", "mpv",
        "xdg-utils",
      ]
    )
    #expect(try names("Conflicts") == ["sysnews"])
    #expect(try field("Maintainer", of: package) == "Anna Reader <anna@example.org>")
    #expect(try field("Homepage", of: package) == "https://news.example/")
    #expect(try field("Vcs-Git", of: package) == "")
    let version = try field("Version", of: package)
    let said = try news.run("--version").text.split { " \n".contains($0) }
    #expect(said[1] == version.prefix { $0 != "+" })
    let architecture = try field("Architecture", of: package)
    #expect(package.hasSuffix("/packages/news_\(version)_\(architecture).deb"))
  }

  /// Expects a program that is stripped, and sums that are right for all files.
  private func expectProgram(in root: String) throws {
    #expect(try ran("\(root)/usr/bin/news", "--version") == (try news.run("--version")).text)
    #expect(try !ran("readelf", "--sections", "\(root)/usr/bin/news").contains(".symtab"))
    #expect(try ran("md5sum", "--quiet", "--check", "DEBIAN/md5sums", folder: root) == "")
    let sums = try readText("\(root)/DEBIAN/md5sums").split(separator: "\n")
    let files = try ran("find", "usr", "-type", "f", folder: root).split(separator: "\n")
    #expect(sums.count == files.count)
  }

  /// Expects the units of `news schedule install` but for the lines of one reader.
  private func expectTimer(in folder: String) throws {
    let words = ["schedule", "install", "--print", "--on-new", ":"]
    let own = try news.run(words, environment: ["PATH": "/nonexistent"]).text
    let lines = Set(own.split(separator: "\n"))
    let service = try readText("\(folder)/news-fetch.service")
    #expect(
      service.split(separator: "\n").filter { !lines.contains($0) } == [
        "# news schedule: 0,5,10,15,20,25,30,35,40,45,50,55 *",
        "ExecStart=/usr/bin/news fetch --due --quiet",
      ]
    )
    let timer = try readText("\(folder)/news-fetch.timer")
    #expect(timer.contains("\nOnCalendar=*:0/5\n") && timer.contains("\nFixedRandomDelay=yes\n"))
  }

  private func expectChangelog(in root: String, of version: String) throws {
    let text = try ran("gzip", "-dc", "\(root)/usr/share/doc/news/changelog.gz")
    #expect(text.hasPrefix("news (\(version)) unstable; urgency=medium\n\n  * "))
    let end = "\n -- Anna Reader <anna@example.org>  Fri, 20 Nov 2026 22:59:00 +0000\n"
    #expect(text.contains(end))
    #expect(text.contains("\nnews (0.1.0) unstable; urgency=medium\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("the archive's scripts put all under a prefix and take it away; made again, it is the same")
  func archive() throws {
    let made = try make(in: "packages")
    let archive = made[1]
    _ = try ran("tar", "-xzf", archive, "-C", news.folder.path)
    let name = try #require(archive.split(separator: "/").last).dropLast(".tar.gz".count)
    let folder = news.folder.path(String(name))
    let prefix = news.folder.path("a 100% prefix")
    #expect(try ran("\(folder)/install", prefix).hasPrefix("installed \(prefix)/bin/news\n"))
    #expect(try ran("\(prefix)/bin/news", "--version") == (try news.run("--version")).text)
    let unit = try readText("\(prefix)/share/systemd/user/news-fetch.service")
    let word = news.folder.path("a 100%% prefix/bin/news")
    #expect(unit.contains("\nExecStart=\"\(word)\" fetch --due --quiet\n"))
    #expect(try ran("\(folder)/remove", prefix) == "removed news from \(prefix)\n")
    #expect(throws: POSIXFailure.self) { try namesInFolder(prefix) }
    let readme = try readText("\(folder)/README")
    #expect(readme.contains(" glibc 2.") && readme.contains("required     libcurl.so.4 or "))

    let again = try make(in: "again")
    for (one, other) in zip(made, again) { #expect(try ran("cmp", one, other) == "") }
    _ = try ran("sha256sum", "--check", "SHA256SUMS", folder: news.folder.path("packages"))
    let bill = try readText(made[2])
    #expect(bill.contains("SPDX-2.3") && bill.contains("\"name\": \"libstdc++\""))
  }

  @Test("sources without git that lie in a folder of git are not of its commit")
  func inFolderOfGit() throws {
    let sources = news.folder.path("sources")
    let commit = ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--allow-empty"]
    for words in [
      ["git", "init", "--quiet"], ["git"] + commit + ["--quiet", "--message", "a"],
      ["mkdir", "sources"], ["cp", "-R", BuiltProduct.fixture("../.ci"), sources],
    ] {
      #expect(try Subprocess.run(words, folder: news.folder.path).status == 0)
    }
    let made = try Subprocess.run(["\(sources)/.ci/package"])
    #expect(made.status == 1 && made.errorText.hasPrefix("no commit is here: "))
  }

  @Test("the examples of keys and defaults are read without a complaint")
  func examples() throws {
    let share = BuiltProduct.fixture("../.ci/packaging/share")
    let examples = "\(share)/doc/news/examples"
    let keys = try news.run(
      "browse",
      "--keys",
      environment: ["XDG_CONFIG_HOME": news.folder.path("config")],
    )
    #expect(keys.status == 0)
    #expect(try Subprocess.run(["mkdir", "-p", news.folder.path("config/news")]).status == 0)
    _ = try ran("cp", "\(examples)/keys", "\(examples)/defaults", news.folder.path("config/news"))
    let own = try news.run(
      "browse",
      "--keys",
      environment: ["XDG_CONFIG_HOME": news.folder.path("config")],
    )
    #expect(own.status == 0 && own.errorText == "" && own.text != keys.text)
  }
}
