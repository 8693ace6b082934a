import FeedFetching
import FeedModel
import TestSupport
import Testing

@Suite("A status is told in words that help")
struct StatusTests {
  @Test(
    "what is no success has no content",
    arguments: [
      (400, "server answered 400"),
      (
        401,
        "server answered 401: it needs a user and password, in the URL, from --password-command or, "
          + "for https, in ~/.netrc; those given are missing or wrong",
      ),
      (
        403,
        "server answered 403: it refuses this program or this network; open the URL in a browser",
      ),
      (404, "server answered 404: there is nothing at this URL"),
      (
        407,
        "server answered 407: the proxy needs a user and password, in http_proxy or https_proxy",
      ),
      (410, "server answered 410: the feed is gone for good"),
      (418, "server answered 418"),
      (429, "server answered 429: it is asked too often"),
      (500, "server answered 500"), (503, "server answered 503"), (999, "server answered 999"),
    ],
  )
  func statuses(_ status: Int, _ words: String) throws {
    let server = try FaultyServer([
      "/feed": .response(status: "\(status) \u{1B}[31mEVIL", body: smallFeed)
    ])
    let fetched = try fetch(server.url("/feed"))
    #expect(fetched.words == words)
    #expect(fetched.error?.status == status)
    #expect(fetched.response?.status == status)
    #expect(fetched.heads.isEmpty && fetched.bytes == 0)
    #expect(fetched.response?.validators == nil)
  }

  @Test("every other success is read as 200", arguments: [200, 201, 203, 206, 207, 226, 250, 299])
  func successes(_ status: Int) throws {
    let headers = ["ETag: \"1\"", "Content-Range: bytes 0-9/*"]
    let server = try FaultyServer([
      "/feed": .response(status: "\(status) Well", headers: headers, body: smallFeed)
    ])
    let fetched = try fetch(server.url("/feed"))
    #expect(fetched.words == "content" && fetched.body == smallFeed)
    #expect(fetched.response?.status == status)
    #expect(fetched.response?.validators?.etag == "\"1\"")
  }

  @Test("an answer without content is nothing new", arguments: [204, 205])
  func empty(_ status: Int) throws {
    let server = try FaultyServer([
      "/feed": .response(status: "\(status) Nothing", headers: ["ETag: \"2\""], body: "")
    ])
    let url = server.url("/feed")
    let sent = CacheValidators(etag: "\"1\"", lastModified: nil, url: url)
    for validators in [nil, sent] {
      let fetched = try fetch(url, validators: validators)
      #expect(fetched.words == "not modified" && fetched.heads.isEmpty)
      #expect(fetched.response?.validators == validators)
    }
  }

  @Test(
    "401 with any challenge ends",
    arguments: ["Basic realm=\"x\"", "Digest realm=\"x\"", "?"],
  )
  func challenges(_ challenge: String) throws {
    let answer = FaultyAnswer.response(
      status: "401 Unauthorized",
      headers: ["WWW-Authenticate: \(challenge)"],
      body: "no",
    )
    let server = try FaultyServer(["/feed": answer])
    #expect(try fetch(server.url("/feed")).error == .status(401))
    #expect(server.requests.count == 1)
  }

  @Test("a wrong password is not tried twice, and not told")
  func wrongPassword() throws {
    let answer = FaultyAnswer.response(
      status: "401 Unauthorized",
      headers: ["WWW-Authenticate: Basic realm=\"x\""],
      body: "no",
    )
    let server = try FaultyServer(["/feed": answer])
    let fetched = try fetch("http://me:secret@127.0.0.1:\(server.port)/feed")
    #expect(server.requests.count { $0.header("Authorization") != nil } == 1)
    #expect(!fetched.words.contains("secret") && !fetched.words.contains("me:"))
    #expect(fetched.response?.url.contains("secret") == false)
  }

  @Test("410 is gone, 404 is not")
  func gone() {
    #expect(FetchError.status(410).isGone)
    #expect(!FetchError.status(404).isGone)
  }

  struct Challenge: Sendable {
    var status: Int
    var headers: [String]
    var body: String
    var service: String?

    init(_ status: Int, _ headers: [String], _ body: String, _ service: String?) {
      self.status = status
      self.headers = headers
      self.body = body
      self.service = service
    }
  }

  @Test(
    "protection services are named, servers behind them are not blamed",
    arguments: [
      Challenge(403, ["CF-Mitigated: challenge", "Server: cloudflare"], "", "Cloudflare"),
      Challenge(403, ["Server: cloudflare"], "<html>no</html>", "Cloudflare"),
      Challenge(503, [], "<html><title>Just a moment...</title>", "Cloudflare"),
      Challenge(503, ["Server: cloudflare"], "<html>origin is down</html>", nil),
      Challenge(429, ["Server: cloudflare"], "<html>slow down</html>", nil),
      Challenge(403, ["Server: AkamaiGHost"], "Access Denied", "Akamai"),
      Challenge(403, ["Server: ddos-guard"], "", "DDoS-Guard"),
      Challenge(403, ["Server: nginx"], "<html>403</html>", nil),
      Challenge(404, ["Server: cloudflare"], "<title>Just a moment...</title>", nil),
      Challenge(403, [], String(repeating: " ", count: 100_000), nil),
      Challenge(403, [], "<script src=\"/.within.website/x.js\"></script>", "Anubis"),
      Challenge(503, ["Server: nginx"], "<p>Checking your browser before you go on</p>", ""),
      Challenge(403, [], "<div class=\"h-captcha\"></div>", ""),
      Challenge(403, [], "<h1>Verify you are human</h1>", ""),
      Challenge(500, [], "<h1>Verify you are human</h1>", nil),
    ],
  )
  func protection(_ challenge: Challenge) throws {
    let server = try FaultyServer([
      "/feed": .response(
        status: "\(challenge.status) No",
        headers: challenge.headers,
        body: challenge.body,
      )
    ])
    let error = try fetch(server.url("/feed")).error
    if let service = challenge.service {
      #expect(error == .protectionService(status: challenge.status, name: service))
    } else {
      #expect(error?.status == challenge.status)
      #expect(error.map { "\($0)".contains("protection") } == false)
    }
  }
}
