import FeedFetching
import FeedModel
import TestSupport
import Testing

@testable import FeedFetching

@Suite("Passwords go to the site that they are for, in the way that it asks for")
struct PasswordFetchingTests {
  private static let basic = "Basic bWU6c2VjcmV0"

  /// A site of two names with TLS, in front of a server that records the requests.
  private struct Site {
    private let authority: TestAuthority
    let server: FaultyServer
    let nginx: Nginx
    let options: FetchOptions

    init(netrc: String = "", _ answer: @escaping @Sendable (FaultyRequest) -> FaultyAnswer) throws {
      authority = try TestAuthority()
      server = try FaultyServer(answer)
      nginx = try Nginx(
        site: "location /app { proxy_pass http://127.0.0.1:\(server.port); }",
        certificate: try authority.certificate(for: "localhost,DNS:other.localhost"),
      )
      let file = try nginx.folder.write(netrc, to: "netrc")
      let authorities = authority.certificate.path
      options = FetchOptions.quick.with { options in
        options.certificateAuthorities = authorities
        options.netrc = file
      }
    }

    func url(_ host: String = "localhost") -> String {
      "https://\(host):\(nginx.securePort)/app/feed"
    }

    var sent: [String?] { server.requests.map { $0.header("Authorization") } }
  }

  private static func refusal(_ challenges: String...) -> FaultyAnswer {
    .response(
      status: "401 Who?",
      headers: challenges.map { "WWW-Authenticate: \($0)" },
      body: "who?",
    )
  }

  @Test("those of a netrc file over https, and to the machine that they are for")
  func netrc() throws {
    let netrc = "machine localhost login me password secret default login d password d"
    let site = try Site(netrc: netrc) { _ in .response(body: smallFeed) }
    for url in [site.url(), site.url("other.localhost"), site.server.url("/feed")] {
      #expect(try fetch(url, options: site.options).words == "content")
    }
    #expect(site.sent == [Self.basic, nil, nil])
  }

  @Test("those of a netrc file in the clear, where the URL names the user and the server asks")
  func netrcInTheClear() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("machine 127.0.0.1 login me password secret", to: "netrc")
    let server = try FaultyServer { request in
      request.header("Authorization") == nil
        ? Self.refusal("Basic realm=\"x\"") : .response(body: smallFeed)
    }
    let options = FetchOptions.quick.with { $0.netrc = file }
    #expect(try fetch(server.url("/feed"), options: options).error == .status(401))
    let url = "http://me@127.0.0.1:\(server.port)/feed"
    #expect(try fetch(url, options: options).words == "content")
    #expect(server.requests.map { $0.header("Authorization") } == [nil, nil, Self.basic])
  }

  @Test("none of a netrc file where another site leads to, and back neither")
  func netrcRedirect() throws {
    let netrc = """
      machine localhost login me password secret
      machine other.localhost login a password b
      """
    let site = try Site(netrc: netrc) { request in
      // The path has nginx's port, which the server behind it could not know otherwise.
      let port = request.path.split(separator: "-").last ?? ""
      return switch request.path.split(separator: "/")[1].first {
      case "1": .redirect(302, to: "https://other.localhost:\(port)/app/2-\(port)")
      case "2": .redirect(302, to: "https://localhost:\(port)/app/3-\(port)")
      default: .response(body: smallFeed)
      }
    }
    let port = site.nginx.securePort
    let fetched = try fetch("https://localhost:\(port)/app/1-\(port)", options: site.options)
    #expect(fetched.words == "content")
    #expect(site.sent == [Self.basic, nil, nil])
  }

  @Test("by Digest where a server offers it: in the clear nothing is said before")
  func digest() throws {
    let challenge = "Digest realm=\"x\", nonce=\"n\", qop=\"auth\", algorithm=MD5"
    let server = try FaultyServer { request in
      request.header("Authorization")?.hasPrefix("Digest ") == true
        ? .response(body: smallFeed) : Self.refusal("Basic realm=\"x\"", challenge)
    }
    let fetched = try fetch("http://me:secret@127.0.0.1:\(server.port)/feed")
    #expect(fetched.body == smallFeed)
    let sent = server.requests.map { $0.header("Authorization") }
    #expect(sent.count == 2 && sent[0] == nil)
    #expect(sent[1]?.hasPrefix("Digest username=\"me\"") == true)
  }

  @Test("by Digest over https where Basic is refused, once")
  func secureDigest() throws {
    let challenge = "Digest realm=\"x\", nonce=\"n\", qop=\"auth\", algorithm=MD5"
    let site = try Site { request in
      request.header("Authorization")?.contains("username=\"me\"") == true
        ? .response(body: smallFeed) : Self.refusal(challenge)
    }
    let url = site.url().replacing("://", with: "://me:secret@")
    #expect(try fetch(url, options: site.options).body == smallFeed)
    #expect(site.sent.first == Self.basic && site.sent.last??.hasPrefix("Digest ") == true)
    let wrong = site.url().replacing("://", with: "://you:secret@")
    #expect(try fetch(wrong, options: site.options).error == .status(401))
    #expect(site.sent.count <= 7)
  }

  @Test("what a feed's command said is the password of the URL's user, or a bearer token for https")
  func said() throws {
    let site = try Site { _ in .response(body: smallFeed) }
    let urls = [
      site.url().replacing("://", with: "://me@"), site.url(), site.server.url("/feed"),
    ]
    let requests = urls.map { url in
      var request = FetchRequest(url: url)
      request.password = "secret"
      return request
    }
    let answers = fetch(requests, options: site.options.with { $0.maximumTransfers = 1 })
    #expect(answers.map(\.words) == Array(repeating: "content", count: 3))
    #expect(site.sent == [Self.basic, "Bearer secret", nil])
  }

  @Test("the reader's headers go to the site that they are for, in the place of ours")
  func headers() throws {
    let elsewhere = try FaultyServer { _ in .response(body: smallFeed) }
    let server = try FaultyServer { request in
      switch request.path {
      case "/away":
        .response(
          status: "302 Found",
          headers: ["Location: http://127.0.0.1:\(elsewhere.port)/feed"],
          body: "",
        )
      case "/here": .response(status: "302 Found", headers: ["Location: /feed"], body: "")
      default: .response(body: smallFeed)
      }
    }
    let requests = ["/here", "/away"].map { path in
      var request = FetchRequest(url: server.url(path))
      request.headers.fields = ["Cookie: a=b", "accept: text/xml"].compactMap { RequestHeader($0) }
      return request
    }
    let answers = fetch(requests, options: .quick.with { $0.maximumTransfers = 1 })
    #expect(answers.map(\.words) == ["content", "content"])
    #expect(server.requests.map { $0.header("Cookie") } == ["a=b", "a=b", "a=b"])
    #expect(server.requests.allSatisfy { $0.header("Accept") == "text/xml" })
    #expect(elsewhere.requests.map { $0.header("Cookie") } == [nil])
    #expect(elsewhere.requests.allSatisfy { $0.header("Accept") != "text/xml" })
  }

  @Test(
    "what is no header, or says how messages are framed, is none of the reader's",
    arguments: [
      "Cookie", "Cookie:", ": x", "Coo kie: x", "Cookie: a\u{D}\u{A}X: y", "Cookie: é",
      "Host: example.com", "content-length: 3", "Transfer-Encoding: chunked", "If-None-Match: x",
      "Range: bytes=0-1", "User-Agent: x", "Cookie: \(String(repeating: "x", count: 8192))",
    ],
  )
  func noHeader(_ line: String) {
    #expect(RequestHeader(line) == nil)
  }
}
