import FeedFetching
import FeedModel
import TestSupport
import Testing

@testable import FeedFetching
@testable import System

@Suite("Accounts and networks")
struct AccountsAndNetworksTests {
  @Test("a proxy is asked in the server's place")
  func proxy() throws {
    let proxy = try FaultyServer { _ in .response(body: smallFeed) }
    let options = FetchOptions.quick.with {
      $0.proxies = ProxySettings("http://127.0.0.1:\(proxy.port)")
    }
    let fetched = try fetch("http://feeds.example/feed", options: options)
    #expect(fetched.body == smallFeed)
    #expect(proxy.requests.map(\.target) == ["http://feeds.example/feed"])
  }

  @Test("who answers through a proxy is one of the internet, unless the name says otherwise")
  func proxied() throws {
    let proxy = try FaultyServer { _ in .response(body: smallFeed) }
    let options = FetchOptions.quick.with { $0.proxies = ProxySettings(proxy.url("")) }
    let outside = try fetch("http://feeds.example/feed", options: options)
    #expect(outside.response?.isOnInternet == true)
    #expect(try fetch("http://nas/feed", options: options).response?.isOnInternet == nil)
    #expect(try fetch(proxy.url("/feed")).response?.isOnInternet == false)
  }

  @Test("a 429 of a feed in a private network is its own, through a proxy that of its server")
  func bridge() throws {
    let server = try FaultyServer { _ in
      .response(status: "429 X", headers: ["Retry-After: 60"], body: "later")
    }
    let options = FetchOptions.quick.with { $0.maximumTransfersPerHost = 1 }
    let urls = ["/a", "/b"].map(server.url)
    let words = { (urls: [String], options: FetchOptions) in
      let feeds = urls.map { FetchRequest(Subscription(url: $0), validators: nil, index: 0) }
      return fetch(feeds, options: options).map(\.words)
    }
    let busy = "server answered 429: it is asked too often"
    let unasked = "not asked, because its server answered 429 to another feed"
    #expect(words(urls, options) == [busy, busy])
    let proxied = options.with { $0.proxies = ProxySettings(server.url("")) }
    let names = ["http://feeds.example/a", "http://feeds.example/b"]
    #expect(words(names, proxied) == [busy, unasked])
  }

  @Test("a proxy that refuses is named, not the server", arguments: ["http", "https"])
  func refusedProxy(_ scheme: String) throws {
    let port = try freePort()
    let options = FetchOptions.quick.with {
      $0.proxies = ProxySettings("http://127.0.0.1:\(port)")
    }
    let fetched = try fetch("\(scheme)://feeds.example/feed", options: options)
    let advice = "check the feed's --proxy, http_proxy and https_proxy"
    #expect(fetched.words == "connection refused by the proxy; \(advice)")
  }

  @Test("a proxy that wants a password says so")
  func proxyPassword() throws {
    let proxy = try FaultyServer { _ in
      .response(
        status: "407 No",
        headers: ["Proxy-Authenticate: Basic realm=\"x\""],
        body: "no",
      )
    }
    let options = FetchOptions.quick.with {
      $0.proxies = ProxySettings("http://127.0.0.1:\(proxy.port)")
    }
    let plain = try fetch("http://feeds.example/feed", options: options)
    let secure = try fetch("https://feeds.example/feed", options: options)
    #expect(plain.error == .status(407))
    #expect(secure.words == "the proxy answered 407")
  }

  @Test(
    "what a proxy answers itself is not the server's wish; what it passes on is",
    arguments: [[], ["Via: 1.1 p"], ["Via: 1.1 p", "Proxy-Status: p; error=connection_timeout"]],
  )
  func proxysOwnRefusal(_ headers: [String]) throws {
    let proxy = try FaultyServer { _ in
      .response(status: "503 Busy", headers: headers + ["Retry-After: 120"], body: "later")
    }
    let options = FetchOptions.quick.with {
      $0.proxies = ProxySettings("http://127.0.0.1:\(proxy.port)")
      $0.maximumTransfersPerHost = 1
    }
    let urls = ["http://feeds.example/a", "http://feeds.example/b"]
    let fetched = fetch(urls.map { FetchRequest(url: $0) }, options: options)
    let words =
      headers.count == 1
      ? ["server answered 503", "not asked, because its server answered 503 to another feed"]
      : Array(repeating: "the proxy answered 503", count: 2)
    #expect(fetched.map(\.words) == words)
  }

  @Test("a refused connection is not a dead network, a name that could not be looked up may be")
  func unreachable() throws {
    let port = try freePort()
    let refused = try fetch("http://127.0.0.1:\(port)/")
    #expect(refused.words == "connection refused by 127.0.0.1")
    #expect(refused.error?.isNetworkUnreachable == false)
    #expect(FetchError.nameNotResolved(host: "a").isNetworkUnreachable)
    #expect(!FetchError.nameUnknown(host: "a").isNetworkUnreachable)
    #expect(FetchError.networkUnreachable(host: "a").isNetworkUnreachable)
  }

  @Test("IPv6 and IPv4 are tried")
  func bothFamilies() throws {
    // libcurl itself resolves these names to ::1 and 127.0.0.1; the server listens at the second
    // alone.
    let server = try FaultyServer(["/feed": .response(body: smallFeed)])
    #expect(try fetch("http://feeds.localhost:\(server.port)/feed").words == "content")
  }

  @Test("international names are asked for in ASCII")
  func internationalNames() throws {
    let server = try FaultyServer(["/feed": .response(body: smallFeed)])
    let fetched = try fetch("http://b\u{FC}cher.localhost:\(server.port)/feed")
    #expect(fetched.words == "content")
    #expect(
      server.requests.map { $0.header("Host") } == ["xn--bcher-kva.localhost:\(server.port)"]
    )
  }

  @Test("without libcurl the loader's reason is told")
  func missingLibrary() {
    #expect(CurlLibrary.reasonAgainst("libnone.so.4")?.contains("libnone.so.4") == true)
    #expect(
      ["libc.so.6", "libSystem.B.dylib"].contains {
        CurlLibrary.reasonAgainst($0)?.contains("too old") == true
      }
    )
    #expect(
      "\(FetchError.library(.init(.curl, "x: No such file")))"
        == "libcurl is not installed, and http and https need it, files do not: x: No such file; "
        + "install it: apt-get install libcurl4, or the like"
    )
    let full = FetchError.library(.init(.curl, "x: Too many open files"))
    #expect("\(full)".hasPrefix("libcurl could not be loaded, and http"))
    #expect(
      "\(full)".hasSuffix(
        "; end other programs, or allow more open files (ulimit -n) or memory (ulimit -v)"
      )
    )
  }

  @Test("messages carry no control characters and no secrets")
  func messages() {
    let host = "a\u{1B}[31m\u{202E}\n"
    #expect(
      "\(FetchError.nameUnknown(host: host))" == "there is no address for the host a?[31m??"
    )
  }
}
