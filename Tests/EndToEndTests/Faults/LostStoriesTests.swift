import TestSupport
import Testing

@Suite("Stories that another program has deleted come back")
struct LostStoriesTests {
  private let news: News

  init() throws {
    news = try News()
    let items = (1...3).map { "<item><title>story \($0)</title><guid>\($0)</guid></item>" }
    try news.folder.write(
      "<rss version=\"2.0\"><channel><title>Example</title>\(items.joined())</channel></rss>",
      to: "feed.xml",
    )
    #expect(try news.run("subscribe", "feed.xml").status == 0)
    #expect(try news.run("refresh").status == 0)
    try #require(try titles() == ["story 1", "story 2", "story 3"])
  }

  private func titles() throws -> [String] {
    let listed = try news.run("list", "--format", "{title}").text
    return listed.split(separator: "\n").map(String.init)
  }

  private static func list(of titles: String...) -> String {
    let stories = titles.map { title in
      "<dict><key>title</key><string>\(title)</string><key>pubDate</key><string></string>"
        + "<key>link</key><string></string></dict>"
    }
    return "<plist version=\"1.0\"><array>\(stories.joined())</array></plist>"
  }

  private static let fewer = [nil, list(), list(of: "story 2"), list(of: "story 2", "another")]

  @Test("and doctor says so until then", arguments: fewer)
  func comeBack(_ stories: String?) throws {
    let path = "\(news.home)/newsdata.plist"
    if let stories {
      try writeFile(path, Array(stories.utf8))
    } else {
      try #require(try Subprocess.run(["rm", path]).status == 0)
    }
    let before = try news.run("doctor", "--offline", "--quiet")
    #expect(
      before.status == 1 && before.text.contains("of the 3 stories that were stored are gone")
    )
    #expect(try news.run("fetch").text.hasPrefix("newData: "))
    #expect(try Set(titles()).isSuperset(of: ["story 1", "story 2", "story 3"]))
    #expect(try news.run("doctor", "--offline", "--quiet").status == 0)
    #expect(try news.run("fetch").text.hasPrefix("noData: "))
  }

  @Test("where only the subscriptions were copied")
  func copiedSubscriptions() throws {
    let copy = news.folder.path("copy")
    let words = ["mkdir '\(copy)' && cp '\(news.home)/feeds.plist' '\(copy)'"]
    try #require(try Subprocess.run(["sh", "-c"] + words).status == 0)
    #expect(try news.run("refresh", "--home", copy).status == 0)
    let listed = try news.run("list", "--home", copy, "--format", "{title}")
    #expect(listed.text == "story 1\nstory 2\nstory 3\n")
  }

  @Test("with --force whatever there is instead of them")
  func force() throws {
    let others = Self.list(of: "one", "two", "three")
    try writeFile("\(news.home)/newsdata.plist", Array(others.utf8))
    #expect(try news.run("refresh").status == 0)
    #expect(try titles().count == 3)
    #expect(try news.run("refresh", "--force").status == 0)
    #expect(try titles().count == 6)
  }

  @Test("but not those that this program has deleted")
  func cleared() throws {
    #expect(try news.run("read", "1").status == 0)
    #expect(try news.run("delete", "--all", "--grep", "is:read", "--yes").status == 0)
    let doctor = try news.run("doctor", "--offline", "--quiet")
    #expect(doctor.status == 0, "\(doctor.text)")
    #expect(try news.run("fetch").text.hasPrefix("noData: "))
    #expect(try titles() == ["story 2", "story 3"])
    #expect(try news.run("undo").status == 0)
    #expect(try titles() == ["story 1", "story 2", "story 3"])
  }
}
