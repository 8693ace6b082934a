import TestSupport
import Testing

@Suite("Networks and accounts, with the built program")
struct NetworkTests {
  private static let feed =
    "<rss version=\"2.0\"><channel><title>T</title><item><title>a</title></item></channel></rss>"

  private let news: News

  init() throws {
    news = try News()
  }

  @Test("proxies come from the environment, and are left out where it says so")
  func proxies() throws {
    let proxy = try FaultyServer { _ in .response(body: Self.feed) }
    let server = try FaultyServer { _ in .response(body: Self.feed) }
    _ = try news.run("subscribe", "--no-check", "http://feeds.example/feed", server.url("/feed"))
    let result = try news.run(
      "fetch",
      environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "127.0.0.1"],
    )
    #expect(outcome(result) == "newData: 2 new in 2 of 2 feeds", "\(result.errorText)")
    #expect(proxy.requests.map(\.target) == ["http://feeds.example/feed"])
    #expect(server.requests.map(\.target) == ["/feed"])
  }

  @Test("a user and password come from ~/.netrc or the URL, and are told nobody else")
  func passwords() throws {
    let server = try FaultyServer { request in
      let port = request.header("Host")?.split(separator: ":").last ?? ""
      return request.path == "/moved" && request.header("Authorization") != nil
        ? .redirect(302, to: "http://other.localhost:\(port)/feed")
        : .response(
          status: "401 No",
          headers: ["WWW-Authenticate: Basic realm=\"x\""],
          body: "no",
        )
    }
    try news.folder.write("machine 127.0.0.1 login me password secret\n", to: ".netrc")
    let urls = [
      "http://me@127.0.0.1:\(server.port)/a", "http://me@127.0.0.1:\(server.port)/moved",
      "http://you:hidden@h.localhost:\(server.port)/b",
    ]
    try news.folder.write(urls.joined(separator: "\n") + "\n", to: "urls")
    _ = try news.run("import", "--allow-private", "urls")
    let result = try news.run("fetch", "-v")
    #expect(result.errorText.split(separator: "\n").count >= 3)
    let given = server.requests.map { "\($0.path) \($0.header("Authorization") ?? "nothing")" }
    let (netrc, url) = ("Basic bWU6c2VjcmV0", "Basic eW91OmhpZGRlbg==")
    #expect(
      given.sorted() == [
        "/a \(netrc)", "/a nothing", "/b \(url)", "/b nothing", "/feed nothing",
        "/moved \(netrc)", "/moved nothing",
      ]
    )
    var log = try news.run("log", "--json").text + news.run("feeds").text
    log += try news.run("fetch", "--json").text + news.run("feeds", "--json").text
    for secret in ["secret", "hidden", "bWU6", "eW91"] {
      #expect(!(result.text + result.errorText + log).contains(secret))
    }
  }

  @Test("a feed that is larger than --max-size is refused, and its limit told")
  func size() throws {
    let big = Self.feed + String(repeating: " ", count: 2 << 20)
    let server = try FaultyServer { _ in .response(body: big) }
    _ = try news.run("subscribe", "--no-check", server.url("/"))
    let result = try news.run("fetch", "--max-size", "1")
    #expect(result.errorText.contains(": body is larger than 1 MiB; next try after "))
    #expect(outcome(try news.run("fetch", "--max-size", "3")) == "newData: 1 new in 1 of 1 feeds")
    let refused = try news.run("parse", server.url("/"), "--max-size", "1")
    #expect(refused.status == 1 && refused.errorText.contains("larger than 1 MiB"))
    #expect(try news.run("parse", server.url("/"), "--max-size", "3").status == 0)
  }

  @Test(
    "five thousand feeds need few descriptors and little memory; fewer do with less",
    arguments: [(5_000, "ulimit -d 262144; ulimit -n 256"), (200, "ulimit -n 32")],
  )
  func limits(_ count: Int, _ limits: String) throws {
    let nginx = try Nginx()
    try nginx.serve(Self.feed, as: "feed.xml")
    let urls = (0..<count).map { "http://h\($0).localhost:\(nginx.port)/feed.xml\n" }.joined()
    try news.folder.write(urls, to: "urls")
    _ = try news.run("import", "--allow-private", "urls")
    let result = try Subprocess.run(
      ["/bin/sh", "-c", "\(limits); exec \"$0\" fetch --deadline 600", news.program],
      environment: ["NEWS_HOME": news.home, "HOME": news.folder.path, "no_proxy": "*"],
    )
    #expect(
      outcome(result) == "newData: \(count) new in \(count) of \(count) feeds",
      "\(result.errorText)",
    )
  }

  @Test("a feed's own certificates reach the process that connects, and are shown to its server")
  func ownCertificates() throws {
    let (server, reader) = (try TestAuthority(), try TestAuthority())
    let nginx = try Nginx(
      certificate: try server.certificate(for: "localhost"),
      tls: "ssl_verify_client on; ssl_client_certificate \(reader.certificate.path);",
    )
    try nginx.serve(Self.feed, as: "feed.xml")
    let own = try reader.certificate(for: "reader")
    #expect(chmod(own.keyPath, 0o600) == 0)
    let url = nginx.secureURL("/feed.xml")
    let words = ["--ca", server.certificate.path, "--certificate", own.path, "--key", own.keyPath]
    let subscribed = try news.run(["subscribe", url] + words)
    #expect(subscribed.status == 0, "\(subscribed.errorText)")
    let result = try news.run("fetch")
    #expect(outcome(result).hasPrefix("noData: 0 new in 0 of 1 feeds"), "\(result.errorText)")
    #expect(try news.run("doctor").text.contains("ok\tnetwork\t1 host answered"))
    _ = try news.run("feeds", "set", url, "--certificate", "")
    #expect(try news.run("refresh", "--force").errorText.contains("server answered 400"))
  }

  @Test("authorities come from a directory too, and an empty variable names none")
  func authorities() throws {
    let authority = try TestAuthority()
    let nginx = try Nginx(certificate: try authority.certificate(for: "localhost"))
    try nginx.serve(Self.feed, as: "feed.xml")
    let hash = try Subprocess.run(
      ["openssl", "x509", "-noout", "-hash", "-in", authority.certificate.path]
    )
    let name = hash.text.filter { !$0.isWhitespace }
    let copied = try Subprocess.run([
      "cp", authority.certificate.path, news.folder.path(name + ".0"),
    ])
    #expect(copied.status == 0)
    _ = try news.run("subscribe", "--no-check", nginx.secureURL("/feed.xml"))
    let result = try news.run(
      "fetch",
      environment: [
        "CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "", "SSL_CERT_DIR": news.folder.path,
      ],
    )
    #expect(outcome(result) == "newData: 1 new in 1 of 1 feeds", "\(result.errorText)")
  }

  @Test(
    "a host of the internet sees two connections at once",
    .enabled(if: NetworkNamespace.isAllowed, "a network of the test's own needs root"),
  )
  func politeness() throws {
    let address = "203.0.113.7"
    let (result, most) = try NetworkNamespace.run(address: address) {
      let arrived = Monitor(0)
      let server = try FaultyServer(at: address) { _ in
        arrived.change { $0 += 1 }
        arrived.wait { $0 >= 2 }
        return .response(body: Self.feed).keptAlive
      }
      let news = try News()
      let urls = (0..<12).map { server.url("/\($0)\n") }.joined()
      _ = try news.run("import", "--allow-private", "-", input: urls)
      return (try news.run("fetch"), server.mostConnections)
    }
    #expect(outcome(result) == "newData: 12 new in 12 of 12 feeds", "\(result.errorText)")
    #expect(most == 2)
  }

  @Test(
    "an IPv6 address is a host like others",
    .enabled(if: NetworkNamespace.isAllowed, "a network of the test's own needs root"),
  )
  func internetProtocol6() throws {
    let files = [
      "/etc/resolv.conf": "nameserver 127.0.0.1\n", "/etc/nsswitch.conf": "hosts: files dns\n",
    ]
    let result = try NetworkNamespace.run(files: files) {
      let names = try FaultyNameServer { _ in .addresses(["::1"]) }
      defer { withExtendedLifetime(names) {} }
      let nginx = try Nginx(http: "server { listen [::1]:8006; }")
      try nginx.serve(Self.feed, as: "feed.xml")
      let news = try News()
      let urls = ["[::1]", "feeds.example"].map { "http://\($0):8006/feed.xml\n" }.joined()
      _ = try news.run("import", "--allow-private", "-", input: urls)
      return try news.run("fetch")
    }
    #expect(outcome(result) == "newData: 2 new in 2 of 2 feeds", "\(result.errorText)")
  }
}
