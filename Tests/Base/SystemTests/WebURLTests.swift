import TestSupport
import Testing

@testable import System

@Suite("Links")
struct WebURLTests {
  @Test(
    "references are resolved as RFC 3986 §5.4 has them",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
      ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
      ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
      ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
      ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
      ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
      ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
      ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
      ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
      ("http:g", "http://a/b/c/g"),
    ],
  )
  func resolution(reference: String, expected: String) {
    #expect(WebURL.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
  }

  @Test(
    "a link is cleaned as browsers clean it",
    arguments: [
      ("https://example.com/a", "https://example.com/a"),
      (" \n\thttps://example.com/a \n", "https://example.com/a"),
      ("https://example.com/a\n      /b", "https://example.com/a/b"),
      ("https://example.com/a b", "https://example.com/a%20b"),
      ("https://example.com/ü?q=ß#é", "https://example.com/%C3%BC?q=%C3%9F#%C3%A9"),
      ("https://example.com/%20%zz", "https://example.com/%20%zz"),
      ("https://example.com/\"<>`{|}^", "https://example.com/%22%3C%3E%60%7B%7C%7D%5E"),
      ("HTTPS://EXAMPLE.com/A", "https://example.com/A"),
      ("https:\\\\example.com\\a?b\\c", "https://example.com/a?b%5Cc"),
      ("https:/example.com/a", "https://example.com/a"),
      ("http:////example.com/a", "http://example.com/a"),
      ("http://example.com:/a", "http://example.com/a"),
      ("http://example.com:8080/a", "http://example.com:8080/a"),
      ("http://[2001:DB8::1]/a", "http://[2001:db8::1]/a"),
      ("https://Bücher.example/", "https://xn--bcher-kva.example/"),
      ("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"),
      ("https://BÜCHER.Example.XN--zckzah/", "https://xn--bcher-kva.example.xn--zckzah/"),
      ("https://Bu\u{308}cher.example/", "https://xn--bcher-kva.example/"),
      ("https://stra\u{DF}e.example/", "https://xn--strae-oqa.example/"),
      ("https://\u{FF45}\u{FF58}\u{FF0E}example/", "https://ex.example/"),
      ("http://\u{FF11}\u{FF12}\u{FF17}.0.0.\u{FF11}/", "http://127.0.0.1/"),
      ("https://\u{1F4A9}.example/", "https://xn--ls8h.example/"),
      ("https://my_host.b\u{FC}cher.example/", "https://my_host.xn--bcher-kva.example/"),
      ("http://bank.com@evil.example/", "http://evil.example/"),
      ("http://user:secret@example.com/", "http://example.com/"),
      ("https://example.com/a/../b/./c", "https://example.com/b/c"),
      ("\u{FEFF}https://example.com/\u{200B}", "https://example.com/"),
      ("http://a/\u{301}@evil", "http://a/%CC%81@evil"),
    ],
  )
  func cleaning(reference: String, expected: String) {
    #expect(WebURL.resolve(reference, against: nil) == expected)
    #expect(WebURL.resolve(expected, against: nil) == expected)
  }

  @Test(
    "what is no link of the web is no link",
    arguments: [
      "", " ", "javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x",
      "file:///etc/passwd",
      "mailto:a@example.com", "urn:uuid:1", "http://", "http:///", "https://./", "http://a b/",
      "http://example.com:99999/", "http://example.com:x/", "http://{{host}}/", "http://[::1/",
      "http://[::1]9/", "http://[::1].example/", "http://---/x", "http://-._/x",
      "https://\u{2100}.example/", "https://\u{301}a.example/", "https://\u{FF0E}/",
      "https://xn--\u{FC}.example/",
      "https://\u{202E}example.com/", "https://" + String(repeating: "é", count: 64),
      "https://" + String(repeating: "é.", count: 200), "www.example.com/a", "/a",
      "//example.com/a",
      "https://example.com/" + String(repeating: "a", count: 5000),
    ],
  )
  func refused(reference: String) {
    #expect(WebURL.resolve(reference, against: nil) == nil)
  }

  @Test("other schemes stay refused against a base, and a base of another kind helps nobody")
  func bases() {
    #expect(WebURL.resolve("javascript:alert(1)", against: "https://example.com/") == nil)
    #expect(WebURL.resolve("a", against: "file:///feeds/feed.xml") == nil)
    #expect(WebURL.resolve("a", against: "/feeds/") == nil)
    #expect(
      WebURL.resolve("//cdn.example/a", against: "https://example.com/") == "https://cdn.example/a"
    )
    #expect(WebURL.resolve("a", against: "https://example.com") == "https://example.com/a")
    #expect(WebURL.resolve("", against: "https://example.com") == nil)
  }

  @Test(
    "a base may be relative itself, and a file",
    arguments: [
      ("posts/", "https://example.com/blog/", "https://example.com/blog/posts/"),
      ("", "https://example.com/blog/", "https://example.com/blog/"),
      ("http://user:secret@example.com/", nil, "http://user:secret@example.com/"),
      ("../b/", "file:///feeds/a/feed.xml", "file:///feeds/b/"),
      ("javascript:x", "https://example.com/", nil),
      ("posts/", nil, nil),
    ] as [(String, String?, String?)],
  )
  func xmlBase(reference: String, base: String?, expected: String?) {
    #expect(WebURL.resolveBase(reference, against: base) == expected)
  }

  @Test(
    "one page has one canonical URL",
    arguments: [
      ("http://Example.com", "https://example.com/"),
      ("http://example.com:80/a", "https://example.com/a"),
      ("https://example.com:443/a", "https://example.com/a"),
      ("https://example.com:8443/a", "https://example.com:8443/a"),
      ("https://example.com/a#top", "https://example.com/a"),
      ("https://example.com/#!/a", "https://example.com/#!/a"),
      ("https://example.com/a?utm_source=rss&UTM_Medium=feed&id=5", "https://example.com/a?id=5"),
      ("https://example.com/a?fbclid=x&gclid=y&mc_cid=z", "https://example.com/a"),
      ("https://example.com/a?", "https://example.com/a"),
      ("https://example.com/a?source=rss-1&ref=rss", "https://example.com/a"),
      ("https://example.com/a?source=print&b=2", "https://example.com/a?source=print&b=2"),
      ("https://example.com/%7eme/%c3%a9", "https://example.com/~me/%C3%A9"),
      ("https://user@example.com/a", "https://example.com/a"),
      ("tag:example.com,2005:1", "tag:example.com,2005:1"), ("", ""),
    ],
  )
  func canonical(url: String, expected: String) {
    #expect(WebURL.canonical(url) == expected)
    #expect(WebURL.canonical(expected) == expected)
  }

  @Test("hosts and what may be printed")
  func parts() {
    #expect(WebURL.host(of: "https://User@WWW.Example.com:8080/a@b") == "www.example.com")
    #expect(WebURL.host(of: "file:///a") == nil)
    #expect(WebURL.redacted("https://user:secret@example.com/a@b") == "https://***@example.com/a@b")
    #expect(WebURL.redacted("https://example.com/a@b") == "https://example.com/a@b")
    #expect(WebURL.redacted("no url") == "no url")
  }

  @Test(
    "a password is masked however it was typed, and nothing else is",
    arguments: [
      ("https://user:secret@example.com/a", "https://***@example.com/a"),
      ("https://user:se/cr?et#@example.com/a", "https://***@example.com/a"),
      ("https://user:se@cret@example.com", "https://***@example.com"),
      ("feed:https://user:secret@example.com", "feed:https://***@example.com"),
      ("--feed=https://user:secret@example.com", "--feed=https://***@example.com"),
      ("user:secret@example.com/feed", "***@example.com/feed"),
      ("https://example.com:8080/@user/feed", "https://example.com:8080/@user/feed"),
      ("https://[::1]:80/@user", "https://[::1]:80/@user"),
      ("https://example.com/@user?a:b", "https://example.com/@user?a:b"),
      ("me@example.com", "me@example.com"), ("tag:work", "tag:work"), ("3:4", "3:4"), ("", ""),
    ],
  )
  func passwords(_ word: String, _ printed: String) {
    #expect(WebURL.redacted(word: word) == printed)
    if word.contains("://") { #expect(WebURL.redacted(word) == printed) }
  }

  @Test(
    "a password goes with its user, and a user alone stays",
    arguments: [
      ("https://user:secret@example.com/a@b", "https://example.com/a@b"),
      ("https://user:se:cr@et@example.com:8080/", "https://example.com:8080/"),
      ("https://user:@example.com/", "https://example.com/"),
      ("https://:secret@example.com/", "https://example.com/"),
      ("https://user@example.com/a:b", "https://user@example.com/a:b"),
      ("https://example.com:8080/@user:x", "https://example.com:8080/@user:x"),
      ("exec:curl https://user:secret@example.com/", "exec:curl https://example.com/"),
      ("user:secret@example.com", "user:secret@example.com"),
    ],
  )
  func withoutPassword(_ url: String, _ bare: String) {
    #expect(WebURL.withoutPassword(url) == bare)
  }

  @Test("whatever comes in, what comes out is a clean link of the web, and stays it")
  func properties() {
    var generator = Chance(state: 2)
    let pieces = [
      "http:", "https:", "//", "/", "\\", "example.com", "..", ".", "?", "#", "@", ":", "80", " ",
      "\n", "ü", "\u{301}", "%41", "%", "javascript:", "[", "]", "\u{202E}", "a=b&", "\u{0}",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 1...8, using: &generator))
        .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      for base in [nil, "https://example.com/a/b?c"] {
        guard let url = WebURL.resolve(text, against: base) else { continue }
        #expect(url.utf8.starts(with: "http://".utf8) || url.utf8.starts(with: "https://".utf8))
        #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(WebURL.host(of: url)?.isEmpty == false)
        #expect(WebURL.resolve(url, against: base) == url)
        let canonical = WebURL.canonical(url)
        #expect(WebURL.canonical(canonical) == canonical)
      }
    }
  }

  @Test("each byte that has no place in a URL, and each dot behind a slash, is seen wherever it is")
  func cleanTails() {
    let start = Array("https://e.com/".utf8)
    for length in [1, 15, 16, 17, 40] {
      let plain = start + Array(repeating: UInt8(ascii: "a"), count: length)
      for position in start.count..<plain.count {
        for byte in UInt8.min...UInt8.max {
          var bytes = plain
          bytes[position] = byte
          let isDot = byte == WebURL.dot && bytes[position - 1] == WebURL.slash
          let isClean = bytes.withUnsafeBufferPointer { WebURL.isClean($0) }
          #expect(isClean == (WebURL.isPlain(byte) && !isDot))
        }
      }
    }
  }

  @Test("of 2,000 made-up links the canonical forms are those of all ways, and stay for ever")
  func quickForms() {
    var links = MadeUpLinks()
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for _ in 0..<2_000 {
      let url = links.next()
      for rule in [WebURL.FragmentRule.onlyOfPages, .allButTracking] {
        let canonical = WebURL.canonical(url, fragment: rule)
        let general = WebURL.canonical(ofAny: url, rule)
        #expect(canonical == general, "\(url)")
        for byte in canonical.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
      }
      for byte in WebURL.withoutTracking(url).utf8 {
        digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    #expect(digest == 0x79F6_0C82_135E_EF71)
  }
}

private struct MadeUpLinks {
  private var chance = Chance(state: 59)

  private static let parts: [[String]] = [
    [
      "http://", "http://", "https://", "https://", "https://", "HTTP://", "Https://", "http:/",
      "ftp://", " https://", "//", "",
    ],
    ["", "", "", "", "", "", "me@", "me:x@"],
    [
      "example.com", "example.com", "www.a-b.example", "Example.COM", "b\u{FC}cher.example",
      "a_b.example", ".", "-x.example", "[::1]", "192.0.2.1", "",
    ],
    ["", "", "", "", "", ":80", ":443", ":8080", ":", ":0x"],
    [
      "", "/", "/a", "/a/b.html", "/a/../b", "/./a", "/a/.", "/.b", "/%7Ea", "/%c3%a9", "/a/\u{FC}",
      "//", "/a b", "/https://b.com/", "\\a",
    ],
    ["?", "?", "?", "??"],
  ]
  private static let names = [
    "p", "id", "utm_source", "UTM_Source", "utm", "utm_", "fbclid", "FBCLID", "fbclid2", "igsh",
    "source", "ref", "From", "pk_x", "pk_campaign", "at_link_1", "wt.mc_id", "ut%6D_x",
    "\u{212A}x", "", "amp;utm_id", "sig", "mkt_tok", "X-Signature", "_ga", "unsubscribe",
  ]
  private static let values = [
    "", "=", "=1", "=rss", "=RSS-1", "=rss/icon.png", "=feed", "=xfeed", "=a=b", "=%41", "=%zz",
    "=http://b.com/", "=\u{E9}", "=/.x", "=rss?x",
  ]
  private static let signs = ["&", "&", "&", ";", "&amp;", "&&", "?", ""]
  private static let fragments = ["", "", "", "#", "#!", "#/", "#?", "#top", "#utm_id=1"]

  mutating func next() -> String {
    var url = ""
    for part in Self.parts { url += any(part) }
    url += query()
    let fragment = any(Self.fragments)
    return fragment.isEmpty ? url : url + fragment + query()
  }

  private mutating func query() -> String {
    var query = ""
    for _ in 0..<chance.below(4) { query += any(Self.names) + any(Self.values) + any(Self.signs) }
    return query
  }

  private mutating func any(_ texts: [String]) -> String { texts[chance.below(texts.count)] }
}
