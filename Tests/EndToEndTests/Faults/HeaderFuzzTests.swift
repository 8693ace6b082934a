import TestSupport
import Testing

@Suite("Heads of any kind harm nobody, with the built program")
struct HeaderFuzzTests {
  private static func feed(_ title: String) -> String {
    "<rss version=\"2.0\"><channel><title>T</title><item><title>\(title)</title></item></channel></rss>"
  }

  private let news: News

  init() throws {
    news = try News()
  }

  // libcurl before 8.1 frees twice, or writes where the server wants it to, when one handle gets
  // both answers.
  @Test("a redirect to an answer whose first header line is folded", arguments: [40, 1_000])
  func foldedAfterRedirect(_ length: Int) throws {
    let last = "X-Last: " + String(repeating: "A", count: length)
    let folded = " folded: " + String(repeating: "B", count: 200)
    let server = try FaultyServer([
      "/a": .response(status: "302 Found", headers: ["Location: /b", last], body: "").keptAlive,
      "/b": .raw("HTTP/1.1 200 OK\r\n\(folded)\r\nContent-Length: 5\r\n\r\n<rss>"),
    ])
    let result = try news.run("parse", server.url("/a"))
    #expect(result.status == 1)
    #expect(result.errorText.hasSuffix(": the server's answer is not valid HTTP\n"))
  }

  @Test("four hundred random answers: a line for each failure, and the good feeds are stored")
  func randomAnswers() throws {
    let bad = try FaultyServer { request in
      .random(seed: UInt64(request.path.filter(\.isNumber)) ?? 0, feed: Self.feed("odd"))
    }
    let good = try FaultyServer { .response(body: Self.feed($0.header("Host") ?? "")) }
    // Each feed has a host of its own: 429 and 503 hold up their own host alone.
    let goodHosts = (0..<20).map { "good\($0).localhost:\(good.port)" }
    let urls =
      (0..<400).map { "http://odd\($0).localhost:\(bad.port)/\($0)" }
      + goodHosts.map { "http://\($0)/" }
    try news.folder.write(urls.joined(separator: "\n") + "\n", to: "urls")
    _ = try news.run("import", "--allow-private", "urls")
    let result = try news.run("fetch", "--deadline", "300")
    // The odd answers have odd dates, and no other host tells the time.
    let lines = result.errorText.split(separator: "\n")
      .filter { !$0.hasPrefix("news: the clock of this machine ") }
    let failed = lines.filter { $0.contains("; next try after ") || $0.contains("is gone") }
    #expect(failed == lines)
    #expect(failed.allSatisfy { $0.hasPrefix("news: http://odd") && !$0.contains("libcurl") })
    #expect(outcome(result).hasSuffix(" of 420 feeds, \(lines.count) failed"))
    #expect(Set(try news.titles()) == Set(goodHosts + ["odd"]))
  }
}

extension FaultyAnswer {
  /// Returns a head of odd parts, some of its bytes changed, and a feed; the same for a seed.
  fileprivate static func random(seed: UInt64, feed: String) -> FaultyAnswer {
    var chance = Chance(seed: seed)
    var head = "HTTP/\(chance.of(OddParts.versions)) \(chance.of(OddParts.statuses))\r\n"
    for _ in 0..<chance.below(8) {
      head += chance.of(OddParts.names) + chance.of([": ", ":", " : ", ""])
      head += chance.of(OddParts.values) + chance.of(OddParts.lineEnds)
    }
    if chance.below(10) < 7 { head += "Content-Length: \(feed.utf8.count)\r\n" }
    var bytes = Array("\(head)\r\n\(feed)".utf8)
    for _ in 0..<chance.of([0, 0, 0, 1, 3, 10]) {
      bytes[chance.below(bytes.count)] = UInt8(chance.below(256))
    }
    let answer = FaultyAnswer([.send(bytes)])
    // One without an end is waited for until it counts as stalled: not too many of these.
    return chance.below(40) == 0 ? answer.keptAlive : answer
  }
}

private enum OddParts {
  static let versions = Array(repeating: "1.1", count: 5) + ["1.0", "2", "9.9", "1.1.1", ""]
  static let statuses =
    Array(repeating: "200 OK", count: 6) + [
      "301 x", "302", "304 x", "307 x", "308 x", "429 x", "503 x", "410 x", "100 x", "103 x",
      "206 x", "0 x", "99999 x", "-1 x", "20 x", "",
    ]
  static let names = [
    "ETag", "Last-Modified", "Cache-Control", "Expires", "Date", "Age", "Retry-After", "Location",
    "Server", "Content-Type", "cf-mitigated", "Content-Encoding", "Content-Length",
    "Transfer-Encoding", "Connection", "Set-Cookie", "Link", "Trailer", "WWW-Authenticate", "",
  ]
  static let values = [
    "0", "-1", "99999999999999999999999", "\"a\"", "W/\"x\"", "\u{FF}\u{FE}",
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun, 31 Feb 0000 23:59:60 GMT", "Sun, 06 Nov 9999 08:49:37 GMT",
    "max-age=1, max-age=\"5\", no-cache, immutable=,=,,", "text/html; charset=utf-8",
    ";;;=;charset", "application/xml;charset=\"utf-16", "http://127.0.0.5:1/z/1", "//", "?", "#",
    "\u{80}\u{81}", "http://[::", String(repeating: "a", count: 2_000), "", " ", "\t",
    "-,-,-,-,-", "    ,   ", "a b c d e f g", "Digest realm=\"a\", nonce=\"b\"", "chunked",
    "gzip", "close", "/",
  ]
  static let lineEnds = Array(repeating: "\r\n", count: 8) + ["\n", "\r", "\r\n "]
}

extension Chance {
  fileprivate mutating func of<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }
}
