import TestSupport
import Testing

@Suite(
  "Servers on the internet do not reach into this machine's network",
  .enabled(if: NetworkNamespace.isAllowed, "a network of the test's own needs root"),
)
struct PrivateNetworkTests {
  /// An address of the internet (RFC 5737), which the machine has inside the namespace.
  private static let address = "203.0.113.7"

  @Test(
    "by a redirect to an address of it, nor to a name that resolves to one",
    arguments: ["127.0.0.1", "router.example", "both.example", "[::ffff:127.0.0.1]"],
  )
  func redirected(_ host: String) throws {
    let run = try Self.fetch { "http://\(host):\($0)/" }
    let words = "redirects from the internet into a private network, which is not followed"
    #expect(outcome(run.result) == "failed: 1 of 1 feeds failed")
    #expect(
      run.result.errorText.contains(": \(words); next try after "),
      "\(run.result.errorText)",
    )
    #expect(run.asked == 0)
  }

  @Test("what the reader names, and what a server of this network redirects to, is asked")
  func named() throws {
    let run = try NetworkNamespace.run { () -> Run in
      let inside = try FaultyServer { _ in .response(body: Self.feed) }
      let other = try FaultyServer { _ in .redirect(302, to: inside.url("/")) }
      return try Self.fetch(other.url("/"), inside)
    }
    #expect(outcome(run.result) == "newData: 1 new in 1 of 1 feeds")
    #expect(run.asked == 1)
  }

  @Test("nor by what a page of theirs announces, unless the reader allows it")
  func announced() throws {
    let results = try Self.insideNetwork { inside, _ -> [Run] in
      let feed = inside.url("/feed")
      let outside = try FaultyServer(at: Self.address) { _ in
        .response(
          body: "<html><head><link rel=\"alternate\" type=\"application/rss+xml\""
            + " href=\"\(feed)\"></head></html>"
        )
      }
      let news = try News()
      return try [["subscribe"], ["subscribe", "--allow-private"]].map { words in
        let result = try news.run(words + [outside.url("/")])
        return Run(result: result, asked: inside.requests.count)
      }
    }
    let words = "its host is in a private network; allow that with --allow-private"
    #expect(results[0].result.errorText.contains(words), "\(results[0].result.errorText)")
    #expect(results.map(\.result.status) == [1, 0])
    #expect(results.map(\.asked) == [0, 1])
  }

  @Test("nor through a proxy in this network, nor past it")
  func proxied() throws {
    let runs = try Self.insideNetwork { inside, _ -> [Run] in
      try ["127.0.0.1", "localhost", "2130706433", "router.example"].map { host in
        let proxy = try FaultyServer { request in
          request.target.hasPrefix("http://feeds.example/")
            ? .redirect(302, to: "http://\(host):\(inside.port)/") : .response(body: Self.feed)
        }
        let news = try News()
        _ = try news.run(["subscribe", "--no-check", "http://feeds.example/"])
        let result = try news.run(
          ["fetch"],
          environment: [
            "http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "router.example",
          ],
        )
        return Run(result: result, asked: inside.requests.count + proxy.requests.count - 1)
      }
    }
    for run in runs {
      #expect(run.result.errorText.contains("redirects from the internet into a private network"))
      #expect(run.asked == 0)
    }
  }

  @Test("nor by a name that once was one of the internet, unless the reader allows it")
  func rebinding() throws {
    let results = try Self.insideNetwork { inside, names -> [Run] in
      names.change { $0["feed.example"] = Self.address }
      let outside = try FaultyServer(at: Self.address, port: inside.port) { _ in
        .response(body: Self.feed)
      }
      let url = "http://feed.example:\(outside.port)/"
      let news = try News()
      _ = try news.run(["subscribe", url])
      names.change { $0["feed.example"] = "127.0.0.1" }
      return try [["fetch"], ["subscribe", "--allow-private", url], ["fetch"]].map { words in
        let result = try news.run(words)
        return Run(result: result, asked: inside.requests.count)
      }
    }
    let words = "its host is in a private network; allow that with --allow-private"
    #expect(results[0].result.errorText.contains(words), "\(results[0].result.errorText)")
    #expect(outcome(results[2].result) == "noData: 0 new in 0 of 1 feeds")
    #expect(results.map(\.asked) == [0, 0, 1])
  }

  @Test("nor by a list from elsewhere, whose names are looked at when they are asked")
  func imported() throws {
    let results = try Self.insideNetwork { inside, _ -> [Run] in
      let news = try News()
      let url = "http://router.example:\(inside.port)/"
      try news.folder.write("\(url)\n", to: "urls")
      return try [
        ["import", "urls"], ["fetch"], ["import", "--allow-private", "urls"], ["fetch"],
      ].map { words in
        Run(result: try news.run(words), asked: inside.requests.count)
      }
    }
    #expect(results[0].result.errorText == "1 feed imported\n")
    #expect(outcome(results[1].result) == "failed: 1 of 1 feeds failed")
    #expect(outcome(results[3].result) == "newData: 1 new in 1 of 1 feeds")
    #expect(results.map(\.asked) == [0, 0, 0, 1])
  }

  /// Runs `body` with a server of this machine alone, and a name server that gives the addresses
  /// which the body sets; every other name is this machine's.
  private static func insideNetwork<R: Sendable>(
    _ body: @escaping @Sendable (FaultyServer, Monitor<[String: String]>) throws -> R
  ) throws -> R {
    try NetworkNamespace.run(address: address, files: files) {
      let names = Monitor<[String: String]>([:])
      let server = try FaultyNameServer { name in
        .addresses([names.change { $0[name] } ?? "127.0.0.1"])
      }
      defer { withExtendedLifetime(server) {} }
      return try body(try FaultyServer { _ in .response(body: feed) }, names)
    }
  }

  private static let files = [
    "/etc/resolv.conf": "nameserver 127.0.0.1\n", "/etc/nsswitch.conf": "hosts: files dns\n",
  ]

  struct Run: Sendable {
    var result: Subprocess.Result
    var asked: Int
  }

  /// Fetches a feed of a server on the internet that redirects to `place`, given the port of a
  /// server on this machine alone.
  private static func fetch(from place: @escaping @Sendable (Int) -> String) throws -> Run {
    try NetworkNamespace.run(address: address, files: files) {
      let names = try FaultyNameServer { name in
        .addresses(name == "both.example" ? ["::1", "127.0.0.1"] : ["127.0.0.1"])
      }
      defer { withExtendedLifetime(names) {} }
      let inside = try FaultyServer { _ in .response(body: feed) }
      let outside = try FaultyServer(at: address) { _ in .redirect(302, to: place(inside.port)) }
      return try fetch(outside.url("/"), inside)
    }
  }

  private static func fetch(_ url: String, _ inside: FaultyServer) throws -> Run {
    let news = try News()
    _ = try news.run("subscribe", "--no-check", url)
    let result = try news.run("fetch", "--deadline", "20")
    return Run(result: result, asked: inside.requests.count)
  }

  private static let feed =
    "<rss version=\"2.0\"><channel><title>T</title><item><title>a</title></item></channel></rss>"
}
