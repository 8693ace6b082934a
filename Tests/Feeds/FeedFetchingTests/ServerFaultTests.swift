import FeedFetching
import TestSupport
import Testing

@Suite("A faulty server costs its own feed, and is named")
struct ServerFaultTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var answer: FaultyAnswer
    var words: String
    /// The part of the body that reached the receiver before the fault; nil where it is not
    /// compared.
    var body: String?

    init(_ name: String, _ answer: FaultyAnswer, _ words: String, body: String? = nil) {
      self.name = name
      self.answer = answer
      self.words = words
      self.body = body
    }

    var testDescription: String { name }
  }

  static let closed = "the server closed the connection without an answer"
  static let truncated = "the connection ended in the middle of the body"
  static let malformed = "the server's answer is not valid HTTP"
  static let undecodable = "the body is not encoded (compressed) as the server says"
  static let stalled = "timed out after 1 s without a byte"
  static let slow = "slower than 64 bytes a second for 1 s"

  @Test(
    "each fault has its outcome and its words",
    arguments: connections + lengths + heads + encodings,
  )
  func faults(_ fault: Fault) throws {
    let server = try FaultyServer(["/feed": fault.answer])
    let fetched = try fetch(server.url("/feed"), options: Self.options)
    #expect(fetched.words == fault.words)
    if let body = fault.body { #expect(fetched.body == body) }
  }

  @Test("what never ends is ended", arguments: endless)
  func endlessAnswers(_ fault: Fault) throws {
    let server = try FaultyServer(["/feed": fault.answer])
    let fetched = try fetch(
      server.url("/feed"),
      options: Self.options,
      receiver: { RecordingReceiver(forgets: true) },
    )
    #expect(fetched.words == fault.words)
    #expect(fetched.bytes <= Self.options.maximumBytes)
  }

  @Test("a server that drips is ended by the time for a whole transfer", arguments: drips)
  func drippingServers(_ fault: Fault) throws {
    let server = try FaultyServer(["/feed": fault.answer])
    #expect(try fetch(server.url("/feed"), options: Self.dripOptions).words == fault.words)
  }

  @Test("a server that sends a few bytes a second is not waited for", arguments: trickles)
  func trickling(_ fault: Fault) throws {
    let server = try FaultyServer(["/feed": fault.answer])
    #expect(try fetch(server.url("/feed"), options: Self.options).words == fault.words)
  }

  @Test("a server is not stalled where libcurl makes nothing yet of what it sends")
  func silentDecoder() throws {
    let server = try FaultyServer([
      "/feed": .head(
        headers: ["Content-Encoding: gzip"],
        then: [
          .send(GzipBytes.namedBeginning),
          .drip(Array("twenty bytes of name".utf8), every: .milliseconds(100)),
        ],
      )
    ])
    let options = Self.options.with { $0.transferTimeout = .seconds(2) }
    #expect(try fetch(server.url("/feed"), options: options).words == "not finished after 2 s")
  }

  @Test("what is inflated for too long is ended in the middle of what was sent")
  func longInflation() throws {
    let bomb =
      GzipBytes.bombBeginning + Array(repeating: GzipBytes.bombChunk, count: 2_000).joined()
    let server = try FaultyServer([
      "/feed": .response(headers: ["Content-Encoding: gzip"], bytes: bomb)
    ])
    let fetched = try fetch(
      server.url("/feed"),
      options: .quick.with { $0.transferTimeout = .milliseconds(300) },
      receiver: {
        // The first piece alone takes longer than the whole transfer may.
        RecordingReceiver(forgets: true) {
          let end = ContinuousClock.now + .milliseconds(400)
          while ContinuousClock.now < end {}
        }
      },
    )
    #expect(fetched.words == "not finished after 0.3 s")
    #expect(fetched.bytes <= 16 << 10)
  }

  @Test("all faults at once leave the good feeds unharmed")
  func together() throws {
    let faults = Self.connections + Self.lengths + Self.encodings + Self.endless
    let answers = Dictionary(uniqueKeysWithValues: faults.map { ("/\($0.name)", $0.answer) })
    let bad = try FaultyServer { request in
      answers[request.path.replacing("%20", with: " ")] ?? .response(body: "?")
    }
    let good = try FaultyServer(["/good": .response(body: smallFeed)])
    let requests = faults.flatMap { fault in
      [
        FetchRequest(url: bad.url("/\(fault.name.replacing(" ", with: "%20"))")),
        FetchRequest(url: good.url("/good")),
      ]
    }
    let fetched = fetch(
      requests,
      options: Self.options,
      receiver: { RecordingReceiver(forgets: true) },
    )
    #expect(fetched.count == requests.count)
    for (number, fault) in faults.enumerated() {
      #expect(fetched[2 * number].words == fault.words, "\(fault.name)")
      #expect(fetched[2 * number + 1].words == "content")
      #expect(fetched[2 * number + 1].bytes == smallFeed.utf8.count)
    }
  }

  /// Limits of a second for stalls and a megabyte; the others suffice on a busy machine.
  static let options = FetchOptions.quick.with { options in
    options.stallTimeout = .seconds(1)
    options.maximumBytes = 1 << 20
  }

  /// Limits by which a drip ends as a transfer that takes too long, and not as a stall.
  static let dripOptions = FetchOptions.quick.with { options in
    options.transferTimeout = .milliseconds(500)
  }

  static let connections = [
    Fault("reset at once", FaultyAnswer([.reset]), closed),
    Fault("closed at once", FaultyAnswer([]), closed),
    Fault("silence", FaultyAnswer([.hang]), stalled),
    Fault("silence in the head", .raw("HTTP/1.1 200 OK\r\nX: ", then: [.hang]), stalled),
    Fault(
      "silence in the body",
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<rss>", then: [.hang]),
      slow,
      body: "<rss>",
    ),
    Fault(
      "reset in the body",
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<rss>", then: [.reset]),
      truncated,
    ),
    Fault("HTTP 0.9", .raw(smallFeed), malformed),
    Fault("bad status line", .raw("HTTP/1.1 abc xyz\r\n\r\n\(smallFeed)"), malformed),
    Fault(
      "a NUL in the head",
      .head(headers: ["X: a\0b"], then: [.send(Array("<rss>".utf8))]),
      malformed,
    ),
    Fault(
      "a head's line without a colon",
      .head(headers: ["what"], then: [.send(Array("<rss>".utf8))]),
      malformed,
    ),
    Fault("folded first line", .raw("HTTP/1.1 200 OK\r\n folded: x\r\n\r\n<rss>"), malformed),
    Fault("a status of no class", .raw("HTTP/1.1 099 x\r\n\r\n<rss>"), malformed),
    Fault("switching protocols", .raw("HTTP/1.1 101 Switching\r\n\r\n"), "server answered 101"),
  ]

  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  static let lengths = [
    Fault(
      "short body",
      .response(bytes: Array(smallFeed.utf8), length: 5_000),
      truncated,
      body: smallFeed,
    ),
    // A client cannot see that the body is too short: the document's own end decides.
    Fault("long body", .response(bytes: Array(smallFeed.utf8), length: 20), "content"),
    Fault("no length", .head(then: [.send(Array(smallFeed.utf8))]), "content", body: smallFeed),
    Fault(
      "negative length",
      .raw("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n\(smallFeed)"),
      malformed,
    ),
    Fault(
      "huge length",
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n\(smallFeed)"),
      "content",
      body: smallFeed,
    ),
    Fault(
      "two lengths",
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 20\r\n\r\n<rss>"),
      truncated,
    ),
    Fault(
      "cut chunk",
      .raw("\(chunked)ff\r\n<rss>"),
      truncated,
      body: "<rss>",
    ),
    Fault(
      "chunks without an end",
      .raw("\(chunked)5\r\n<rss>\r\n"),
      truncated,
      body: "<rss>",
    ),
    Fault(
      "bad chunk size",
      .raw("\(chunked)zzzz\r\n<rss>"),
      truncated,
    ),
    Fault(
      "huge chunk size",
      .raw("\(chunked)FFFFFFFFFFFFFFFF0\r\n<rss>"),
      truncated,
    ),
    Fault("nothing", .response(body: ""), "content", body: ""),
    Fault(
      "a status line as trailer",
      .raw("\(chunked)5\r\n<rss>\r\n0\r\nHTTP/1.1 500: No\r\n\r\n"),
      "content",
      body: "<rss>",
    ),
  ]

  static let heads = [
    "X: a\r\n b", "X-\u{FF}: \u{FE}\u{1B}[31m", ": x",
    "Content-Type: \u{1B}]0;evil\u{7}",
  ].map { line in
    Fault(
      "head with \(line.debugDescription)",
      .head(headers: [line], then: [.send(Array("<rss>".utf8))]),
      "content",
      body: "<rss>",
    )
  }

  static let encodings = [
    Fault(
      "gzip",
      .response(headers: ["Content-Encoding: gzip"], bytes: GzipBytes.stored(Array("<rss>".utf8))),
      "content",
      body: "<rss>",
    ),
    Fault(
      "not gzip",
      .response(headers: ["Content-Encoding: gzip"], body: "plain"),
      "content",
      body: "plain",
    ),
    Fault(
      "unknown encoding",
      .response(headers: ["Content-Encoding: compress"], body: "\u{1F}<"),
      "content",
      body: "\u{1F}<",
    ),
    Fault(
      "encodings of the transfer",
      .head(
        headers: ["Transfer-Encoding: gzip, gzip, gzip"],
        then: [.send(Array(smallFeed.utf8))],
      ),
      undecodable,
    ),
    Fault(
      "two hundred encodings",
      .response(
        headers: [
          "Content-Encoding: " + Array(repeating: "gzip", count: 200).joined(separator: ", ")
        ],
        body: smallFeed,
      ),
      "content",
      body: smallFeed,
    ),
    // libcurl cannot tell that it was cut: the document's own end decides.
    Fault(
      "cut gzip",
      .response(
        headers: ["Content-Encoding: gzip"],
        bytes: Array(GzipBytes.stored(Array("<rss></rss>".utf8)).prefix(20)),
      ),
      "content",
      body: "<rss>",
    ),
  ]

  static let endless = [
    Fault(
      "endless body",
      .head(then: [.flood(Array("<item><title>x</title></item>".utf8))]),
      "body is larger than 1 MiB",
    ),
    Fault(
      "endless bytes behind a whole body",
      .head(
        headers: ["Content-Encoding: gzip"],
        then: [.send(GzipBytes.stored(Array("<rss></rss>".utf8))), .flood(Array("spam ".utf8))],
      ),
      "body is larger than 1 MiB",
    ),
    Fault(
      "gzip bomb",
      .head(
        headers: ["Content-Encoding: gzip"],
        then: [.send(GzipBytes.bombBeginning), .flood(GzipBytes.bombChunk)],
      ),
      "body is larger than 1 MiB",
    ),
    Fault(
      "endless bytes of which gzip makes nothing",
      .head(
        headers: ["Content-Encoding: gzip"],
        then: [.send(GzipBytes.namedBeginning), .flood(Array("name".utf8))],
      ),
      "body is larger than 1 MiB",
    ),
    Fault(
      "gzip bomb in a gzip",
      .response(
        headers: ["Content-Encoding: gzip, gzip"],
        bytes: GzipBytes.stored(
          GzipBytes.bombBeginning
            + Array(repeating: GzipBytes.bombChunk, count: 4_000).flatMap(\.self)
        ),
      ),
      "body is larger than 1 MiB",
    ),
    Fault(
      "endless headers",
      .raw("HTTP/1.1 200 OK\r\n", then: [.flood(Array("X-A: 0123456789\r\n".utf8))]),
      "headers are larger than 65536 bytes",
    ),
    Fault(
      "one endless header",
      .raw("HTTP/1.1 200 OK\r\nX: ", then: [.flood(Array("0123456789".utf8))]),
      "headers are larger than 65536 bytes",
    ),
    Fault(
      "endless 100 Continue",
      FaultyAnswer([.flood(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))]),
      "headers are larger than 65536 bytes",
    ),
    Fault(
      "endless error page",
      .head(status: "500 Oops", then: [.flood(Array("oops".utf8))]),
      "server answered 500",
    ),
  ]

  static let trickles = [
    Fault("a byte at a time", .head(then: [.drip([0x20], every: .milliseconds(50))]), slow),
    Fault(
      "heads without an end",
      .raw("HTTP/1.1 200 OK\r\n", then: [.drip(Array("X:\r\n".utf8), every: .milliseconds(100))]),
      slow,
    ),
    // The limit is on the bytes sent, not on the kilobytes that they become.
    Fault(
      "a bomb",
      .head(
        headers: ["Content-Encoding: gzip"],
        then: [
          .send(GzipBytes.bombBeginning),
          .drip(GzipBytes.bombChunk, every: .milliseconds(250)),
        ],
      ),
      slow,
    ),
  ]

  static let drips = [
    Fault(
      "drip in the body",
      .head(then: [.drip([0x20], every: .milliseconds(50))]),
      "not finished after 0.5 s",
    ),
    Fault(
      "drip in the head",
      .raw(
        "HTTP/1.1 200 OK\r\n",
        then: [.drip(Array("X: y\r\n".utf8), every: .milliseconds(50))],
      ),
      "not finished after 0.5 s",
    ),
  ]
}
