import FeedFetching
import FeedModel
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
      (["Content-Encoding: gzip", "content-encoding: gzip"], 2),
      (["Content-Encoding: identity, gzip"], 1),
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
    arguments: ["UTF-8", "8bit", "binary", "aws-chunked", "none", "", "x-bogus"],
  )
  func none(_ name: String) throws {
    let server = try FaultyServer { _ in
      .response(headers: ["Content-Encoding: \(name)"], bytes: Self.text)
    }
    let fetched = try fetch(server.url("/"))
    #expect(fetched.words == "content" && fetched.body == smallFeed)
  }

  private static let pretty = """
    {
      "version": "https://jsonfeed.org/version/1.1",
      "title": "A title",
      "items": [{"id": "1", "content_text": "one"}, {"id": "2", "content_text": "two"}]
    }
    """
  private static let json = pretty.filter { !$0.isWhitespace }

  @Test(
    "a document that is plain although its server says otherwise is read",
    arguments: ["gzip", "br", "deflate", "zstd", "compress", "gzip, br", "gzip, gzip, gzip"],
    [smallFeed, "\u{FEFF}" + smallFeed, " \r\n\t" + smallFeed, pretty, json, ""],
  )
  func plain(_ name: String, _ text: String) throws {
    let server = try FaultyServer { _ in
      .response(headers: ["Content-Encoding: \(name)"], body: text)
    }
    let fetched = try fetch(server.url("/"))
    #expect(fetched.words == "content" && fetched.body == text)
  }

  @Test("deflate without zlib's header is read")
  func raw() throws {
    let server = try FaultyServer { _ in
      .response(headers: ["Content-Encoding: deflate"], bytes: GzipBytes.storedBlock(Self.text))
    }
    #expect(try fetch(server.url("/")).body == smallFeed)
  }

  private static let half = text.count / 2

  /// The names of codings, with bodies that libcurl does not undo, or not to their end.
  private static let others: [(name: String, body: [UInt8])] = [
    ("br", GzipBytes.stored(text)), ("gzip, gzip", GzipBytes.stored(text)),
    ("utf-8, gzip", GzipBytes.stored(text)),
    ("gzip", GzipBytes.stored(text) + Array("trailing junk".utf8)),
    ("gzip", GzipBytes.stored(Array(text[..<half])) + GzipBytes.stored(Array(text[half...]))),
    ("gzip", GzipBytes.stored(text).dropLast(6) + [1, 2, 3, 4, 5, 6]),
  ]

  @Test("a body in another coding is asked for once more, without any", arguments: others)
  func asksAgain(_ name: String, _ body: [UInt8]) throws {
    let server = try FaultyServer { request in
      request.header("Accept-Encoding") == "identity" && request.path == "/heeds"
        ? .response(body: smallFeed)
        : .response(headers: ["Content-Encoding: \(name)"], bytes: body)
    }
    let heeded = try fetch(server.url("/heeds"))
    #expect(heeded.words == "content" && heeded.body == smallFeed)
    #expect(heeded.response?.concessions == .noCoding && heeded.response?.requests == 2)
    let given = try fetch(server.url("/"))
    #expect(given.words == "content" && given.body == String(decoding: body, as: UTF8.self))
    #expect(server.requests.count == 4)
  }

  @Test("an answer that is no content is not asked for again")
  func errors() throws {
    let server = try FaultyServer { _ in
      .response(status: "404 No", headers: ["Content-Encoding: gzip"], body: "plain")
    }
    #expect(try fetch(server.url("/")).response?.status == 404)
    #expect(server.requests.count == 1)
  }

  @Test("a list of types that is refused is asked for once more as any type, and so from then on")
  func anyType() throws {
    let server = try FaultyServer { request in
      request.header("Accept") == "*/*" && request.path == "/heeds"
        ? .response(body: smallFeed) : .response(status: "406 No", body: "no")
    }
    let heeded = try fetch(server.url("/heeds"))
    #expect(heeded.body == smallFeed && heeded.response?.concessions == .anyType)
    var request = FetchRequest(url: server.url("/heeds"))
    request.concessions = .anyType
    #expect(fetch([request])[0].response?.requests == 1)
    #expect(try fetch(server.url("/")).response?.requests == 2)
    request.file = FileRequest()
    request.url = server.url("/")
    request.concessions = []
    #expect(fetch([request])[0].response?.requests == 1)
  }

  @Test("a file is asked for as it is")
  func file() throws {
    let server = try FaultyServer { _ in .response(bytes: GzipBytes.stored(Self.text)) }
    var request = FetchRequest(url: server.url("/"))
    (request.file, request.concessions) = (FileRequest(), .noCoding)
    #expect(fetch([request])[0].words == "content")
    #expect(server.requests.map { $0.header("Accept-Encoding") } == [nil])
  }
}
