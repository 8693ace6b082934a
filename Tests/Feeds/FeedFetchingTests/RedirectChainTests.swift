import Testing

@testable import FeedFetching

@Suite("A chain of redirects")
struct RedirectChainTests {
  @Test("from https to http is refused, from http to https is followed")
  func downgrade() throws {
    var secure = RedirectChain(url: try HTTPURL("https://a.example/"), maximum: 10)
    #expect(throws: FetchError.redirectDowngrade) {
      try secure.follow(status: 301, location: "http://a.example/")
    }
    var plain = RedirectChain(url: try HTTPURL("http://a.example/"), maximum: 10)
    try plain.follow(status: 301, location: "https://a.example/")
    #expect(plain.permanent?.text == "https://a.example/")
  }

  @Test(
    "user and password go where they belong",
    arguments: [
      ("http://u:p@a.example/", "http://a.example/x", true),
      ("http://u:p@a.example/", "http://A.EXAMPLE:80/x", true),
      ("http://u:p@a.example/", "https://a.example/x", true),
      ("http://u:p@a.example/", "https://a.example:8443/x", false),
      ("http://u:p@a.example/", "http://b.example/x", false),
      ("http://u:p@a.example/", "http://sub.a.example/x", false),
      ("http://u:p@a.example/", "http://a.example:8080/x", false),
      ("https://u:p@a.example:444/", "https://a.example/x", false),
    ],
  )
  func credentials(_ from: String, _ to: String, _ isSent: Bool) throws {
    var chain = RedirectChain(url: try HTTPURL(from), maximum: 10)
    try chain.follow(status: 302, location: to)
    #expect(chain.url.userInfo == (isSent ? "u:p" : nil))
  }

  @Test("they do not come back after another host")
  func lostCredentials() throws {
    var chain = RedirectChain(url: try HTTPURL("http://u:p@a.example/"), maximum: 10)
    try chain.follow(status: 302, location: "http://b.example/")
    try chain.follow(status: 302, location: "http://a.example/x")
    #expect(chain.url.userInfo == nil)
  }
}
