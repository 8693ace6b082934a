import FeedFetching
import FeedModel
import TestSupport
import Testing

@Suite("Conditional requests are made to the letter")
struct ConditionalRequestTests {
  static let date = "sUN, 06-Nov-94 08:49:37 gmt"

  static func server() throws -> FaultyServer {
    try FaultyServer { request in
      if request.header("If-None-Match") == "W/\"a b\"" {
        return .raw("HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=60\r\n\r\n")
      }
      return .response(
        headers: ["ETag:   W/\"a b\" ", "Last-Modified: \(date)", "Cache-Control: no-store"],
        body: smallFeed,
      )
    }
  }

  @Test("validators come back byte for byte, both together")
  func byteForByte() throws {
    let server = try Self.server()
    let first = try fetch(server.url("/feed"))
    let validators = CacheValidators(
      etag: "W/\"a b\"",
      lastModified: Self.date,
      url: server.url("/feed"),
    )
    #expect(first.response?.validators == validators)
    #expect(first.response?.freshness.isNoStore == true)
    let second = try fetch(server.url("/feed"), validators: validators)
    #expect(second.words == "not modified")
    #expect(second.heads.isEmpty && second.bytes == 0)
    #expect(second.response?.validators == validators)
    #expect(second.response?.freshness.maximumAge == 60)
    #expect(server.requests[0].header("If-None-Match") == nil)
    #expect(server.requests[0].header("If-Modified-Since") == nil)
    #expect(server.requests[1].header("If-None-Match") == "W/\"a b\"")
    #expect(server.requests[1].header("If-Modified-Since") == Self.date)
  }

