import FeedFetching
import TestSupport
import Testing

@Suite("Bodies come in whatever encoding was offered")
struct EncodingTests {
  private static let text = Array(smallFeed.utf8)

  /// The same text in each encoding of HTTP, as one uncompressed block.
  private static let bodies: [String: [UInt8]] = [
    "gzip": GzipBytes.stored(text),
    "deflate": [0x78, 0x01] + GzipBytes.storedBlock(text) + adler(text),
    // RFC 7932 §9: a window of 64 KiB, a block that is not the last one, of so many bytes, as they
    // are; then a last block that is empty.
    "br": [UInt8((text.count - 1) << 4 & 0xFF), UInt8((text.count - 1) >> 4), 0x10] + text + [3],
    // RFC 8878 §3.1.1: one segment of so many bytes; a last block as it is.
    "zstd": [0x28, 0xB5, 0x2F, 0xFD, 0x20, UInt8(text.count)]
      + [UInt8(text.count << 3 & 0xFF) | 1, UInt8(text.count >> 5), 0] + text,
  ]

  /// RFC 1950 §9.
  private static func adler(_ bytes: [UInt8]) -> [UInt8] {
    let sums = bytes.reduce((1, 0)) { sums, byte in
      let first = (sums.0 + Int(byte)) % 65_521
      return (first, (sums.1 + first) % 65_521)
    }
    return [sums.1 >> 8, sums.1, sums.0 >> 8, sums.0].map { UInt8(truncatingIfNeeded: $0) }
  }

  @Test("gzip and whatever else the installed libcurl has")
  func encodings() throws {
    let server = try FaultyServer { request in
      let name = String(request.path.dropFirst())
      return .response(headers: ["Content-Encoding: \(name)"], bytes: Self.bodies[name] ?? [])
    }
    _ = try fetch(server.url("/"))
    let offered = server.requests.first?.header("Accept-Encoding") ?? ""
    let names = offered.split(separator: ",").map { $0.filter { $0 != " " } }
    #expect(names.contains("gzip") && names.contains("deflate"))
    for name in names {
      let fetched = try fetch(server.url("/\(name)"))
      #expect(fetched.words == "content", "\(name)")
      #expect(fetched.body == smallFeed, "\(name)")
    }
  }

  @Test(
    "one coding within another is refused: what the inner one comes to is not counted",
    arguments: [
      ["Content-Encoding: gzip, gzip"], ["Content-Encoding: gzip", "content-encoding: deflate"],
      ["Content-Encoding: identity, gzip"],
    ],
  )
  func chained(_ headers: [String]) throws {
    let isChain = !headers[0].contains("identity")
    let inner = GzipBytes.stored(Self.text)
    let body = isChain ? GzipBytes.stored(inner) : inner
    let server = try FaultyServer { _ in .response(headers: headers, bytes: body) }
    let words =
      isChain ? "the body is compressed more than once, which is not supported" : "content"
    #expect(try fetch(server.url("/")).words == words)
  }
}
