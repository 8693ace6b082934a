import Testing

@testable import FeedFetching

@Suite("Headers are read line by line")
struct ResponseHeadersTests {
  static func read(_ lines: [String]) -> ResponseHeaders {
    var headers = ResponseHeaders()
    for line in lines {
      Array((line + "\r\n").utf8).withUnsafeBytes { headers.read($0) }
    }
    return headers
  }

  @Test("the last status line counts, and its fields alone")
  func informational() {
    let headers = Self.read([
      "HTTP/1.1 103 Early Hints", "ETag: \"early\"", "", "HTTP/2 200", "etag: \"late\"", "",
    ])
    #expect(headers.status == 200)
    #expect(headers.etag == "\"late\"")
    #expect(headers.isComplete)
  }

  @Test("all Link fields of the last answer count, up to a bound")
  func links() {
    let headers = Self.read(
      [
        "HTTP/1.1 103 Early", "Link: </early>", "", "HTTP/1.1 200 OK", "Link: </a>; rel=x",
        "link:</b>",
      ]
        + (0..<100).map { "Link: <\($0)>" } + [""]
    )
    #expect(headers.links.prefix(2) == ["</a>; rel=x", "</b>"])
    #expect(headers.links.count == 64)
  }

  @Test("trailers are no headers")
  func trailers() {
    let headers = Self.read(["HTTP/1.1 200 OK", "ETag: \"1\"", "", "ETag: \"2\"", "Location: /x"])
    #expect(headers.etag == "\"1\"")
    #expect(headers.location == nil)
  }

  @Test("a trailer that looks like a status line is no head")
  func statusLineAsTrailer() {
    let headers = Self.read(["HTTP/1.1 200 OK", "ETag: \"1\"", "", "HTTP/1.1 404 No", "ETag: 2"])
    #expect(headers.status == 200)
    #expect(headers.isComplete)
    #expect(headers.etag == "\"1\"")
  }

  @Test("a refusal that is asked again with a password is followed by another head")
  func refusals() {
    let headers = Self.read(["HTTP/1.1 401 No", "", "HTTP/1.1 200 OK", "ETag: \"1\"", ""])
    #expect(headers.status == 200)
    #expect(headers.etag == "\"1\"")
  }

  @Test("a validator that is folded is not kept: it could not be sent back as it came")
  func foldedValidators() {
    let headers = Self.read([
      "HTTP/1.1 200 OK", "ETag: \"a", "\tb\"", "Last-Modified: Sun,", " 06 Nov 1994 08:49:37 GMT",
      "Server: x", " y", "",
    ])
    #expect(headers.etag == nil)
    #expect(headers.lastModified == nil)
    #expect(headers.server == "x")
  }

  @Test("odd lines are passed over")
  func oddLines() {
    let headers = Self.read([
      "HTTP/1.1 200 OK", "GARBAGE", ": empty", " folded: ETag", "X-\u{FF}: \u{FE}",
      "etag:\t \"x\" ",
      "",
    ])
    #expect(headers.etag == "\"x\"")
  }

  @Test(
    "media types and their charsets",
    arguments: [
      ("application/rss+xml; charset=UTF-8", "application/rss+xml", "utf-8"),
      ("text/xml;charset=\"iso-8859-1\"; x=y", "text/xml", "iso-8859-1"),
      ("TEXT/XML ; a=b; Charset='koi8-r'", "text/xml", "koi8-r"),
      ("text/xml", "text/xml", nil), ("", nil, nil), ("; charset=utf-8", nil, "utf-8"),
      ("text/html; charset:gbk;", "text/html", "gbk"), ("text/xml; x:charset=a", "text/xml", nil),
      ("text/xml; charset=", "text/xml", nil), ("text/\u{1B}[31mxml", nil, nil),
    ] as [(String, String?, String?)],
  )
  func mediaTypes(_ field: String, _ name: String?, _ charset: String?) {
    let type = MediaType(field)
    #expect(type.name == name)
    #expect(type.charset == charset)
  }

  @Test("a Location that is not UTF-8 keeps its bytes")
  func location() {
    var headers = ResponseHeaders()
    for line in [
      Array("HTTP/1.1 302 x\r\n".utf8), Array("Location: /".utf8) + [0xF6, 0x6B, 0x0D, 0x0A],
    ] {
      line.withUnsafeBytes { headers.read($0) }
    }
    #expect(headers.location == "/%F6k")
  }
}
