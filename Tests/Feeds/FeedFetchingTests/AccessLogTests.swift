import FeedFetching
import FeedModel
import TestSupport
import Testing

@Suite("A server's log shows a perfect client")
struct AccessLogTests {
  @Test("ten runs: each feed once without condition, then nine times with exact validators")
  func tenRuns() throws {
    let nginx = try Nginx()
    let feeds = (0..<20).map { "feed\($0).xml" }
    for feed in feeds { try nginx.serve(smallFeed, as: feed) }
    // By feed: the validators that each run was given by the one before.
    var given: [String: [CacheValidators?]] = [:]
    for run in 0..<10 {
      let requests = feeds.map { feed in
        FetchRequest(url: nginx.url("/\(feed)"), validators: given[feed]?.last ?? nil)
      }
      let fetched = fetch(requests)
      #expect(fetched.filter { $0.words != (run == 0 ? "content" : "not modified") }.isEmpty)
      for (feed, result) in zip(feeds, fetched) {
        given[feed, default: [nil]].append(result.response?.validators)
      }
    }
    let log = try nginx.stopAndReadLog()
    #expect(log.count == 200)
    for feed in feeds {
      let lines = log.filter { $0.target == "/\(feed)" }
      let expected = try #require(given[feed]).prefix(10)
      #expect(lines.map(\.status) == [200] + Array(repeating: 304, count: 9))
      #expect(lines.map(\.ifNoneMatch) == expected.map { $0?.etag })
      #expect(lines.map(\.ifModifiedSince) == expected.map { $0?.lastModified })
      #expect(lines.dropFirst().allSatisfy { $0.ifNoneMatch != nil && $0.ifModifiedSince != nil })
    }
    #expect(Set(log.map(\.userAgent)) == ["news/test (+https://example.org/)"])
    #expect(Set(log.map(\.connection)).count <= 40)
  }

  @Test("compressed bodies are asked for, and come out whole")
  func compression() throws {
    let nginx = try Nginx()
    let feed = String(repeating: smallFeed, count: 1_000)
    try nginx.serve(feed, as: "feed.rss")
    let fetched = try fetch(nginx.url("/feed.rss"))
    #expect(fetched.body == feed)
    #expect(fetched.response?.bytes == feed.utf8.count)
    #expect(fetched.response?.contentType == "application/rss+xml")
    let sent = try #require(try nginx.stopAndReadLog().first)
    #expect(sent.bytes < feed.utf8.count / 10)
  }
}
