import FeedModel
import Testing

@testable import FeedFetching

@Suite("Who may be asked, and who gets a password, is decided by who chose the URL")
struct RequestTrustTests {
  private static let inside: [UInt8] = [192, 168, 1, 1]
  private static let outside: [UInt8] = [203, 0, 113, 7]

  @Test(
    "the reader's own URL may lead into private networks; what the internet leads to may not",
    arguments: [
      (["http://a.example/"], [], true), (["http://10.0.0.1/"], [], true),
      (["http://10.0.0.1/", "http://10.0.0.2/"], [false], true),
      (["http://a.example/", "http://10.0.0.1/"], [true], false),
      (["http://10.0.0.1/", "http://a.example/", "http://10.0.0.1/"], [false, true], false),
      (["http://a.example/", "http://b.example/", "http://10.0.0.1/"], [true, true], false),
    ] as [([String], [Bool], Bool)],
  )
  func chain(_ urls: [String], _ onInternet: [Bool], _ isAllowed: Bool) throws {
    var trust = RequestTrust.reader
    for (place, isOnInternet) in onInternet.enumerated() {
      let (from, next) = (try HTTPURL(urls[place]), try HTTPURL(urls[place + 1]))
      trust.follow(from: from, to: next, isOnInternet: isOnInternet)
    }
    #expect(trust.mayConnect(to: Self.inside) == isAllowed)
    #expect(trust.mayConnect(to: Self.outside))
    #expect(trust.mayAskProxy(for: try HTTPURL("http://192.168.1.1/")) == isAllowed)
    #expect(trust.mayAskProxy(for: try HTTPURL("http://router/")) == isAllowed)
    #expect(trust.mayAskProxy(for: try HTTPURL("http://b.example/")))
  }

  @Test("a server is told by its address, behind a proxy by its name")
  func kinds() throws {
    let name = try HTTPURL("http://a.example/")
    let local = try HTTPURL("http://localhost/")
    #expect(RequestTrust.isOnInternet(name, address: "203.0.113.7", isProxied: false))
    #expect(!RequestTrust.isOnInternet(name, address: "127.0.0.1", isProxied: false))
    #expect(RequestTrust.isOnInternet(name, address: "127.0.0.1", isProxied: true))
    #expect(!RequestTrust.isOnInternet(local, address: "203.0.113.7", isProxied: true))
  }

  @Test("a subscription to a server of the internet is held to it from the first connection on")
  func subscriptions() {
    var feed = Subscription(url: "http://a.example/")
    #expect(RequestTrust(feed) == .reader)
    feed.state.isOnInternet = true
    #expect(RequestTrust(feed) == .internet)
    #expect(!RequestTrust(feed).mayConnect(to: Self.inside))
    feed.state.isOnInternet = false
    #expect(RequestTrust(feed) == .reader)
  }

