import TestSupport
import Testing

@Suite("The main job, with the built program and a real nginx")
struct MainJobTests {
  private static let first = BuiltProduct.fixture("reuters/technology.xml")
  private static let later = BuiltProduct.fixture("reuters/technology-later.xml")
  private let news: News
  private let nginx: Nginx

  init() throws {
    news = try News()
    nginx = try Nginx()
    try nginx.serve(try readText(Self.first), as: "technology.xml")
  }

  private var url: String { nginx.url("/technology.xml") }

  @Test("subscribe, noData through 304, three new, failed, garbage, clear, all back")
  func lifeOfAFeed() throws {
    #expect(try news.run("subscribe", url).status == 0)
    #expect(try news.titles().count == 24)
    #expect(outcome(try news.run("fetch")) == "noData: 0 new in 0 of 1 feeds")
    try nginx.serve(try readText(Self.later), as: "technology.xml")
    #expect(outcome(try news.run("fetch")) == "newData: 3 new in 1 of 1 feeds")
    #expect(try news.titles().count == 27)
    #expect(try news.titles()[0] == "Ride-hailing firm to list shares in Frankfurt")

    let stored = try readFile(news.dataPath)
    try nginx.stop()
    let refused = try news.run("fetch", "--exit-status")
    #expect(outcome(refused) == "failed: 1 of 1 feeds failed")
    #expect(refused.status == 1)
    #expect(refused.errorText.hasPrefix("news: \(url): "))
    #expect(try readFile(news.dataPath) == stored)

    try nginx.restart()
    try nginx.serve("\u{1}\u{2} this is not a feed <", as: "technology.xml")
    let garbage = try news.run("fetch", "--exit-status")
    #expect(outcome(garbage) == "failed: 1 of 1 feeds failed")
    #expect(garbage.status == 1)
    #expect(garbage.errorText.split(separator: "\n").count == 1)
    #expect(try readFile(news.dataPath) == stored)

    try nginx.serve(try readText(Self.later), as: "technology.xml")
    #expect(try news.run("clear", "--yes").status == 0)
    #expect(try news.run("list").text == "")
    #expect(try news.run("refresh").status == 0)
    #expect(try news.titles().count == 24)

    let log = try nginx.stopAndReadLog()
    // The feed was stored by `subscribe`; a feed is asked without condition once in its life.
    #expect(log.map(\.status) == [200, 304, 200, 200, 200])
    #expect(log[1].ifNoneMatch != nil)
    #expect(log[1].ifModifiedSince != nil)
    #expect(log[4].ifNoneMatch == nil)
    #expect(log.allSatisfy { $0.userAgent?.hasPrefix("news/") == true })
  }

  @Test("fetch answers by its exit status when asked to")
  func exitStatus() throws {
    try nginx.serve("<rss version=\"2.0\"><channel><title>E</title></channel></rss>", as: "e.xml")
    _ = try news.run("subscribe", "--no-check", url)
    #expect(try news.run("fetch", "--exit-status").status == 0)
    #expect(try news.run("fetch", "--exit-status").status == 3)
    #expect(try news.run("fetch").status == 0)
    try nginx.stop()
    #expect(try news.run("fetch", "--exit-status").status == 1)
  }

  @Test("the failure of one feed is told and stops no other")
  func oneFails() throws {
    try nginx.serve(try readText(Self.later), as: "other.xml")
    for name in ["/technology.xml", "/other.xml"] {
      _ = try news.run("subscribe", "--no-check", nginx.url(name))
    }
    try nginx.serve("<html><body>gone fishing</body></html>", as: "other.xml")
    let result = try news.run("fetch")
    #expect(outcome(result) == "newData: 24 new in 1 of 2 feeds, 1 failed")
    #expect(result.status == 0)
    #expect(
      result.errorText.hasPrefix("news: \(nginx.url("/other.xml")): a web page, not a feed")
    )
  }

  @Test("fetch --json tells everything in one object")
  func json() throws {
    _ = try news.run("subscribe", "--no-check", url)
    let result = try news.run("fetch", "--json")
    let check = """
      import json, sys
      o = json.load(sys.stdin)
      f = o['feeds'][0]
      print(o['outcome'], o['new'], o['stored'], isinstance(o['seconds'], float), len(o['feeds']))
      print(f['url'], f['title'], f['outcome'], f['new'], f['stored'], f['status'], f['error'])
      print(f['bytes'] == \(try readFile(Self.first).count), isinstance(f['seconds'], float))
      """
    let text = try Subprocess.run(["python3", "-c", check], input: result.text).text
    #expect(
      text == """
        newData 24 24 True 1
        \(url) Reuters: Technology News newData 24 24 200 None
        True True

        """
    )
  }

  @Test("two processes that refresh at the same time lose nothing")
  func twoAtOnce() throws {
    for number in 0..<12 {
      let text = try readText(number % 2 == 0 ? Self.first : Self.later)
        .split(separator: "idUSKCN").joined(separator: "feed\(number)idUSKCN")
      try nginx.serve(text, as: "\(number).xml")
      _ = try news.run("subscribe", "--no-check", nginx.url("/\(number).xml"))
    }
    let running = try (0..<4).map { _ in try news.start("fetch") }
    for process in running { #expect(try process.wait().status == 0) }
    let links = try news.run("list").text.split(separator: "\n").compactMap {
      $0.split(separator: "\t").last
    }
    #expect(links.count == 12 * 24)
    #expect(Set(links).count == 12 * 24)
  }

  @Test("a fetch that is killed at any moment leaves a store that the next one completes")
  func killed() throws {
    _ = try news.run("subscribe", "--no-check", url)
    for delay in 0..<12 {
      _ = try news.run("clear", "--yes")
      let process = try news.start("fetch")
      // The delay is the moment that the test hits, and no time to wait for.
      _ = try Subprocess.run(["sleep", "0.0\(delay < 10 ? "0" : "")\(delay)"])
      process.send(9)
      _ = try process.wait()
      let count = try news.titles().count
      #expect(count == 0 || count == 24)
      _ = try news.run("fetch")
      #expect(try news.titles().count == 24)
    }
    let names = try namesInFolder(news.home)
    #expect(names.allSatisfy { !$0.hasPrefix(".") }, "\(names)")
  }
}
