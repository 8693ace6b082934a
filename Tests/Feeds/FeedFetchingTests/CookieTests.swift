import FeedModel
import TestSupport
import Testing

@testable import FeedFetching

@Suite("Cookies live for the redirects of one transfer")
struct CookieTests {
  private static func redirect(to url: String, _ cookies: String...) -> FaultyAnswer {
    .response(
      status: "302 Found",
      headers: ["Location: \(url)"] + cookies.map { "Set-Cookie: \($0)" },
      body: "",
    )
  }

  private func cookies(_ server: FaultyServer) -> [String?] {
    server.requests.map { $0.header("Cookie") }
  }

  @Test("a site that sets one and redirects to itself gives its feed; the next transfer has none")
  func gate() throws {
    let server = try FaultyServer { request in
      request.header("Cookie") == "pass=1"
        ? .response(body: smallFeed) : Self.redirect(to: request.path, "pass=1; Path=/")
    }
    for _ in 0..<2 { #expect(try fetch(server.url("/feed")).words == "content") }
    #expect(cookies(server) == [nil, "pass=1", nil, "pass=1"])
  }

  @Test("one that is set again with the same value is a circle; new ones end with the redirects")
  func circles() throws {
    let same = try FaultyServer { Self.redirect(to: $0.path, "pass=1; Max-Age=60") }
    #expect(try fetch(same.url("/feed")).error == .redirectLoop)
    #expect(same.requests.count == 2)
    let new = try FaultyServer { request in
      let number = request.header("Cookie").flatMap { Int($0.dropFirst(2)) } ?? 0
      return Self.redirect(to: request.path, "n=\(number + 1)")
    }
    let maximum = FetchOptions.quick.maximumRedirects
    #expect(try fetch(new.url("/feed")).error == .tooManyRedirects(maximum: maximum))
    #expect(new.requests.count == maximum + 1)
  }

  @Test("hosts, paths and the end of a cookie are heeded (RFC 6265)")
  func matching() throws {
    let server = try FaultyServer { request in
      let port = request.header("Host")?.split(separator: ":").last ?? ""
      return switch request.path {
      case "/start":
        Self.redirect(
          to: "/a/b",
          "all=1; Path=/",
          "below=2; Path=/a",
          "beside=3; Path=/x",
          "gone=5; Path=/; Max-Age=0",
          "strange=6; Path=/; Domain=example.com",
        )
      case "/a/b": Self.redirect(to: "http://localhost:\(port)/other")
      default: .response(body: smallFeed)
      }
    }
    #expect(try fetch(server.url("/start")).words == "content")
    let sent = cookies(server)
    #expect(Set((sent[1] ?? "").split(separator: "; ")) == ["all=1", "below=2"])
    #expect(sent.count == 3 && sent[0] == nil && sent[2] == nil)
  }

  @Test("requests at the same time have nothing of one another")
  func apart() throws {
    let server = try FaultyServer { request in
      request.path.hasPrefix("/set")
        ? Self.redirect(to: "/feed" + request.path.dropFirst(4), "id=\(request.path); Path=/")
        : .response(body: smallFeed)
    }
    let requests = (0..<8).map {
      FetchRequest(url: server.url($0 % 2 == 0 ? "/set\($0)" : "/x\($0)"))
    }
    #expect(fetch(requests).allSatisfy { $0.words == "content" })
    for request in server.requests {
      let number = request.path.dropFirst(5)
      let wanted = request.path.hasPrefix("/feed") ? "id=/set\(number)" : nil
      #expect(request.header("Cookie") == wanted)
    }
  }

  @Test("the reader's own cookies go with those of the site, in one field")
  func own() throws {
    let server = try FaultyServer { request in
      request.header("Cookie")?.contains("pass=1") == true
        ? .response(body: smallFeed) : Self.redirect(to: request.path, "pass=1")
    }
    var request = FetchRequest(url: server.url("/feed"))
    request.headers.fields = ["cookie: mine=2"].compactMap { RequestHeader($0) }
    #expect(fetch([request]).first?.words == "content")
    #expect(cookies(server)[0] == "mine=2")
    #expect(Set((cookies(server)[1] ?? "").split(separator: "; ")) == ["pass=1", "mine=2"])
    #expect(server.requests[1].headerLines.count { $0.lowercased().hasPrefix("cookie:") } == 1)
  }

  @Test("a call of an interface takes none")
  func calls() throws {
    let server = try FaultyServer { _ in Self.redirect(to: "/", "pass=1") }
    var request = FetchRequest(url: server.url("/"))
    request.call = ServiceCall(form: "a=b")
    _ = fetch([request])
    #expect(cookies(server) == [nil])
  }
}
