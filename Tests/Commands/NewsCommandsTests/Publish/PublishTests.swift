import FeedModel
import FeedStorage
import HTMLParsing
import HTMLText
import TestSupport
import Testing

@testable import Publishing
@testable import System

@Suite("news publish: the stories as a site that needs no server")
struct PublishTests {
  private let news: CommandRun
  private var site: String { news.folder.path("site") }

  init() throws {
    news = try CommandRun()
    // The site keeps its name, which would be made of the folder's otherwise.
    try Subprocess.run(["mkdir", site]).expectNothing()
    let id = "urn:uuid:00000000-0000-8000-8000-000000000000"
    try writeFile("\(site)/.news-publish", "news publish 1\n\(id)\n".utf8)
  }

  private func subscribe() throws {
    let body = try readText(BuiltProduct.fixture("publish/source.xml"))
    news.fetcher.serve(Sample.feed, .init(body: body))
    #expect(news("subscribe", Sample.feed, "--tag", "work/far").status == 0)
  }

  @Test("the site is, to the letter, the one in Fixtures/publish/site")
  func golden() throws {
    try subscribe()
    let result = news("publish", "site", "--url", "https://example.net/news", "--title", "A & B")
    #expect(result.errors == "6 stories in \(site): 12 files written, 0 unchanged, 0 removed\n")
    #expect(result.status == 0 && result.output == "")
    let expected = BuiltProduct.fixture("publish/site")
    if ProcessInfo.processInfo.environment["NEWS_OUTPUT"] == "write" {
      removeTree(expected)
      try Subprocess.run(["cp", "-R", site, expected]).expectNothing()
    }
    // The file that proves whose files these are differs from home to home.
    try Subprocess.run(["diff", "-r", "-x", ".news-publish", expected, site]).expectNothing()
  }

  @Test("pages and feeds have the picture that a feed declares, and the page that a story is about")
  func picture() throws {
    let body = """
      {"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1","title":"A",
      "url":"https://example.org/1","external_url":"https://example.net/x?a=1&b",
      "image":"https://example.org/i.png?a=1&b","content_text":"Words"},
      {"id":"2","title":"B","url":"https://example.org/2","content_html":"<img src='/own.png'>",
      "image":"https://example.org/other.png"}]}
      """
    news.fetcher.serve(Sample.feed, .init(body: body))
    news("refresh", Sample.feed)
    news("publish", "site")
    let (atom, rss) = (try readText("\(site)/atom.xml"), try readText("\(site)/rss.xml"))
    let media = "<media:content medium=\"image\" url=\"https://example.org/i.png?a=1&amp;b\"/>"
    #expect(atom.contains(media) && rss.contains(media))
    #expect(atom.contains("<link rel=\"related\" href=\"https://example.net/x?a=1&amp;b\"/>"))
    let json = try readText("\(site)/feed.json")
    #expect(json.contains("\"image\":\"https://example.org/i.png?a=1&b\""))
    #expect(json.contains("\"external_url\":\"https://example.net/x?a=1&b\""))
    let pages = try pages().map { try readText("\(site)/\($0)") }.joined()
    #expect(pages.contains("<img src=\"https://example.org/i.png?a=1&amp;b\""))
    #expect(pages.contains("own.png") && !pages.contains("other.png"))
    // Other readers of the site find the feeds, too.
    for name in ["atom.xml", "rss.xml", "feed.json"] {
      let reader = try CommandRun()
      reader.fetcher.serve(Sample.feed, .init(body: try readText("\(site)/\(name)")))
      reader("refresh", Sample.feed)
      let images = reader("list", "--format", "{image}").output
      #expect(images.contains("https://example.org/i.png?a=1&b\n"), "\(name)")
    }
  }

  @Test("only elements and attributes that are known are in a page, headings in order")
  func allowList() throws {
    try subscribe()
    news("publish", "site")
    for name in try pages() {
      let text = try readText("\(site)/\(name)")
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(name)")
      #expect(!text.unicodeScalars.contains { SafeText.isHidden($0) }, "\(name)")
      var level = 0
      for tag in tags(in: text) {
        let known = Self.known[tag.name]
        #expect(known != nil, "\(name): \(tag.name)")
        let attributes = tag.attributes.map(\.name)
        let isKnown = attributes.allSatisfy {
          (known ?? []).contains($0) || $0 == "lang" || $0 == "dir"
        }
        #expect(isKnown, "\(name): \(tag.name) \(attributes)")
        for (attribute, value) in tag.attributes where ["href", "src"].contains(attribute) {
          let isWeb =
            value.hasPrefix("https://example.") || value.hasPrefix("https://www.example.")
            || !value.contains(":")
          #expect(isWeb, "\(name): \(value)")
        }
        guard tag.name.hasPrefix("h"), let number = Int(tag.name.dropFirst()) else { continue }
        #expect(number <= level + 1, "\(name): h\(number) after h\(level)")
        level = number
      }
      #expect(tags(in: text).count { $0.name == "h1" } == 1, "\(name)")
      #expect(tags(in: text).count { $0.name == "script" } == 1, "\(name)")
    }
  }

