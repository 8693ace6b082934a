import Testing

@testable import FeedFetching

@Suite("What a URL is made of")
struct HTTPURLTests {
  @Test(
    "its parts",
    arguments: [
      ("http://example.org", "example.org", 80, "", "example.org"),
      ("https://Example.ORG/a?b#c", "example.org", 443, "/a?b", "example.org"),
      ("http://example.org:8080/", "example.org", 8_080, "/", "example.org:8080"),
      ("https://example.org:443?x", "example.org", 443, "?x", "example.org"),
      ("http://[::1]:81/x", "[::1]", 81, "/x", "[::1]:81"),
      ("http://[::1]/x", "[::1]", 80, "/x", "[::1]"),
      (
        "http://b\u{FC}cher.example/\u{E4} b", "xn--bcher-kva.example", 80, "/%C3%A4%20b",
        "xn--bcher-kva.example",
      ),
    ],
  )
  func parts(_ text: String, _ host: String, _ port: Int, _ tail: String, _ key: String) throws {
    let url = try HTTPURL(text)
    #expect(url.host == host)
    #expect(url.port == port)
    #expect(url.tail == tail)
    #expect(url.hostKey == key)
  }

  @Test(
    "user and password are kept apart",
    arguments: [
      ("http://me@example.org/", "me", "http://example.org/"),
      ("http://me:a%40b@example.org/x", "me:a%40b", "http://example.org/x"),
      ("http://a@b@example.org/", "a@b", "http://example.org/"),
      ("http://bank.example@evil.example/", "bank.example", "http://evil.example/"),
    ],
  )
  func users(_ text: String, _ userInfo: String, _ publicText: String) throws {
    let url = try HTTPURL(text)
    #expect(url.userInfo == userInfo)
    #expect(url.publicText == publicText)
  }

  @Test("a combining mark hides no separator")
  func combiningMarks() throws {
    let url = try HTTPURL("http://good.example/\u{301}@evil.example/")
    #expect(url.host == "good.example")
    #expect(url.userInfo == nil)
  }

  @Test("schemes of other kinds", arguments: ["ftp://a/", "javascript:x", "mailto:a@b"])
  func schemes(_ text: String) {
    #expect(throws: FetchError.unsupportedScheme) { try HTTPURL(text) }
  }

  @Test("no URLs", arguments: ["", "example.org", "//example.org/", "http:", "http://:80/"])
  func others(_ text: String) {
    #expect(throws: FetchError.invalidURL) { try HTTPURL(text) }
  }
}
