import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands
@testable import ReadingCommands

@Suite("the settings of newsboat's config")
struct NewsboatSettingsTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    news.variables["HOME"] = news.folder.path
    try news.storeSample()
  }

  private func text(_ name: String) throws -> String {
    try readText(news.folder.path(".config/news/\(name)"))
  }

  @Test("keys, macros and settings become lines of the reader's files, which are taken")
  func taken() throws {
    let file = try news.folder.write(
      #"""
      bind-key j down
      bind-key J next-feed articlelist
      bind-key SPACE open
      bind-key ^R reload-all
      bind x everywhere mark-feed-read ; quit -- "and out"
      unbind-key C
      macro m set browser "mpv %u"; open-in-browser ; set browser "elinks %u"
      macro d set browser "curl -s '%u' > \"%t\" &" ; open-in-browser
      download-path "~/Pod casts"
      max-items 200
      article-sort-order date-desc
      bind g<C-a><lt> everywhere home
      """#,
      to: "config",
    )
    let result = news("import", file)
    #expect(
      result.errors == """
        9 lines added to ~/.config/news/keys
        5 lines added to ~/.config/news/defaults

        """
    )
    #expect(
      try text("keys") == #"""
        # from newsboat's config
        j down
        J next-feed
        Space enter
        ^R refresh-all
        x read-all ; back-or-quit
        C
        , m !mpv {link}
        , d !sh -c 'curl -s "$1" > "$2" &' sh {link} {title} {feed}
        g ^A < first

        """#
    )
    #expect(
      try text("defaults") == """
        # from newsboat's config
        download --to '\(news.folder.path)/Pod casts'
        fetch --keep 200
        refresh --keep 200
        list --reverse
        browse --reverse

        """
    )
    #expect(news("doctor", "--offline").output.contains("ok\tkeys\t"))
    #expect(news("list").output.split(separator: "\n").first?.contains("Oldest") == true)
    let before = try text("keys")
    #expect(news("import", file).errors.contains("no new lines for ~/.config/news/keys"))
    #expect(try text("keys") == before)
  }

  @Test("an imported macro begins with newsboat's comma, and takes its key from nothing")
  func macros() throws {
    let file = try news.folder.write("macro m open", to: "config")
    #expect(news("import", file).errors == "1 line added to ~/.config/news/keys\n")
    let keys = KeyMap(news.testEnvironment)
    #expect(keys.lines[[",", "m"]] == "enter")
    for (key, line) in KeyMap(.news).lines { #expect(keys.lines[key] == line, "\(key)") }
  }

  @Test("each line without a counterpart is named with its reason, and keys of the reader stay")
  func leftOut() throws {
    _ = try Subprocess.run(["mkdir", "-p", news.folder.path(".config/news")])
    try news.folder.write("k star\n, undo", to: ".config/news/keys")
    let lines = [
      ("bind-key k down", "k has a line of yours"), ("bind-key F1 help", "no key F1 here"),
      ("bind-key w random-unread", "nothing here does random-unread"),
      ("macro k open", ", has a line of its own, and cannot begin , k"),
      ("unbind-key -a", "one by one"), ("bind-key J next-dialog", "panes in place of dialogs"),
      ("feed-sort-order title-desc", "sorts the feeds"), ("notify-format x", "--notify"),
      ("download-filename-format %t", "--name TEMPLATE"), ("articlelist-format %t", "columns"),
      ("miniflux-password secret", "`news help sync`"), ("newsblur-login me", "import its OPML"),
      ("unbind-key k", "k has a line of yours"), ("bind-key \"#\" open", "no key # here"),
      ("macro s set browser \"sh -c 'mpv %u'\" ; open-in-browser", "inside a quoted text"),
      (
        "macro t set browser \"notify-send \\\"New: %t\\\" &\" ; open-in-browser",
        "inside a quoted text",
      ),
      ("highlight article \"x\" red", "words get no colour"),
      ("browser \"w3m %u\"", "set BROWSER"), ("player mpv", "set NEWS_PLAYER"),
      ("reload-time 30", "`news schedule install`"), ("proxy localhost:1", "https_proxy"),
      ("notify-program beep", "--notify"), ("always-display-description true", "always shown"),
      ("reset-unread-on-update \"*\"", "--unread-when-edited"),
      ("article-sort-order title", "sort:title"),
      ("color background black white", "colours"), ("ssl-verifypeer no", "--ca FILE"),
      ("lua-plugin x", "no such setting here"),
      ("bind <S-Up> everywhere open", "no key S-Up here"),
      ("lua-plugin https://me:secret@a.example", "no such setting here"),
    ]
    let file = try news.folder.write(lines.map(\.0).joined(separator: "\n"), to: "config")
    let said = news("import", "-v", file).errors.split(separator: "\n")
    for (index, line) in lines.enumerated() {
      let told = said.first { $0.hasPrefix("news: line \(index + 1): ") }
      #expect(told?.contains(line.1) == true, "\(line.0): \(told ?? "")")
    }
    #expect(try text("keys") == "k star\n, undo")
    #expect(!said.joined().contains("secret"))
  }

  @Test("a config of settings that become no line is one, and date-asc is the usual order")
  func nothing() throws {
    for line in [
      "articlelist-format %t", "miniflux-url https://a.example", "article-sort-order date-asc",
    ] {
      let file = try news.folder.write(line, to: "config")
      #expect(news("import", file).status == 0, "\(line)")
    }
    #expect(FileStatus(at: news.folder.path(".config/news/defaults")) == nil)
    let urls = "https://b.example/tag/file-format\n"
    let file = try news.folder.write(urls, to: "urls")
    #expect(news("import", file).status == 0)
    #expect(news("feeds").output.contains("https://b.example/tag/file-format"))
  }

  @Test("options that the defaults already have stay, wherever they stand")
  func ownDefaults() throws {
    _ = try Subprocess.run(["mkdir", "-p", news.folder.path(".config/news")])
    let own = "news fetch --due --keep 50\ndownload --latest 3 --to /a\nlist -n 30 -r\n"
    try news.folder.write(own, to: ".config/news/defaults")
    let lines = ["max-items 200", "download-path /b", "article-sort-order date"]
    let file = try news.folder.write(lines.joined(separator: "\n"), to: "config")
    news("import", file)
    let added = "# from newsboat's config\nrefresh --keep 200\nbrowse --reverse\n"
    #expect(try text("defaults") == own + added)
  }

  @Test("a config that others can write, or that comes by a pipe, changes no settings")
  func strangers() throws {
    let file = try news.folder.write(
      "macro m set browser \"rm %u\" ; open-in-browser",
      to: "config",
    )
    _ = try Subprocess.run(["chmod", "666", file])
    let reason = "only a file that you alone can write changes settings; left out"
    #expect(news("import", file).errors.contains(reason))
    news.input = ["bind-key j down"]
    #expect(news("import", "-").errors.contains(reason))
    #expect(FileStatus(at: news.folder.path(".config")) == nil)
  }
}
