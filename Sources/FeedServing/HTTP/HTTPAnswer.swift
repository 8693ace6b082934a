package struct HTTPAnswer: Sendable {
  package private(set) var status: Int
  package private(set) var headers: [(name: String, value: String)]
  package let body: [UInt8]

  package init(_ status: Int = 200, type: String, _ body: [UInt8]) {
    (self.status, self.body) = (status, body)
    headers = [
      ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
    ]
  }

  /// Without a line feed at its end: Liferea takes nothing but `OK` for a yes.
  package static func text(_ text: String, _ status: Int = 200) -> HTTPAnswer {
    HTTPAnswer(status, type: "text/plain; charset=utf-8", Array(text.utf8))
  }

  static func tooLarge(_ limit: Int) -> HTTPAnswer {
    text("more than \(limit) bytes", 413).closing
  }

  package func adding(_ name: String, _ value: String) -> HTTPAnswer {
    var answer = self
    answer.headers.append((name, value))
    return answer
  }

  /// The answer after which the connection is closed.
  package var closing: HTTPAnswer { isClosing ? self : adding("Connection", "close") }

  var isClosing: Bool { headers.contains { $0.name == "Connection" } }
}

/// The functions of a server, which several threads call at once.
package struct HTTPService: Sendable {
  /// The bytes that a request's body may have.
  let maximumBody: @Sendable (HTTPRequest) -> Int
  /// The answer to a request of which the body need not be read; nil for the others.
  let refusal: @Sendable (HTTPRequest) -> HTTPAnswer?
  let answer: @Sendable (HTTPRequest) -> HTTPAnswer

  package init(
    maximumBody: @escaping @Sendable (HTTPRequest) -> Int,
    refusal: @escaping @Sendable (HTTPRequest) -> HTTPAnswer?,
    answer: @escaping @Sendable (HTTPRequest) -> HTTPAnswer,
  ) {
    (self.maximumBody, self.refusal, self.answer) = (maximumBody, refusal, answer)
  }
}

package struct HTTPLimits: Sendable {
  package var connections = 64
  /// The connections of one address; 0 for as many as of all.
  package var connectionsPerAddress = 32
  /// The bytes of a request's first line and headers, with those that the library needs besides.
  package var headerBytes = 64 << 10
  /// The time without a byte.
  package var idleTime = Duration.seconds(20)
  /// The time from a request's first byte, or the end of the one before, to its last.
  package var requestTime = Duration.seconds(60)
  /// The time for sending an answer.
  package var answerTime = Duration.seconds(120)

  package init() {}
}

/// A server's certificate with those above it, and its key: each in PEM.
package struct TLSCertificate: Sendable {
  let certificate: String
  let key: String

  package init(certificate: String, key: String) {
    (self.certificate, self.key) = (certificate, key)
  }
}