  @Test("a story's page gets no password of another site, and leads no further than its feed")
  func page() {
    var feed = Subscription(url: "https://a.example/feed")
    // Its own site may be in a private network under any name: the reader typed it.
    #expect(RequestTrust.part("https://a.example/1", of: [feed]) == .reader)
    #expect(!RequestTrust.part("https://b.example/1", of: [feed]).reachesPrivateNetworks)
    feed.state.isOnInternet = false
    #expect(RequestTrust.part("https://a.example/1", of: [feed]) == .reader)
    let other = RequestTrust.part("https://b.example/1", of: [feed])
    #expect(!other.givesPasswords && other.reachesPrivateNetworks)
    var known = feed
    known.state.isOnInternet = true
    #expect(!RequestTrust.part("http://127.0.0.1/1", of: [known]).reachesPrivateNetworks)
    let unknown = RequestTrust.part("https://a.example/1", of: [nil])
    #expect(!unknown.givesPasswords && !unknown.reachesPrivateNetworks)
    // Any of the store's feeds may have named it.
    let foreign = Subscription(url: "https://b.example/feed")
    #expect(
      !RequestTrust.part("https://b.example/1", of: [foreign, known]).reachesPrivateNetworks
    )
  }

  @Test(
    "what a feed names leads into private networks only where the feed is in one or was allowed to",
    arguments: [
      ("https://a.example/feed", nil, false), ("https://a.example/feed", true, false),
      ("https://a.example/feed", false, true), ("http://10.0.0.1/feed", nil, true),
      ("http://nas:3000/feed", nil, true), ("http://[fe80::1]/feed", nil, true),
      ("http://10.0.0.1/feed", true, false), ("file:///home/me/feed.xml", nil, false),
      ("file:///home/me/feed.xml", false, true), ("/home/me/feed.xml", nil, false),
    ] as [(String, Bool?, Bool)],
  )
  func unknown(_ url: String, _ isOnInternet: Bool?, _ isAllowed: Bool) {
    var feed = Subscription(url: url)
    feed.state.isOnInternet = isOnInternet
    let page = RequestTrust.part("http://192.168.1.1/", of: [feed])
    #expect(page.reachesPrivateNetworks == isAllowed)
    let both = [feed, Subscription(url: "https://b.example/feed")]
    #expect(!RequestTrust.part("http://192.168.1.1/", of: both).reachesPrivateNetworks)
  }

  @Test("what a page announces has the page's trust, and passwords on its own site alone")
  func announced() {
    var page = FetchResponse(status: 200, url: "https://a.example/blog")
    let trust = { (url: String, page: FetchResponse) in
      RequestTrust.announced(url, by: page, asked: page.url)
    }
    #expect(trust("https://a.example/feed", page) == .reader)
    // The page may have come from a process that was taken over, and says where it leads.
    #expect(!trust("http://10.0.0.1/feed", page).reachesPrivateNetworks)
    page.trust = .internet
    #expect(trust("https://a.example/feed", page) == .internet)
    let other = trust("https://b.example/feed", page)
    #expect(!other.givesPasswords && !other.reachesPrivateNetworks)
    #expect(!trust("http://a.example/feed", page).givesPasswords)
    let local = FetchResponse(status: 200, url: "http://10.0.0.1/blog")
    #expect(trust("http://10.0.0.2/feed", local).reachesPrivateNetworks)
  }

  @Test(
    "a feed moves into a private network only from one, or on its own site",
    arguments: [
      ("https://a.example/f", "https://b.example/f", true),
      ("https://a.example/f", "http://127.0.0.1/f", false),
      ("https://a.example/f", "http://nas/f", false), ("http://nas/f", "http://10.0.0.1/f", true),
      ("http://10.0.0.1/f", "http://10.0.0.2/f", true), ("/home/me/f", "http://10.0.0.2/f", false),
    ],
  )
  func moves(_ url: String, _ other: String, _ isAllowed: Bool) {
    #expect(RequestTrust.mayMove(from: url, to: other) == isAllowed)
  }

  @Test("another process takes trust away and gives none")
  func limits() {
    #expect(RequestTrust.reader.limited(to: .internet) == .internet)
    #expect(RequestTrust.internet.limited(to: .reader) == .internet)
  }

  @Test(
    "passwords",
    arguments: [
      // A password in the URL is what the reader typed.
      ("https://u:p@a.example/", nil, .ofURL), ("http://u:p@a.example/", nil, .ofURL),
      ("http://u:p@a.example/", "said", .ofURL),
      // A kept password is for https, or for the user whom the URL names.
      ("https://a.example/", nil, .password(user: "me", "one")), ("http://a.example/", nil, nil),
      ("https://me@a.example/", nil, .password(user: "me", "one")),
      ("http://me@a.example/", nil, .password(user: "me", "one")),
      ("https://she@a.example/", nil, .ofURL), ("https://b.example/", nil, nil),
      // The feed's command gave the password.
      ("https://m%20e@a.example/", "said", .password(user: "m e", "said")),
      ("http://me@a.example/", "said", .password(user: "me", "said")),
      ("https://a.example/", "said", .token("said")), ("http://a.example/", "said", nil),
    ] as [(String, String?, Credentials?)],
  )
  func passwords(_ text: String, _ said: String?, _ credentials: Credentials?) throws {
    let url = try HTTPURL(text)
    let kept = Netrc("machine a.example login me password one\nmachine a.example login you")
    let entries = kept.entries(for: url.host)
    let found = RequestTrust.reader.credentials(for: url, password: said, kept: entries)
    #expect(found == credentials)
    // A redirect to another site drops the URL's password and all others.
    var strange = RequestTrust.reader
    strange.follow(from: try HTTPURL("https://c.example/"), to: url, isOnInternet: false)
    var plain = url
    plain.userInfo = nil
    #expect(strange.credentials(for: plain, password: said, kept: entries) == nil)
  }

  @Test(
    "netrc files",
    arguments: [
      ("machine a.example login me password secret", "a.example", nil, "me", "secret"),
      ("machine\na.example\n\tlogin me\r\n password secret\n", "a.example", nil, "me", "secret"),
      ("machine A.Example login me password s", "a.example", nil, "me", "s"),
      (
        "machine b.example login x password y machine a.example login me password s", "a.example",
        nil, "me", "s",
      ),
      (
        "machine a.example login x password y\nmachine a.example login me password s", "a.example",
        "me", "me", "s",
      ),
      ("machine a.example password s login me account z", "a.example", "me", "me", "s"),
      (
        "machine a.example login \"m e\" password \"a \\\"b\\\" c\\\\\"", "a.example", nil, "m e",
        "a \"b\" c\\",
      ),
      (
        "# machine a.example login no password no\nmachine a.example login me password s#t",
        "a.example", nil, "me", "s#t",
      ),
      (
        "macdef init\nmachine a.example login no password no\n\nmachine a.example login me password s",
        "a.example", nil, "me", "s",
      ),
      ("machine ::1 login me password s", "[::1]", nil, "me", "s"),
    ] as [(String, String, String?, String, String)],
  )
  func netrc(_ text: String, _ host: String, _ user: String?, _ login: String, _ password: String) {
    let entry = Netrc(text).entries(for: host).entry(of: user)
    #expect(entry?.user == login && entry?.password == password)
  }

  @Test(
    "netrc files have nothing for other hosts and users, nor by default",
    arguments: [
      "", "machine", "machine b.example login me password s", "default login me password s",
      "machine b.example login a password b default login me password s", "login me password s",
      "machine a.example login you password s", "machine \"a.example",
      "macdef x\nmachine a.example",
      "machine sub.a.example login me password s",
    ],
  )
  func noEntry(_ text: String) {
    #expect(Netrc(text).entries(for: "a.example").entry(of: "me") == nil)
  }

  @Test(
    "proxies are those of the environment",
    arguments: [
      ([:], "http://a.example/", nil), (["http_proxy": "P"], "http://a.example/", "P"),
      (["http_proxy": "P"], "https://a.example/", nil),
      (["HTTP_PROXY": "P"], "http://a.example/", nil),
      (["HTTPS_PROXY": "P"], "https://a.example/", "P"),
      (["https_proxy": "", "ALL_PROXY": "A"], "https://a.example/", "A"),
      (["all_proxy": "A", "no_proxy": "*"], "https://a.example/", nil),
      (["all_proxy": "A", "no_proxy": "b.example, example"], "https://a.example/", nil),
      (["all_proxy": "A", "NO_PROXY": ".a.example"], "https://a.example/", nil),
      (["all_proxy": "A", "no_proxy": "A.Example."], "https://x.a.example/", nil),
      (["all_proxy": "A", "no_proxy": "a.example"], "https://xa.example/", "A"),
      (["all_proxy": "A", "no_proxy": "ample"], "https://a.example/", "A"),
      (["all_proxy": "A", "no_proxy": "10.0.0.0/8"], "http://10.200.0.1/", nil),
      (["all_proxy": "A", "no_proxy": "10.0.0.0/9"], "http://10.200.0.1/", "A"),
      (["all_proxy": "A", "no_proxy": "10.0.0.1"], "http://10.0.0.1:8080/", nil),
      (["all_proxy": "A", "no_proxy": "[::1]"], "http://[::1]/", nil),
      (["all_proxy": "A", "no_proxy": "fd00::/8,10.0.0.0/99,x/y"], "http://[fe80::1]/", "A"),
    ] as [([String: String], String, String?)],
  )
  func proxies(_ variables: [String: String], _ url: String, _ proxy: String?) throws {
    let settings = ProxySettings { variables[$0] }
    #expect(settings.proxy(for: try HTTPURL(url)) == proxy)
    #expect(ProxySettings.none.proxy(for: try HTTPURL(url)) == nil)
  }
}