  @Test("where a server does not know its own tag again, the time alone is sent")
  func ignoredTag() throws {
    // Apache with mod_deflate compares its tag without `-gzip`.
    let version = Monitor(1)
    let server = try FaultyServer { request in
      let time = "Sun, 06 Nov 1994 08:49:3\(version.change { $0 }) GMT"
      let isKnown =
        request.header("If-None-Match") == nil && request.header("If-Modified-Since") == time
      return isKnown
        ? .raw("HTTP/1.1 304 Not Modified\r\n\r\n")
        : .response(
          headers: ["ETag: \"\(version.change { $0 })-gzip\"", "Last-Modified: \(time)"],
          body: smallFeed,
        )
    }
    var validators: CacheValidators?
    var words: [String] = []
    for visit in 1...6 {
      if visit == 5 { version.change { $0 = 2 } }
      let fetched = try fetch(server.url("/feed"), validators: validators)
      words.append(fetched.words)
      validators = fetched.response?.validators
    }
    #expect(
      words == ["content", "content", "not modified", "not modified", "content", "not modified"]
    )
    let tags = server.requests.map { $0.header("If-None-Match") }
    #expect(tags == [nil, "\"1-gzip\"", nil, nil, nil, nil])
    #expect(validators?.etag == "\"2-gzip\"")
  }

  @Test("a tag without a time is sent, known or not")
  func ignoredTagAlone() throws {
    let server = try FaultyServer { _ in .response(headers: ["ETag: \"1\""], body: smallFeed) }
    var validators: CacheValidators?
    for _ in 0..<3 {
      validators = try fetch(server.url("/feed"), validators: validators).response?.validators
    }
    #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"1\"", "\"1\""])
  }

  @Test("a 304 may bring new validators")
  func refreshed() throws {
    let server = try FaultyServer(["/feed": .raw("HTTP/1.1 304 x\r\nETag: \"2\"\r\n\r\n")])
    let url = server.url("/feed")
    let fetched = try fetch(
      url,
      validators: CacheValidators(etag: "\"1\"", lastModified: Self.date, url: url),
    )
    #expect(
      fetched.response?.validators
        == CacheValidators(etag: "\"2\"", lastModified: Self.date, url: url)
    )
  }

  @Test("they go only to the URL that sent them")
  func otherURL() throws {
    let server = try Self.server()
    let validators = CacheValidators(
      etag: "W/\"a b\"",
      lastModified: nil,
      url: server.url("/elsewhere"),
    )
    #expect(try fetch(server.url("/feed"), validators: validators).words == "content")
    #expect(server.requests.map { $0.header("If-None-Match") } == [nil])
  }

  @Test("they are not carried across a redirect", arguments: [301, 302])
  func redirected(_ status: Int) throws {
    let server = try FaultyServer([
      "/a": .redirect(status, to: "/b"),
      "/b": .response(headers: ["ETag: \"b\""], body: smallFeed),
    ])
    let first = try fetch(
      server.url("/a"),
      validators: CacheValidators(etag: "\"a\"", lastModified: nil, url: server.url("/a")),
    )
    #expect(server.requests.map { $0.header("If-None-Match") } == ["\"a\"", nil])
    #expect(
      first.response?.validators
        == CacheValidators(etag: "\"b\"", lastModified: nil, url: server.url("/b"))
    )
    _ = try fetch(server.url("/a"), validators: first.response?.validators)
    #expect(server.requests.map { $0.header("If-None-Match") } == ["\"a\"", nil, nil, "\"b\""])
  }

  @Test("a 304 to a request without condition is a failure")
  func unasked() throws {
    let server = try FaultyServer(["/feed": .raw("HTTP/1.1 304 Not Modified\r\n\r\n")])
    let fetched = try fetch(server.url("/feed"))
    #expect(fetched.words == "server answered 304 to an unconditional request")
  }

  @Test(
    "what is not fit for a header is neither sent nor kept",
    arguments: [
      "\"a\r\nX-Evil: 1\"", "\"a\u{7F}\"", "\"\u{E9}\"",
      "\"" + String(repeating: "x", count: 1_023) + "\"",
      "",
    ],
  )
  func injection(_ etag: String) throws {
    let server = try FaultyServer { _ in
      .response(headers: ["ETag: \(etag)"], body: smallFeed)
    }
    let url = server.url("/feed")
    let fetched = try fetch(
      url,
      validators: CacheValidators(etag: etag, lastModified: nil, url: url),
    )
    #expect(server.requests.map { $0.header("If-None-Match") } == [nil])
    #expect(server.requests.map { $0.header("X-Evil") } == [nil])
    let kept = fetched.response?.validators?.etag
    #expect(kept == nil || kept == "\"a")
  }

  @Test(
    "a time that lies is neither kept nor sent: it would be answered with 304 for ever",
    arguments: [
      ["Last-Modified: 0"], ["Last-Modified: now"],
      ["Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"],
      ["Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT", "Date: Sun, 06 Nov 1994 08:49:37 GMT"],
      ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Last-Modified: Fri, 06 Nov 2093 08:49:37 GMT"],
    ],
  )
  func lies(_ headers: [String]) throws {
    let server = try FaultyServer { _ in .response(headers: headers, body: smallFeed) }
    let fetched = try fetch(server.url("/feed"))
    #expect(fetched.words == "content" && fetched.response?.validators == nil)
    let kept = CacheValidators(etag: "\"a\"", lastModified: "0", url: server.url("/feed"))
    _ = try fetch(server.url("/feed"), validators: kept)
    #expect(server.requests.map { $0.header("If-Modified-Since") } == [nil, nil])
    #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"a\""])
  }

  @Test("a time as old as the answer is kept")
  func truth() throws {
    let time = "Sun, 06 Nov 1994 08:49:37 GMT"
    let server = try FaultyServer { _ in
      .response(headers: ["Last-Modified: \(time)", "Date: \(time)"], body: smallFeed)
    }
    #expect(try fetch(server.url("/feed")).response?.validators?.lastModified == time)
  }

  @Test("a feed-reader's manners: who it is, and nothing else")
  func manners() throws {
    let server = try Self.server()
    _ = try fetch(server.url("/feed"))
    let request = try #require(server.requests.first)
    let names = request.headerLines.map { $0.prefix { $0 != ":" }.lowercased() }
    #expect(request.method == "GET")
    #expect(request.header("User-Agent") == "news/test (+https://example.org/)")
    #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
    #expect(names.sorted() == ["accept", "accept-encoding", "host", "user-agent"])
  }
}
