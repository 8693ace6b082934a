import FeedFetching
import FeedModel
import Testing

@testable import FeedReading

@Suite("Reading a page")
struct PageReadingTests {
  @Test("a text that is no page is the article as it stands, unless it is a page all the same")
  func plain() throws {
    func article(_ text: String, _ type: String) throws -> StoryText? {
      try read(text, type).article
    }
    func read(_ text: String, _ type: String) throws -> PageReading.Value {
      let answer = ResponseHead(status: 200, url: "https://a.example/1", contentType: type)
      return try Array(text.utf8).withUnsafeBytes {
        try PageReading().read(ForeignBytes($0, answer))
      }
    }
    let text = "NAME\n    make <b> & more\n"
    let plain = StoryText(isHTML: false, base: "https://a.example/1", bytes: Array(text.utf8))
    #expect(try article(text, "text/plain") == plain)
    #expect(try article(text, "text/markdown") == plain)
    // Nothing in it tells where it ends.
    #expect(try !read(text, "text/plain").isWhole)
    #expect(try article(text, "text/html")?.isHTML == true)
    #expect(try article(" \n", "text/plain") == nil)
    #expect(try article("\n<html><p>a</p></html>", "text/plain") == nil)
    #expect(
      try article(String(repeating: "word\n", count: 1 << 18), "text/plain")?.isHTML != false
    )
  }

  @Test("a page's encoding is the transport's or its own")
  func charset() throws {
    let sentence =
      "The harbour report says, as the crew had expected, that the tide came in early, that the wind"
      + " turned, and that nobody in the old town slept before midnight."
    let text = String(repeating: "<p>\(sentence)</p>", count: 3)
    let body = Array("<body><div>\(text)<p>Caf".utf8) + [0xE9] + Array(", good.</p></div>".utf8)
    let head = Array("<head><meta charset=\"iso-8859-1\"></head>".utf8)
    for (page, charset) in [(head + body, nil), (body, "windows-1252"), (body, "latin1")] {
      let answer = ResponseHead(status: 200, url: "https://a.example/", charset: charset)
      let read = try page.withUnsafeBytes { try PageReading().read(ForeignBytes($0, answer)) }
      let article = try #require(read.article)
      #expect(String(decoding: article.bytes, as: UTF8.self).contains("Café, good."))
    }
  }
}
