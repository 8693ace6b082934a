import FeedFetching
import TestSupport
import Testing

@Suite("Redirects are followed as far as they may be")
struct RedirectTests {
  @Test(
    "every kind of Location leads where a browser would go",
    arguments: [
      "/feed", "feed", "./feed", "?x=1", "../feed", "//127.0.0.1:PORT/feed",
      "http://127.0.0.1:PORT/feed", "HTTP://127.0.0.1:PORT/feed", "/feed#fragment",
    ],
  )
  func locations(_ location: String) throws {
    let server = try FaultyServer { request in
      let isThere = request.path.hasSuffix("/feed") || request.query == "x=1"
      let port = request.header("Host")?.split(separator: ":").last ?? ""
      return isThere
        ? .response(body: smallFeed)
        : .redirect(302, to: location.replacing("PORT", with: port))
    }
    let fetched = try fetch(server.url("/start"))
    #expect(fetched.words == "content")
    #expect(fetched.body == smallFeed)
    #expect(fetched.heads.map(\.url) == [fetched.response?.url])
  }

  @Test(
    "what is not the web is never opened",
    arguments: [
      "file:///etc/passwd", "file://localhost/etc/passwd", "ftp://127.0.0.1/x",
      "gopher://127.0.0.1/_GET", "data:text/xml,<rss/>", "javascript:alert(1)", "http://",
      "http://[::1/", "http://127.0.0.1:99999/", ":", "dict://127.0.0.1/d:x",
      "http://a b/",
    ],
  )
  func otherSchemes(_ location: String) throws {
    let server = try FaultyServer(["/start": .redirect(302, to: location)])
    let fetched = try fetch(server.url("/start"))
    #expect(
      [FetchError.redirectUnsupported, .redirectLoop, .status(404)].contains(fetched.error)
    )
    #expect(fetched.heads.isEmpty)
  }

  @Test("ten hops are followed, eleven are not")
  func tenHops() throws {
    let server = try FaultyServer { request in
      let left = Int(request.query) ?? 0
      return left == 0
        ? .response(body: smallFeed) : .redirect(301, to: "/hop?\(left - 1)").keptAlive
    }
    #expect(try fetch(server.url("/hop?10")).words == "content")
    #expect(try fetch(server.url("/hop?11")).words == "more than 10 redirects")
  }

  @Test("a chain that ends where it began has moved nothing")
  func there() throws {
    let server = try FaultyServer { request in
      if request.path == "/a", request.header("Cookie") != nil { return .response(body: smallFeed) }
      let isFirst = request.path == "/a"
      return .response(
        status: isFirst ? "301 Moved" : "302 Found",
        headers: ["Location: \(isFirst ? "/b" : "/a")", "Set-Cookie: seen=1; path=/"],
        body: "",
      )
    }
    let fetched = try fetch(server.url("/a"))
    #expect(fetched.words == "content" && fetched.response?.permanentURL == nil)
  }

  @Test("circles are seen at once", arguments: [["/a"], ["/b", "/a"]])
  func circles(_ places: [String]) throws {
    let server = try FaultyServer { request in
      .redirect(302, to: request.path == "/a" ? places[0] : "/a")
    }
    #expect(try fetch(server.url("/a")).words == "redirects in a circle")
    #expect(server.requests.count == places.count)
  }

  @Test("a redirect that does not say where is a failure", arguments: [301, 302, 303, 307, 308])
  func nowhere(_ status: Int) throws {
    let server = try FaultyServer([
      "/none": .response(status: "\(status) Gone fishing", body: ""),
      "/empty": .redirect(status, to: ""),
    ])
    let words = "server answered \(status) without saying where"
    #expect(try fetch(server.url("/none")).words == words)
    #expect(try fetch(server.url("/empty")).error != nil)
  }

  @Test(
    "the statuses that offer a choice or a proxy are not followed",
    arguments: [300, 305, 306],
  )
  func choices(_ status: Int) throws {
    let server = try FaultyServer(["/a": .redirect(status, to: "/b")])
    #expect(try fetch(server.url("/a")).error == .status(status))
    #expect(server.requests.count == 1)
  }

  @Test("a redirect's endless body is left")
  func endlessBody() throws {
    let server = try FaultyServer([
      "/a": .head(
        status: "302 Found",
        headers: ["Location: /b"],
        then: [.flood(Array("spam".utf8))],
      ),
      "/b": .response(body: smallFeed),
    ])
    let fetched = try fetch(server.url("/a"))
    #expect(fetched.body == smallFeed)
    #expect(fetched.heads.count == 1)
  }

  @Test("headers are counted over all hops")
  func headers() throws {
    let big = "X: " + String(repeating: "y", count: 9_000)
    let server = try FaultyServer { request in
      let left = Int(request.query) ?? 0
      return .response(
        status: "302 Found",
        headers: [big, "Location: /hop?\(left - 1)"],
        body: "",
      )
    }
    let words = "headers are larger than 65536 bytes"
    #expect(try fetch(server.url("/hop?9")).words == words)
  }

  @Test(
    "permanence ends with the first temporary hop",
    arguments: [
      ([301, 308], 2), ([301, 302, 301], 1), ([302, 301], 0), ([307], 0), ([303, 308], 0),
      ([301], 1), ([308, 301, 308], 3),
    ],
  )
  func permanence(_ statuses: [Int], _ hops: Int) throws {
    let server = try FaultyServer { request in
      let number = Int(request.query) ?? 0
      return number < statuses.count
        ? .redirect(statuses[number], to: "/feed?\(number + 1)") : .response(body: smallFeed)
    }
    let fetched = try fetch(server.url("/feed?0"))
    #expect(fetched.response?.permanentURL == (hops == 0 ? nil : server.url("/feed?\(hops)")))
    #expect(fetched.response?.url == server.url("/feed?\(statuses.count)"))
  }

  @Test("a new place that fails is told with the failure")
  func failingPlace() throws {
    let server = try FaultyServer(["/a": .redirect(301, to: "/b")])
    let fetched = try fetch(server.url("/a"))
    #expect(fetched.error == .status(404))
    #expect(fetched.response?.permanentURL == server.url("/b"))
  }

  @Test("user and password stay with their host")
  func credentials() throws {
    let other = try FaultyServer(["/feed": .response(body: smallFeed)])
    let answers: [String: FaultyAnswer] = [
      "/here": .redirect(302, to: "/feed"), "/there": .redirect(302, to: other.url("/feed")),
      "/feed": .response(body: smallFeed),
    ]
    let refusal = FaultyAnswer.response(
      status: "401 Who?",
      headers: ["WWW-Authenticate: Basic realm=\"x\""],
      body: "who?",
    )
    let server = try FaultyServer { request in
      request.header("Authorization") == nil ? refusal : answers[request.path] ?? refusal
    }
    let authority = "http://me:s%40cret@127.0.0.1:\(server.port)"
    let here = try fetch("\(authority)/here")
    let there = try fetch("\(authority)/there")
    let basic = "Basic bWU6c0BjcmV0"
    #expect(here.words == "content" && there.words == "content")
    // Over plain HTTP a password is sent once the server asks for it.
    #expect(
      server.requests.map { $0.header("Authorization") } == [nil, basic, nil, basic, nil, basic]
    )
    #expect(other.requests.map { $0.header("Authorization") } == [nil])
    #expect(here.response?.url == server.url("/feed"))
    #expect(here.heads.map(\.url) == [server.url("/feed")])
  }

  @Test("a new place on the same host keeps the user and password, another does not")
  func permanentCredentials() throws {
    let other = try FaultyServer(["/feed": .response(body: smallFeed)])
    let server = try FaultyServer([
      "/here": .redirect(301, to: "/feed"),
      "/there": .redirect(301, to: other.url("/feed")),
      "/feed": .response(body: smallFeed),
    ])
    let authority = "http://me:secret@127.0.0.1:\(server.port)"
    let here = try fetch("\(authority)/here")
    let there = try fetch("\(authority)/there")
    #expect(here.response?.permanentURL == "\(authority)/feed")
    #expect(there.response?.permanentURL == other.url("/feed"))
  }

  @Test("no user or password that a redirect brings along is used")
  func strangeCredentials() throws {
    let server = try FaultyServer { request in
      let port = request.header("Host")?.split(separator: ":").last ?? ""
      return request.path == "/a"
        ? .redirect(302, to: "http://evil:evil@127.0.0.1:\(port)/b") : .response(body: smallFeed)
    }
    let fetched = try fetch(server.url("/a"))
    #expect(server.requests.map { $0.header("Authorization") } == [nil, nil])
    #expect(fetched.response?.url == server.url("/b"))
  }

  @Test("no Referer follows a redirect")
  func noTraces() throws {
    let server = try FaultyServer([
      "/a": .redirect(302, to: "/b"), "/b": .response(body: smallFeed),
    ])
    _ = try fetch(server.url("/a"))
    #expect(server.requests.map { $0.header("Referer") } == [nil, nil])
  }

  @Test(
    "a connection that is open already leads into a private network as little as a new one",
    .enabled(if: NetworkNamespace.isAllowed, "a network of the test's own needs root"),
  )
  func openConnection() throws {
    let (words, asked) = try NetworkNamespace.run(address: "203.0.113.7") {
      let inside = try FaultyServer { _ in .response(body: smallFeed).keptAlive }
      let outside = try FaultyServer(at: "203.0.113.7") { _ in
        .redirect(302, to: inside.url("/secret"))
      }
      let fetched = fetch(
        [inside.url("/feed"), outside.url("/"), inside.url("/feed")].map { FetchRequest(url: $0) },
        options: .quick.with { ($0.workers, $0.maximumTransfers) = (1, 1) },
      )
      return (fetched.map(\.words), inside.requests.map(\.path))
    }
    let refused = "redirects from the internet into a private network, which is not followed"
    #expect(words == ["content", refused, "content"])
    #expect(asked == ["/feed", "/feed"])
  }
}
