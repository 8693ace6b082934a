import FeedFetching
import TestSupport
import Testing

@Suite("Freshness is what the answer says")
struct FreshnessTests {
  static let now = Date(timeIntervalSince1970: 784_111_777)

  static func freshness(_ cacheControl: [String], age: String? = nil) -> Freshness {
    var freshness = Freshness()
    for field in cacheControl { freshness.readCacheControl(field) }
    if let age { freshness.readAge(age) }
    return freshness
  }

  @Test(
    "Cache-Control",
    arguments: [
      (["max-age=60"], nil, 60), (["MAX-AGE = \"60\""], nil, 60), (["max-age=60"], "20", 40),
      (["max-age=60"], "99", 0), (["max-age=60", "no-cache"], nil, 0),
      (["public, max-age=60 , immutable"], nil, 60), (["no-store"], nil, 0),
      (["max-age=99999999999999999999"], nil, 2_147_483_648), (["s-maxage=60"], nil, nil),
      (["max-age"], nil, nil), (["max-age=-1"], nil, nil), (["max-age=x"], nil, nil),
      (["max-age=60"], "x", 60), ([","], nil, nil), ([], nil, nil),
    ] as [([String], String?, Double?)],
  )
  func cacheControl(_ fields: [String], _ age: String?, _ seconds: Double?) {
    #expect(Self.freshness(fields, age: age).lifetime(now: Self.now) == seconds)
  }

  @Test("Expires counts from the server's own clock, and after max-age")
  func expires() {
    var freshness = Freshness()
    freshness.readExpires("Sun, 06 Nov 1994 09:49:37 GMT")
    #expect(freshness.lifetime(now: Self.now) == 3_600)
    freshness.date = HTTPDate.date("Sun, 06 Nov 1994 09:00:00 GMT")
    #expect(freshness.lifetime(now: Self.now) == 2_977)
    freshness.readCacheControl("max-age=5")
    #expect(freshness.lifetime(now: Self.now) == 5)
  }

  @Test("an Expires that is no date has passed", arguments: ["0", "-1", "never"])
  func badExpires(_ value: String) {
    var freshness = Freshness()
    freshness.readExpires(value)
    #expect(freshness.lifetime(now: Self.now) == 0)
  }

  @Test("no-store is told")
  func flags() {
    let freshness = Self.freshness(["immutable", "no-store"])
    #expect(freshness.isNoStore && !freshness.isNoCache)
  }
}

@Suite("Retry-After in both forms")
struct RetryAfterTests {
  static let now = Date(timeIntervalSince1970: 784_111_777)

  @Test(
    "seconds and dates, between now and seven days",
    arguments: [
      ("120", 120), ("0", 0), ("999999999999999999999999", 604_800), ("604801", 604_800),
      ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
      ("Fri, 06 Nov 2094 08:00:00 GMT", 604_800),
    ] as [(String, Double)],
  )
  func values(_ text: String, _ seconds: Double) throws {
    let retryAfter = try #require(RetryAfter(text))
    #expect(retryAfter.date(now: Self.now).timeIntervalSince(Self.now) == seconds)
  }

  @Test(
    "a date goes by the clock of the server that says it",
    arguments: [
      (["Date: Sun, 06 Nov 1994 08:00:00 GMT"], .delay(300)),
      (["Date: Sun, 06 Nov 1994 08:00:00 GMT", "Age: 100"], .delay(200)),
      (["Date: Sun, 06 Nov 1994 09:00:00 GMT"], .delay(0)),
      (["Date: Sun, 06 Nov 1904 09:00:00 GMT"], .delay(604_800)),
      (["Date: ?"], .instant(Date(timeIntervalSince1970: 784_109_100))),
      ([], .instant(Date(timeIntervalSince1970: 784_109_100))),
    ] as [([String], RetryAfter)],
  )
  func clocks(_ headers: [String], _ wait: RetryAfter) throws {
    let headers = headers + ["Retry-After: Sun, 06 Nov 1994 08:05:00 GMT"]
    let server = try FaultyServer { _ in
      .response(status: "429 X", headers: headers, body: "later")
    }
    #expect(try fetch(server.url("/")).response?.retryAfter == wait)
  }

  @Test("anything else is not one", arguments: ["", "-1", "1.5", "soon", "12 s", "\u{661}"])
  func others(_ text: String) {
    #expect(RetryAfter(text) == nil)
  }
}
