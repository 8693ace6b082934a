import Synchronization
import TestSupport
import Testing

@Suite("news serve")
struct ServingTests {
  private static let root = "/reader/api/0"

  private static func feed(_ titles: String...) -> String {
    let items = titles.map {
      "<item><title>\($0)</title><guid>\($0)</guid><link>http://127.0.0.1/\($0)</link></item>"
    }
    return "<rss version='2.0'><channel><title>Feed</title>\(items.joined())</channel></rss>"
  }

  private func sample() throws -> (home: ServingHome, nginx: Nginx, url: String) {
    let nginx = try Nginx()
    try nginx.serve(Self.feed("two", "one"), as: "feed.xml")
    let url = nginx.url("/feed.xml")
    let news = try News()
    _ = try news.run("subscribe", url)
    return (try ServingHome(news, ["--allow-private"]), nginx, url)
  }

  @Test("answers an app, changes what that says, and shows at once what a fetch has saved")
  func app() throws {
    let (home, nginx, _) = try sample()
    let (app, known) = (try home.connection(), try home.authorization())
    let list = "\(Self.root)/stream/contents/reading-list".replacing(
      "reading-list",
      with: "user%2F-%2Fstate%2Fcom.google%2Freading-list?output=json",
    )
    let first = try #require(app.ask(list, headers: [known]))
    #expect(first.status == 200 && first.body.contains("\"title\":\"two\""))
    let id = try #require(
      first.body.firstRange(of: "reader/item/").map {
        String(first.body[$0.upperBound...].prefix(16))
      }
    )
    let form = "i=tag:google.com,2005:reader/item/\(id)&a=user/-/state/com.google/read"
    let marked = app.ask("\(Self.root)/edit-tag", headers: [known], post: form)
    #expect(marked?.body == "OK")
    let unread = try home.news.run("list", "--unread").text
    #expect(unread.split(separator: "\n").count == 1)
    try nginx.serve(Self.feed("three", "two", "one"), as: "feed.xml")
    _ = try home.news.run("refresh", "--force")
    #expect(app.ask(list, headers: [known])?.body.contains("\"title\":\"three\"") == true)
    #expect(try home.news.undoLatest().errorText == "1 story is unread again\n")
    #expect(try home.news.run("list", "--unread").text.split(separator: "\n").count == 3)
    let status = try home.news.run("serve", "status").text
    #expect(status.hasPrefix("on\thttp://127.0.0.1:") && status.hasSuffix("\tpassword\n"))
    let end = try home.isEnded()
    #expect(end.status == 0 && end.errorText == "")
    #expect(try home.news.run("serve", "status").text == "off\t\tpassword\n")
  }

  @Test("subscribes, imports and exports for an app")
  func subscribing() throws {
    let (home, nginx, url) = try sample()
    try nginx.serve(Self.feed("new"), as: "other.xml")
    let other = nginx.url("/other.xml")
    let (app, known) = (try home.connection(), try home.authorization())
    let added = app.ask(
      "\(Self.root)/subscription/quickadd",
      headers: [known],
      post: "quickadd=\(other)",
    )
    #expect(
      added?.body
        == "{\"query\":\"\(other)\",\"numResults\":1,\"streamId\":\"feed/\(other)\",\"streamName\":\"Feed\"}"
    )
    #expect(try home.news.titles().contains("new"))
    let missing = app.ask(
      "\(Self.root)/subscription/quickadd",
      headers: [known],
      post: "quickadd=\(other)x",
    )
    #expect(
      missing?.body.contains("\"numResults\":0,\"error\":\"\(other)x: server answered 404") == true
    )
    let list = try #require(app.ask("\(Self.root)/subscription/export", headers: [known]))
    #expect(list.body.contains("xmlUrl=\"\(url)\""))
    let opml = "<opml version='2.0'><body><outline xmlUrl='http://example.com/a'/></body></opml>"
    let imported = app.ask(
      "\(Self.root)/subscription/import",
      headers: [known, "Content-Type: text/xml"],
      post: opml,
    )
    #expect(imported?.body == "OK")
    #expect(try home.news.run("feeds").text.contains("http://example.com/a"))
    #expect(try nginx.stopAndReadLog().count { $0.target == "/other.xml" } == 1)
  }

  @Test("what an app names in a private network is refused alike, whatever stands there")
  func privateNetworks() throws {
    let nginx = try Nginx()
    try nginx.serve(Self.feed("one"), as: "feed.xml")
    let home = try ServingHome(try News())
    let (app, known) = (try home.connection(), try home.authorization())
    let reason = "its host is in a private network; allow that with --allow-private"
    let hosts = [
      "http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "http://10.255.255.1",
      "http://169.254.169.254", "http://2130706433:1", "http://router", "http://nas.local",
      nginx.url(""),
    ]
    for host in hosts {
      let url = "\(host)/feed.xml".replacing("//feed", with: "/feed")
      let added = app.ask(
        "\(Self.root)/subscription/quickadd",
        headers: [known],
        post: "quickadd=\(url)",
      )
      #expect(
        added?.body == "{\"query\":\"\(url)\",\"numResults\":0,\"error\":\"\(url): \(reason)\"}"
      )
      let edited = app.ask(
        "\(Self.root)/subscription/edit",
        headers: [known],
        post: "ac=subscribe&s=feed/\(url)",
      )
      #expect(
        edited?.status == 400 && edited?.body == "\(url): \(reason)",
        "\(edited?.body ?? "")",
      )
    }
    #expect(try home.news.run("feeds").text == "")
    #expect(try nginx.stopAndReadLog().isEmpty)
  }

  @Test("says why it cannot serve")
  func refusals() throws {
    let news = try News()
    let none = try news.run("serve")
    #expect(none.status == 1)
    #expect(
      none.errorText == "news: no password for apps yet; make one with `news serve password`\n"
    )
    let line = try news.run("serve", "password").text
    #expect(line.hasPrefix("the password for apps, with any user's name: "))
    #expect(try news.run("serve", "password", "-q").errorText == "")
    let open = try news.run("serve", "--listen", "0.0.0.0:0")
    #expect(open.status == 1)
    #expect(
      open.errorText.hasPrefix("news: 0.0.0.0:0 can be reached from elsewhere: give --certificate")
    )
    for words in [
      ["--listen", "example.com:1"], ["--key", "x"], ["nothing"], ["password", "--behind-proxy"],
    ] {
      #expect(try news.run(["serve"] + words).status == 64, "\(words)")
    }
    #expect(try news.run("serve", "--certificate", "x", "--key", "y").status == 1)
  }

  @Test("has no way out: it is caged, writes to its home alone, and opens no socket")
  func cage() throws {
    let news = try News()
    let home = try ServingHome(news)
    let status = try readText("/proc/\(home.process.pid)/status")
    #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
    #expect(status.contains("CapEff:\t0000000000000000"))
  }

  @Test("by TLS, where it has a certificate")
  func tls() throws {
    let authority = try TestAuthority()
    let certificate = try authority.certificate(for: "localhost")
    let home = try ServingHome(
      try News(),
      ["--certificate", certificate.path, "--key", certificate.keyPath],
    )
    let result = try Subprocess.run(
      [
        "openssl", "s_client", "-quiet", "-verify_return_error", "-CAfile",
        authority.certificate.path, "-verify_hostname", "localhost", "-connect",
        "127.0.0.1:\(home.port)",
      ],
      input: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    )
    #expect(result.text.contains("<h1>news</h1>"))
    // With a certificate for RSA, a client could ask for keys without forward secrecy.
    let folder = try TemporaryFolder()
    let (file, key) = (folder.path("rsa.pem"), folder.path("rsa.key"))
    let made = try Subprocess.run([
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
      "-keyout", key, "-out", file,
    ])
    #expect(made.status == 0, "\(made.errorText)")
    let other = try ServingHome(try News(), ["--certificate", file, "--key", key])
    let kinds = [
      ("-tls1_1", "DEFAULT@SECLEVEL=0", false), ("-tls1_2", "DEFAULT@SECLEVEL=0", true),
      ("-tls1_2", "kRSA", false), ("-tls1_2", "kECDHE", true), ("-tls1_3", "DEFAULT", true),
    ]
    for (version, ciphers, isSpoken) in kinds {
      let shaken = try Subprocess.run([
        "openssl", "s_client", version, "-cipher", ciphers, "-connect",
        "127.0.0.1:\(other.port)",
      ])
      #expect((shaken.status == 0) == isSpoken, "\(version) \(ciphers): \(shaken.errorText)")
    }
  }
}
