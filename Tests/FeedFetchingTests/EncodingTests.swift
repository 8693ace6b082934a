import FeedFetching
import TestSupport
import Testing

@Suite("Bodies come in whatever encoding was offered")
struct EncodingTests {
  private static let text = Array(smallFeed.utf8)

  /// One text in each encoding of HTTP, as one uncompressed block.
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

  /// Returns the Adler-32 sum of RFC 1950 §9.
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
    "codings within one another are undone",
    arguments: [
      (["Content-Encoding: gzip, gzip"], 2),
      (["Content-Encoding: gzip", "content-encoding: deflate"], 2),
      (["Content-Encoding: identity, gzip"], 1), (["Content-Encoding: gzip, gzip"], 1),
    ],
  )
  func chained(_ headers: [String], _ count: Int) throws {
    let body = (0..<count).reduce(Self.text) { body, _ in GzipBytes.stored(body) }
    let server = try FaultyServer { _ in .response(headers: headers, bytes: body) }
    let fetched = try fetch(server.url("/"))
    #expect(fetched.words == "content" && fetched.body == smallFeed)
  }

  @Test(
    "what names no coding is passed over",
    arguments: ["UTF-8", "8bit", "binary", "aws-chunked", "none", "", "x-bogus", "utf-8, gzip"],
  )
  func none(_ name: String) throws {
    let body = name.hasSuffix("gzip") ? GzipBytes.stored(Self.text) : Self.text
    let server = try FaultyServer { _ in
      .response(headers: ["Content-Encoding: \(name)"], bytes: body)
    }
    let fetched = try fetch(server.url("/"))
    #expect(fetched.words == "content" && fetched.body == smallFeed)
  }

  @Test(
    "a document that is plain although its server says otherwise is read",
    arguments: ["gzip", "br", "deflate", "zstd", "compress", "gzip, br"],
    [
      smallFeed, "\u{FEFF}" + smallFeed, " \r\n\t" + smallFeed, "{\"version\": 1}", "{ }", "<a/>",
      "",
    ],
  )
  func plain(_ name: String, _ text: String) throws {
    let server = try FaultyServer { _ in
      .response(headers: ["Content-Encoding: \(name)"], body: text)
    }
    let fetched = try fetch(server.url("/"))
    #expect(fetched.words == "content" && fetched.body == text)
  }

  @Test(
    "a wrong name for a compression that shows itself does no harm",
    arguments: ["br", "deflate", "zstd", "gzip"],
    ["gzip", "zstd"],
  )
  func misnamed(_ name: String, _ real: String) throws {
    let server = try FaultyServer { _ in
      .response(headers: ["Content-Encoding: \(name)"], bytes: Self.bodies[real] ?? [])
    }
    #expect(try fetch(server.url("/")).body == smallFeed)
  }

  @Test("deflate without zlib's header is read")
  func raw() throws {
    let server = try FaultyServer { _ in
      .response(headers: ["Content-Encoding: deflate"], bytes: GzipBytes.storedBlock(Self.text))
    }
    #expect(try fetch(server.url("/")).body == smallFeed)
  }

  @Test(
    "gzip of several members is read whole, and nothing behind it",
    arguments: [[], [0, 0, 0, 0], Array("\r\n".utf8), [0x1F], Array("trailing junk".utf8)],
  )
  func members(_ rest: [UInt8]) throws {
    let half = Self.text.count / 2
    let members = GzipBytes.stored(Array(Self.text[..<half])) + GzipBytes.stored([])
    let body = members + GzipBytes.stored(Array(Self.text[half...])) + rest
    let server = try FaultyServer { request in
      request.path == "/whole"
        ? .response(headers: ["Content-Encoding: gzip"], bytes: body)
        : .head(
          headers: ["Content-Encoding: gzip", "Content-Length: \(body.count)"],
          then: body.map { .send([$0]) },
        )
    }
    #expect(try fetch(server.url("/whole")).body == smallFeed)
    #expect(try fetch(server.url("/cut")).body == smallFeed)
  }
}
