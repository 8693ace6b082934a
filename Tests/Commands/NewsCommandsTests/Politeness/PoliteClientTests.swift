import CommandSupport
import FeedFetching
import TestSupport
import Testing

/// Hours of `news fetch --due` on a clock of their own, against a real nginx, judged by the
/// criteria of public tests of feed readers: validators, timing, retries, the name of the client.
@Suite("A timer that runs `news fetch --due` every 20 minutes")
struct PoliteClientTests {
  private static let runs = 13
  private static let feeds = ["plain", "hourly", "slow", "bare", "gone", "changing"]

  private let news: CommandRun
  private let nginx: Nginx

  init() throws {
    news = try CommandRun()
    news.realFetcher = SourceFetcher()
    nginx = try Nginx(
      site: """
        location /hourly.xml { add_header Cache-Control "max-age=3600"; }
        location /bare.xml { etag off; if_modified_since off; add_header Last-Modified ""; }
        location /gone.xml { return 410; }
        location /busy.xml { add_header Retry-After 7200 always; return 503; }
        """
    )
    for name in Self.feeds { try nginx.serve(Self.feed(name, version: 1), as: "\(name).xml") }
    let urls = Self.feeds.map { nginx.url("/\($0).xml") }
    let busy = "http://localhost:\(nginx.port)/busy.xml"
    try news.folder.write((urls + [busy]).joined(separator: "\n") + "\n", to: "urls")
  }

  private static func feed(_ name: String, version: Int) -> String {
    let items = (1...version).reversed().map {
      "<item><title>\(name) \($0)</title><guid>\(name)-\($0)</guid></item>"
    }
    return """
      <rss version="2.0"><channel><title>\(name)</title>\(name == "slow" ? "<ttl>120</ttl>" : "")
      \(items.joined())</channel></rss>
      """
  }

  private func observe(_ settings: [[String]] = []) throws -> [[Nginx.LogLine]] {
    #expect(news("import", "--allow-private", news.folder.path("urls")).status == 0)
    for words in settings { #expect(news.run(["feeds", "set"] + words).status == 0) }
    var log: [[Nginx.LogLine]] = []
    for run in 0..<Self.runs {
      if run % 4 == 3 { try nginx.serve(Self.feed("changing", version: run), as: "changing.xml") }
      #expect(news("fetch", "--due", "-q").output.split(separator: "\n").count == 1)
      let lines = try nginx.stopAndReadLog()
      log.append(Array(lines.dropFirst(log.joined().count)))
      try nginx.restart()
      news.now += 20 * 60
    }
    return log
  }

  @Test("asks exactly what a perfect client asks")
  func perfectClient() throws {
    let log = try observe()
    // A feed with validators is asked without condition once in its life.
    for name in ["plain", "hourly", "slow", "changing"] {
      let requests = log.joined().filter { $0.target == "/\(name).xml" }
      #expect(requests.first?.status == 200)
      #expect(requests.first?.ifNoneMatch == nil)
      #expect(requests.count >= 2, "\(name)")
      for request in requests.dropFirst() {
        #expect(request.ifNoneMatch != nil && request.ifModifiedSince != nil, "\(name)")
      }
      if name != "changing" { #expect(requests.dropFirst().allSatisfy { $0.status == 304 }) }
    }
    let changing = log.joined().filter { $0.target == "/changing.xml" && $0.status == 200 }
    #expect(Set(changing.map(\.bytes)).count == changing.count)
    #expect(changing.count >= 2)
  }

  @Test("never comes before its time")
  func timing() throws {
    let log = try observe()
    let least = ["plain": 20, "hourly": 60, "slow": 120, "bare": 60, "busy": 120]
    for (name, minutes) in least {
      let runs = log.indices.filter { run in log[run].contains { $0.target == "/\(name).xml" } }
      #expect(runs.first == 0, "\(name)")
      for (earlier, later) in zip(runs, runs.dropFirst()) {
        #expect((later - earlier) * 20 >= minutes, "\(name)")
      }
    }
    #expect(log.joined().count { $0.target == "/gone.xml" } == 1)
    for run in log { #expect(Set(run.map(\.target)).count == run.count) }
  }

  @Test("comes as often as is set for a feed, but no sooner than its server allows")
  func intervals() throws {
    let log = try observe([
      ["plain.xml", "--interval", "2h", "--user-agent", "Mine/1"],
      ["hourly.xml", "--interval", "20min"], ["bare.xml", "--interval", "20min"],
      ["changing.xml", "--interval", "20min"],
    ])
    func gaps(_ name: String) -> Set<Int> {
      let runs = log.indices.filter { run in log[run].contains { $0.target == "/\(name).xml" } }
      return Set(zip(runs, runs.dropFirst()).map { ($1 - $0) * 20 })
    }
    #expect(gaps("plain") == [140])
    #expect(gaps("changing") == [40])
    #expect(gaps("hourly").min() == 80 && gaps("bare").min() == 80)
    for request in log.joined() {
      #expect((request.userAgent == "Mine/1") == (request.target == "/plain.xml"))
    }
  }

  @Test("says who it is, and opens at most four connections to a host")
  func manners() throws {
    for number in 0..<40 {
      try nginx.serve(Self.feed("more\(number)", version: 1), as: "more\(number).xml")
    }
    let urls = (0..<40).map { nginx.url("/more\($0).xml") }.joined(separator: "\n")
    try news.folder.write(urls + "\n", to: "more")
    #expect(news("import", "--allow-private", news.folder.path("more")).status == 0)
    #expect(news("fetch").output.hasPrefix("newData: 40 new in 40 of 40 feeds"))
    let log = try nginx.stopAndReadLog()
    #expect(log.count == 40)
    #expect(Set(log.map(\.connection)).count <= 4)
    #expect(Set(log.map(\.userAgent)) == ["news/\(Version.number) (feed reader)"])
  }

  @Test("says what NEWS_USER_AGENT has, as one line")
  func ownUserAgent() throws {
    news.variables["NEWS_USER_AGENT"] = "Mine/1\r\nX-Other: a"
    #expect(news("parse", nginx.url("/plain.xml")).status == 0)
    news.variables["NEWS_USER_AGENT"] = ""
    #expect(news("parse", nginx.url("/plain.xml")).status == 0)
    let agents = try nginx.stopAndReadLog().map(\.userAgent)
    #expect(agents == ["Mine/1 X-Other: a", "news/\(Version.number) (feed reader)"])
  }
}