  private static let known: [String: Set<String>] = {
    var known: [String: Set<String>] = [
      "meta": ["charset", "http-equiv", "content", "name"], "script": ["src", "defer"],
      "link": ["rel", "type", "title", "href"], "a": ["class", "href", "rel"],
      "img": ["src", "alt", "loading", "referrerpolicy"], "main": ["id", "tabindex"],
      "nav": ["class", "aria-label"], "section": ["aria-labelledby"], "article": ["id"],
      "h2": ["id"], "p": ["class"], "div": ["class"], "span": ["class"], "ul": ["class"],
      "time": ["datetime"], "li": ["value"],
    ]
    let others = """
      html head title body header h1 h3 h4 h5 h6 ol strong em code pre blockquote table tr th td hr
      """
    for name in others.split(whereSeparator: \.isWhitespace) { known[String(name)] = [] }
    return known
  }()

  @Test(
    "what is read back from its feeds is what was published",
    arguments: ["atom.xml", "rss.xml", "feed.json"],
  )
  func readBack(_ file: String) throws {
    try subscribe()
    news("publish", "site", "--url", "https://example.net/")
    let reader = try CommandRun()
    let result = reader("subscribe", "\(site)/\(file)")
    #expect(result.status == 0 && result.errors.contains("(6 stories)"), "\(result.errors)")
    for (before, after) in zip(try stories(news), try stories(reader)) {
      #expect(after.item.title == MarkupSigns.text(before.item.title))
      #expect(after.item.date == before.item.date ?? before.stored)
      #expect(after.item.link.isEmpty || WebURL.isWeb(after.item.link))
      #expect(after.item.link == (StoryHTML.link(before.item.link) ?? ""))
      #expect(after.item.enclosures.map(\.url) == before.item.enclosures.map(\.url))
      #expect(after.item.categories == before.item.categories)
    }
    #expect(news("parse", "\(site)/\(file)").output.contains("News"))
  }

  @Test("another parser reads the plain titles in atom.xml and rss.xml")
  func titles() throws {
    try subscribe()
    news("publish", "site", "--title", "Ours & <theirs> &amp;")
    let read = """
      import xml.etree.ElementTree as tree
      for name in ('atom.xml', 'rss.xml'):
        names = (e.text for e in tree.parse(name).iter() if e.tag.split('}')[-1] == 'title')
        open(name + '.titles', 'w').write('\\n'.join(names))
      """
    try Subprocess.run(["python3", "-c", read], folder: site).expectNothing()
    let stored = try stories(news).map(\.item.title)
    #expect(stored.contains { $0.contains("<!-- \"quoted\"") })
    let rss = try readText("\(site)/rss.xml.titles").split(separator: "\n").map(String.init)
    #expect(rss == ["Ours & <theirs> &amp;"] + stored.map(MarkupSigns.text))
    let atom = try readText("\(site)/atom.xml.titles").split(separator: "\n").map(String.init)
    #expect(atom.filter { $0 != "A feed ＆ its ＜friends＞" } == rss)
  }

  @Test(
    "texts that cannot be read leave the site as it is, and the status is 1",
    arguments: ["bplist00", nil, "a folder"],
  )
  func unreadable(_ damage: String?) throws {
    try subscribe()
    #expect(news("publish", "site").status == 0)
    try Subprocess.run(["cp", "-a", site, news.folder.path("before")]).expectNothing()
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Feed", ["more"])))
    news("refresh")
    let texts = news.folder.path("home/texts")
    for name in try namesInFolder(texts) {
      if damage == "bplist00" { try writeFile("\(texts)/\(name)", "bplist00".utf8) }
      if damage == "a folder" {
        removeTree("\(texts)/\(name)")
        try Subprocess.run(["mkdir", "\(texts)/\(name)"]).expectNothing()
      }
    }
    if damage == nil {
      removeTree(texts)
      try writeFile(texts, "a file".utf8)
    }
    let result = news("publish", "site", "-q")
    #expect(result.errors.hasSuffix("; the site stays as it is\n"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1 && result.status == 1)
    try Subprocess.run(["diff", "-r", news.folder.path("before"), site]).expectNothing()
    #expect(news("publish", "none").status == 1)
    #expect(FileStatus(at: news.folder.path("none")) == nil)
    #expect(news("publish", "wrong", "-n", "0").status == 64)
    #expect(FileStatus(at: news.folder.path("wrong")) == nil)
    removeTree(texts)
    #expect(news("publish", "site").status == 0)
    #expect(try readText("\(site)/day/2026-11-01.html").contains("<p>Head one Some bold"))
  }

