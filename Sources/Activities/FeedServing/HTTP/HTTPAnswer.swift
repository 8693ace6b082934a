internal import Decompression

package struct HTTPAnswer: Sendable {
  package private(set) var status: Int
  package private(set) var headers: [(name: String, value: String)]
  package private(set) var body: [UInt8]

  package init(
    _ status: Int = 200,
    type: String,
    _ body: [UInt8],
    caching: String = "no-store",
  ) {
    (self.status, self.body) = (status, body)
    headers = [
      ("Content-Type", type), ("Cache-Control", caching), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
    ]
  }

  /// Returns an answer without a line feed at its end: Liferea takes nothing but `OK` for success.
  package static func text(_ text: String, _ status: Int = 200) -> HTTPAnswer {
    HTTPAnswer(status, type: "text/plain; charset=utf-8", Array(text.utf8))
  }

  static let malformed = text("not a request", 400)

  static func tooLarge(_ limit: Int) -> HTTPAnswer {
    text("more than \(limit) bytes", 413).closing
  }

  package func adding(_ name: String, _ value: String) -> HTTPAnswer {
    var answer = self
    answer.headers.append((name, value))
    return answer
  }

  /// The bytes from which on compression saves more than its header takes.
  private static let leastCompressed = 1 << 10

  /// Returns the answer as gzip where its client takes that (RFC 9110 §12.5.3).
  func compressed(for request: HTTPRequest) -> HTTPAnswer {
    guard body.count >= Self.leastCompressed, request.headers.takeGzip,
      let gzip = Compressor.gzip(body)
    else { return self }
    var answer = adding("Content-Encoding", "gzip").adding("Vary", "Accept-Encoding")
    answer.body = gzip
    return answer
  }

  /// A copy that closes the connection.
  package var closing: HTTPAnswer { isClosing ? self : adding("Connection", "close") }

  var isClosing: Bool { headers.contains { $0.name == "Connection" } }
}

/// The functions of a server, which are called by several threads at once.
package struct HTTPService: Sendable {
  /// Returns the most bytes of a request's body.
  let maximumBody: @Sendable (HTTPRequest) -> Int
  /// Returns true if a request shows that its sender has logged in.
  let isKnown: @Sendable (HTTPRequest) -> Bool
  /// Returns the answer to a request whose body need not be read; nil for any other request.
  let refusal: @Sendable (HTTPRequest) -> HTTPAnswer?
  let answer: @Sendable (HTTPRequest) -> HTTPAnswer
}

package struct HTTPLimits: Sendable {
  /// The most connections; of more, the oldest that has not shown a token gives way.
  package var connections = 64
  /// The most bytes of a request's first line and headers, with those that the library itself
  /// needs.
  package var headerBytes = 64 << 10
  /// The longest time without a byte.
  package var idleTime = Duration.seconds(20)
  /// The longest time for the head of a request, from the end of the one before, and for its body.
  package var requestTime = Duration.seconds(60)
  /// The longest times for a head and a body until the connection has shown a token.
  package var (strangerHeadTime, strangerBodyTime) = (Duration.seconds(5), Duration.seconds(10))
  /// The longest time for sending an answer.
  package var answerTime = Duration.seconds(120)

  package init() {}
}

/// A server's certificate with those above it, and its key, all in PEM.
package struct TLSCertificate: Sendable {
  let certificate: String
  let key: String

  package init(certificate: String, key: String) {
    (self.certificate, self.key) = (certificate, key)
  }
}
