import TestSupport

/// The sites of two weeks, each with a behaviour of its own.
enum SimulatedWeb {
  static let hour = 3600.0
  static let day = 86_400.0
  /// Saturday, 1 June 2024, 12:07 UTC.
  static let start = 1_717_243_620.0
  static let days = 14.0
  /// The time between the stories of most sites.
  static let usualPause = 6 * hour
  private static let often = hour / 2

  static let feeds =
    [
      "steady", "silent", "maxage", "expires", "ttl", "sy", "skip", "challenge", "down", "gone",
      "moved", "stolen", "bare", "apache", "cookie", "hopper",
    ].map { "http://\($0).example/feed" }
    + [
      "http://busy.example/a", "http://busy.example/b", "http://later.example/a",
      "http://later.example/b",
    ]

  static func page(_ request: FaultyRequest, _ host: String, _ now: Double) -> LoggingServer.Page {
    let age = (now - start) / day
    switch host {
    case "silent.example":
      return feed(request, host, at: start - 30 * day, every: day, ["Cache-Control: max-age=900"])
    case "maxage.example":
      return feed(
        request,
        host,
        at: last(now, often),
        every: often,
        ["Cache-Control: max-age=7200"],
      )
    case "expires.example":
      return feed(
        request,
        host,
        at: last(now, often),
        every: often,
        ["Expires: \(httpDate(now + 3 * hour))"],
      )
    case "ttl.example":
      return feed(request, host, at: last(now, often), every: often, more: "<ttl>180</ttl>")
    case "sy.example":
      let sy = "<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>"
      return feed(request, host, at: last(now, often), every: often, more: sy)
    case "skip.example":
      return feed(request, host, at: last(now, often), every: often, more: skips)
    case "challenge.example" where (2..<2.25).contains(age):
      return .init(
        status: 403,
        headers: ["Server: cloudflare", "Retry-After: 43200"],
        body: "<title>Just a moment...</title>",
      )
    case "busy.example" where (3..<3.5).contains(age):
      return .init(status: 429, headers: ["Retry-After: 86400"])
    case "later.example" where (5..<5.5).contains(age):
      return .init(status: 503, headers: ["Retry-After: \(httpDate(start + 7 * day))"])
    // The redirect comes after the refusal, when no request from before can still be under way.
    case "hopper.example" where age > 3.5:
      return .init(status: 302, headers: ["Location: http://busy.example/h"])
    case "down.example" where age > 1: return .init(status: 500)
    case "gone.example" where age > 2: return .init(status: 410)
    case "moved.example" where age > 1:
      return .init(status: 301, headers: ["Location: http://new.example/feed"])
    case "new.example":
      return feed(request, "moved.example", at: last(now, usualPause), every: usualPause)
    case "stolen.example" where age > 2:
      return .init(status: 301, headers: ["Location: http://stranger.example/feed"])
    case "bare.example":
      return feed(request, host, at: last(now, often), every: often, hasValidators: false)
    case "apache.example": return apache(request, now)
    case "cookie.example":
      return feed(
        request,
        host,
        at: last(now, usualPause),
        every: usualPause,
        ["Set-Cookie: id=1; Path=/"],
      )
    default: return feed(request, host, at: last(now, usualPause), every: usualPause)
    }
  }

  private static let skips =
    "<skipHours>" + (0..<6).map { "<hour>\($0)</hour>" }.joined()
    + "</skipHours><skipDays><day>Saturday</day><day>Sunday</day></skipDays>"

  private static func last(_ now: Double, _ pause: Double) -> Double {
    (now / pause).rounded(.down) * pause
  }

  static func validators(_ host: String, _ version: Double) -> (etag: String, lastModified: String)
  {
    ("\"\(host) \(Int(version)) +/~\"", httpDate(version))
  }

  private static func feed(
    _ request: FaultyRequest,
    _ host: String,
    at newest: Double,
    every pause: Double,
    _ headers: [String] = [],
    more: String = "",
    hasValidators: Bool = true,
  ) -> LoggingServer.Page {
    let (etag, lastModified) = validators(host, newest)
    let own = hasValidators ? ["ETag: \(etag)", "Last-Modified: \(lastModified)"] : []
    if hasValidators, request.header("If-None-Match") == etag {
      return .init(status: 304, headers: own + headers)
    }
    return .init(headers: own + headers, body: document(host, newest, pause, more))
  }

  static func apacheVersion(_ now: Double) -> Double {
    last(now, 2 * day)
  }

  /// Answers as Apache does: with `mod_deflate`, the tag that comes back is not the one that is
  /// compared (bug 45023).
  private static func apache(_ request: FaultyRequest, _ now: Double) -> LoggingServer.Page {
    let newest = apacheVersion(now)
    let headers = ["ETag: \"\(Int(newest))-gzip\"", "Last-Modified: \(httpDate(newest))"]
    if request.header("If-None-Match") == nil,
      request.header("If-Modified-Since") == httpDate(newest)
    {
      return .init(status: 304, headers: headers)
    }
    return .init(headers: headers, body: document("apache.example", newest, 2 * day, ""))
  }

  private static func document(
    _ host: String,
    _ newest: Double,
    _ pause: Double,
    _ more: String,
  ) -> String {
    let items = (0..<10).map { number in
      let date = newest - Double(number) * pause
      return
        "<item><title>\(host) \(Int(date))</title><guid isPermaLink=\"false\">\(host) \(Int(date))"
        + "</guid><pubDate>\(httpDate(date))</pubDate></item>"
    }
    return """
      <rss version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel>
      <title>\(host)</title>\(more)\(items.joined())</channel></rss>
      """
  }
}
