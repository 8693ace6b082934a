import FeedFetching
import FeedStorage
import TestSupport
import Testing

@Suite("Feeds whose servers name codings that they do not use")
struct MiscodedFeedTests {
  private static let feed = Array(
    "<rss version=\"2.0\"><channel><title>T</title><item><title>a</title></item></channel></rss>"
      .utf8
  )

  private static let bodies: [(coding: String, bytes: [UInt8])] = [
    ("gzip", feed), ("deflate", feed), ("br", feed), ("zstd", feed), ("UTF-8", feed),
    ("utf-8, gzip", GzipBytes.stored(feed)), ("gzip, gzip", GzipBytes.stored(feed)),
    ("br", GzipBytes.stored(feed)), ("gzip", GzipBytes.stored(feed) + [0x0D, 0x0A]),
    ("gzip", GzipBytes.stored(Array(feed[..<40])) + GzipBytes.stored(Array(feed[40...]))),
  ]

  @Test("they are asked once more without a coding, and from then on like that", arguments: bodies)
  func remembered(_ coding: String, _ bytes: [UInt8]) throws {
    let news = try CommandRun()
    news.realFetcher = SourceFetcher()
    let server = try FaultyServer { _ in
      .response(headers: ["Content-Encoding: \(coding)"], bytes: bytes)
    }
    news("subscribe", "--no-check", "--allow-private", server.url("/feed"))
    for _ in 0..<2 { #expect(news("refresh").status == 0) }
    #expect(try news.store.read().items.count == 1)
    let offers = server.requests.map { $0.header("Accept-Encoding") ?? "" }
    #expect(offers.first?.contains("gzip") == true)
    #expect(offers.dropFirst() == ["identity", "identity"])
  }
}