  @Test("its address is enough to follow it")
  func announced() throws {
    try subscribe()
    news("publish", "site", "--url", "https://example.net/")
    let reader = try CommandRun()
    for (url, file) in [("", "index.html"), ("atom.xml", "atom.xml")] {
      reader.fetcher.serve(
        "https://example.net/\(url)",
        .init(body: try readText("\(site)/\(file)")),
      )
    }
    let result = reader("subscribe", "https://example.net/")
    #expect(result.errors.contains("https://example.net/atom.xml"), "\(result.errors)")
    #expect(result.status == 0)
  }

  @Test("the XML is well-formed, the JSON is JSON, and the list can be imported")
  func wellFormed() throws {
    try subscribe()
    news("publish", "site")
    let check = """
      import json, sys, xml.dom.minidom
      for name in ('atom.xml', 'rss.xml', 'feeds.opml'): xml.dom.minidom.parse(name)
      json.load(open('feed.json'))
      """
    try Subprocess.run(["python3", "-c", check], folder: site).expectNothing()
    let reader = try CommandRun()
    #expect(reader("import", "\(site)/feeds.opml").errors.contains("1 feed"))
    #expect(reader("export").output.contains("work"))
  }

  @Test("only what has changed is written, and what is no longer wanted goes")
  func changes() throws {
    try subscribe()
    news("publish", "site")
    let before = try states()
    #expect(
      news("publish", "site", "--json").output
        == #"{"stories":6,"written":0,"unchanged":12,"removed":0,"refused":[]}"# + "\n"
    )
    #expect(try states() == before)
    let result = news("publish", "site", "-n1", "--json").output
    #expect(result.contains(#""stories":1,"#) && result.contains(#""removed":2,"#), "\(result)")
    let after = try states()
    #expect(after["style.css"] == before["style.css"])
    #expect(after["index.html"] != before["index.html"])
    #expect(try namesInFolder("\(site)/day").count == 1)
  }

  @Test("a folder that is not a site is left alone, and so are files of the reader's own")
  func own() throws {
    try subscribe()
    try writeFile(news.folder.path("home/note"), "mine".utf8)
    let refused = news("publish", news.folder.path("home"))
    let reason = "is not empty, and no site of news: name a new folder"
    #expect(refused.errors == "news: \(news.folder.path("home")) \(reason)\n")
    #expect(refused.status == 1)

    try writeFile("\(site)/index.html", "mine".utf8)
    try writeFile("\(site)/other.html", "mine".utf8)
    for _ in 0..<2 {
      let result = news("publish", "site", "-q")
      #expect(
        result.errors == "news: \(site)/index.html is your own file; left unchanged\n"
      )
      #expect(result.status == 1)
    }
    #expect(try readText("\(site)/index.html") == "mine")
    #expect(try readText("\(site)/other.html") == "mine")
    // A link stands in the place of a file that was published.
    let target = try news.folder.write("mine", to: "target")
    try removeFile("\(site)/rss.xml")
    try Subprocess.run(["ln", "-s", target, "\(site)/rss.xml"]).expectNothing()
    #expect(news("publish", "site", "--title", "Other").status == 1)
    #expect(try readText(target) == "mine")
  }

  @Test("no list of files, and no link, leads out of the folder")
  func outside() throws {
    try subscribe()
    let mine = try news.folder.write("mine", to: "mine")
    let names = "../mine\n/etc/passwd\nday/../../mine\n.hidden\nindex.html"
    try writeFile("\(site)/.news-publish", "news publish 1\nurn:x\n\(names)".utf8)
    try writeFile("\(site)/.hidden", "mine".utf8)
    #expect(news("publish", "site").status == 0)
    #expect(try readText(mine) == "mine")
    #expect(try readText("\(site)/.hidden") == "mine")

    let folder = news.folder.path("elsewhere")
    removeTree("\(site)/day")
    try Subprocess.run(["mkdir", folder]).expectNothing()
    try Subprocess.run(["ln", "-s", folder, "\(site)/day"]).expectNothing()
    let result = news("publish", "site")
    #expect(result.status == 1)
    #expect(result.errors == "news: \(site)/day is a symbolic link, not a folder\n")
    #expect(try namesInFolder(folder) == [])

    try writeFile("\(site)/.news-publish", "something else\n".utf8)
    #expect(news("publish", "site").errors.contains("it is no list of a site's files"))
  }

  @Test("a list that this home has not written makes no file its own")
  func foreignList() throws {
    try subscribe()
    news("publish", "site")
    let listed = try readText("\(site)/.news-publish")
    let other = news.folder.path("other")
    try Subprocess.run(["mkdir", "-p", "\(other)/day"]).expectNothing()
    let names = ["thesis.html", "day/notes.txt", "index.html", "atom.xml"]
    for name in names { try writeFile("\(other)/\(name)", "mine".utf8) }
    // A forged marker lists names without proofs, or with those of another site and another home.
    let foreign = try CommandRun()
    foreign("publish", foreign.folder.path("site"))
    let theirs = try readText(foreign.folder.path("site/.news-publish"))
    let proofs = [listed, theirs].flatMap { list in
      list.split(separator: "\n").dropFirst(2).map(String.init)
    }
    for lines in [names, names + proofs] {
      let list = ["news publish 1", "urn:uuid:1"] + lines
      try writeFile("\(other)/.news-publish", "\(list.joined(separator: "\n"))\n".utf8)
      let result = news("publish", "other", "-q")
      #expect(result.status == 1)
      for name in names {
        let line = "news: \(other)/\(name) is your own file; left unchanged\n"
        #expect(result.errors.contains(line), "\(result.errors)")
        #expect(try readText("\(other)/\(name)") == "mine")
      }
    }
    // The home knows its own files, and lists nobody else's any more.
    try removeFile("\(other)/index.html")
    try removeFile("\(other)/atom.xml")
    #expect(news("publish", "other", "--title", "New").status == 0)
    #expect(try readText("\(other)/thesis.html") == "mine")
    #expect(try readText("\(other)/index.html").contains("<title>New</title>"))
  }

  @Test(
    "a list that is a link, or a pipe, is refused by name",
    arguments: ["mine", "new", "pipe"],
  )
  func linkedList(_ target: String) throws {
    try subscribe()
    let mine = try news.folder.write("news publish 1\nurn:x\n", to: "mine")
    let list = "\(site)/.news-publish"
    try removeFile(list)
    if target == "pipe" {
      try makePipe(list)
    } else {
      #expect(symlink("../\(target)", list) == 0)
    }
    let kind = target == "pipe" ? "a pipe" : "a symbolic link"
    #expect(news("publish", "site").errors == "news: \(list) is \(kind), not a file\n")
    #expect(news("publish", "site").status == 1)
    #expect(try readText(mine) == "news publish 1\nurn:x\n")
    #expect(FileStatus(at: news.folder.path("new")) == nil)
    #expect(try namesInFolder(site).filter { !$0.hasPrefix(".") } == [])
  }

  @Test("what a killed one left behind is known again")
  func killed() throws {
    try subscribe()
    news("publish", "site")
    // The marker names a file before it exists; a file that is being written has a name of its own.
    try removeFile("\(site)/atom.xml")
    try writeFile("\(site)/.news-publish.new", "half".utf8)
    #expect(news("publish", "site").errors.contains("1 file written, 11 unchanged, 0 removed"))
    #expect(try !namesInFolder(site).contains(".news-publish.new"))
  }

  @Test("two never write into one folder at once")
  func together() throws {
    try subscribe()
    let other = try SiteFolder(site, id: "urn:x", key: news.store.siteKey())
    #expect(news("publish", "site").errors == "news: another news is publishing into \(site)\n")
    withExtendedLifetime(other) {}
  }

  @Test("the stories are those that list has with the same options")
  func chosen() throws {
    try news.storeSample()
    let options = [
      ["--starred"], ["--feed", "Other"], ["--grep", "cafe"], ["--since", "2026-10-31"],
      ["--unread", "-n2"],
    ]
    for options in options {
      let listed = news.run(["list", "--json"] + options).output.split(separator: "\n").count - 2
      let published = news.run(["publish", "site", "--json"] + options).output
      #expect(published.hasPrefix("{\"stories\":\(listed),"), "\(options): \(published)")
    }
    news("publish", "site", "--feed", "Other")
    #expect(try namesInFolder("\(site)/feed").count == 1)
    #expect(try !readText("\(site)/feeds.opml").contains(Sample.feed))
  }

  @Test("nothing secret is published: no password, no command, no file of this machine")
  func secrets() throws {
    let secret = "https://me:hunter2@example.com/private.xml"
    let file = try news.folder.write(Sample.rss("", ["file"]), to: "local.xml")
    news.fetcher.serve(secret, .init(body: Sample.rss("", ["secret"])))
    news("subscribe", secret)
    news("subscribe", file)
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Open", ["open"])))
    news("subscribe", Sample.feed, "--password-command", "echo swordfish")
    #expect(news("publish", "site").errors.contains("3 stories"))
    for word in ["hunter2", "//me", "me@", "swordfish", news.folder.path] {
      let found = try Subprocess.run(["grep", "-rF", "--", word, site])
      #expect(found.text == "", "\(word)")
    }
    #expect(try readText("\(site)/feeds.opml").contains(Sample.feed))
  }

  @Test("a page holds a hundred stories, and the next has the rest of the day")
  func parts() throws {
    let stories = (1...250).map { Sample.story($0, "Story \($0)", hours: 1) }
    try news.store(stories, subscriptions: [(Sample.feed, "Example")])
    news("publish", "site")
    let days = try namesInFolder("\(site)/day")
    #expect(days == ["2026-11-01-2.html", "2026-11-01-3.html", "2026-11-01.html"])
    let counts = try (["day/"].flatMap { folder in days.map { folder + $0 } } + ["index.html"])
      .map { name in tags(in: try readText("\(site)/\(name)")).count { $0.name == "article" } }
    #expect(counts == [100, 50, 100, 100])
    let second = try readText("\(site)/day/2026-11-01-2.html")
    #expect(second.contains("\"../day/2026-11-01.html\">Newer: Sunday, 1 November 2026<"))
    #expect(second.contains("\"../day/2026-11-01-3.html\">Older: Sunday, 1 November 2026, page 3<"))
  }

  @Test("nothing to publish is a site too, and wrong words are refused")
  func little() throws {
    #expect(news("publish", "site").errors.hasPrefix("0 stories"))
    #expect(try readText("\(site)/index.html").contains("There are no stories."))
    for words in [
      [], ["a", "b"], [""], ["a", "--title", " "], ["a", "-n0"], ["a", "--url", "x"],
    ] {
      #expect(news.run(["publish"] + words).status == 64, "\(words)")
    }
    for url in ["file:///x", "https://me@example.com/", "https://example.com/?a", "javascript:x"] {
      #expect(news("publish", "site", "--url", url).status == 64, "\(url)")
    }
    let nowhere = news("publish", "missing/site")
    #expect(nowhere.errors.hasPrefix("news: cannot create the folder \(news.folder.path)/missing/"))
    #expect(nowhere.status == 1)
  }

  // MARK: Looking

  private func stories(_ news: CommandRun) throws -> [StoredItem] {
    let items = try news.store.read().items
    return try (0..<items.count).map { try items.item(at: $0) }
      .sorted {
        ($0.item.date ?? .distantFuture, $0.item.title) > (
          $1.item.date ?? .distantFuture, $1.item.title,
        )
      }
  }

  private func pages() throws -> [String] {
    try names().filter { $0.hasSuffix(".html") }
  }

  private func names() throws -> [String] {
    try namesInFolder(site).flatMap { name in
      ["day", "feed"].contains(name)
        ? try namesInFolder("\(site)/\(name)").map { "\(name)/\($0)" } : [name]
    }
  }

  private func states() throws -> [String: [UInt64]] {
    Dictionary(
      uniqueKeysWithValues: try names().map { name in
        let status = try #require(FileStatus(at: "\(site)/\(name)"))
        return (name, [status.inode, UInt64(status.modified)])
      }
    )
  }

  private func tags(
    in text: String
  ) -> [(name: String, attributes: [(name: String, value: String)])] {
    text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1).compactMap { part in
      let tag = part.prefix { $0 != ">" }
      guard tag.first != "/", tag != "!DOCTYPE html" else { return nil }
      let name = tag.prefix { $0 != " " }
      var attributes: [(name: String, value: String)] = []
      var rest = tag.dropFirst(name.count)
      while let start = rest.firstIndex(where: { $0 != " " }) {
        let attribute = rest[start...].prefix { $0 != "=" && $0 != " " }
        rest = rest[attribute.endIndex...]
        var value = rest.prefix(0)
        if rest.hasPrefix("=\"") {
          value = rest.dropFirst(2).prefix { $0 != "\"" }
          rest = rest[value.endIndex...].dropFirst()
        }
        attributes.append((String(attribute), String(value)))
      }
      return (String(name), attributes)
    }
  }
}

extension Subprocess.Result {
  fileprivate func expectNothing() {
    #expect(text == "" && errorText == "" && status == 0)
  }
}
