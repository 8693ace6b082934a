import TestSupport
import Testing

@Suite("Hostile requests to news serve")
struct HostileRequestTests {
  /// Expects an answer of the server; what it prints on standard error is the caller's to judge.
  private func expectHealthy(_ home: ServingHome) throws {
    #expect(try home.connection().ask("/")?.status == 200)
    #expect(!home.process.hasEnded)
  }

  /// Asks by a new connection as soon as there is room for one, as a client must that has not
  /// logged in.
  private func ask(
    _ home: ServingHome,
    _ path: String,
    post: String,
  ) throws -> HTTPConnection.Answer? {
    for _ in 0..<100 {
      if let answer = try home.connection().ask(path, post: post) { return answer }
      usleep(20_000)
    }
    return nil
  }

  @Test("a connection is closed with each answer to somebody who has not logged in")
  func strangers() throws {
    let home = try ServingHome(try News())
    let known = try home.authorization()
    for path in ["/", "/accounts/ClientLogin", "/nothing", "/reader/api/0/tag/list"] {
      let connection = try home.connection()
      #expect(connection.ask(path)?.header("connection")?.lowercased() == "close", "\(path)")
      #expect(connection.isClosed(), "\(path)")
    }
    let app = try home.connection()
    for _ in 0..<3 { #expect(app.ask("/reader/api/0/token", headers: [known])?.status == 200) }
  }

  @Test("are refused: huge bodies, headers, lines, ways out of the folder, two lengths, nonsense")
  func requests() throws {
    let home = try ServingHome(try News())
    let known = try home.authorization()
    let api = "/reader/api/0"
    let host = "Host: x\r\n"
    let cases: [(request: String, status: [Int])] = [
      ("GET /../../etc/passwd HTTP/1.1\r\n\(host)\r\n", [404]),
      ("GET /%2e%2e/newsdata.plist HTTP/1.1\r\n\(host)\r\n", [404]),
      ("GET \(api)/stream/contents/..%2F..%2Fetc HTTP/1.1\r\n\(host)\(known)\r\n\r\n", [400]),
      ("GET \(api)/stream/contents/feed/%00 HTTP/1.1\r\n\(host)\(known)\r\n\r\n", [200]),
      (
        "GET \(api)/\(String(repeating: "a/", count: 5_000)) HTTP/1.1\r\n\(host)\(known)\r\n\r\n",
        [404],
      ),
      (
        "GET /\(String(repeating: "a", count: 200_000)) HTTP/1.1\r\n\(host)\r\n",
        [414, 413, 431, 0],
      ),
      (
        "GET / HTTP/1.1\r\n\(host)\(String(repeating: "X: y\r\n", count: 50_000))\r\n",
        [431, 413, 0],
      ),
      (
        "GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "y", count: 200_000))\r\n\r\n",
        [431, 413, 0],
      ),
      ("POST /accounts/ClientLogin HTTP/1.1\r\n\(host)Content-Length: 999999999\r\n\r\n", [413]),
      ("POST /accounts/ClientLogin HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n", [400, 413, 0]),
      ("POST \(api)/edit-tag HTTP/1.1\r\n\(host)Content-Length: 99999999\r\n\r\n", [401, 413]),
      (
        "POST \(api)/edit-tag HTTP/1.1\r\n\(host)\(known)\r\nContent-Length: 99999999\r\n\r\n",
        [413],
      ),
      (
        "POST / HTTP/1.1\r\n\(host)Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        [400],
      ),
      ("POST / HTTP/1.1\r\n\(host)Content-Length: 0\r\nContent-Length: 5\r\n\r\n", [400]),
      ("GET / HTTP/1.1\r\n\(host)Host: y\r\n\r\n", [400]),
      ("GET / HTTP/1.1\r\n\r\n", [400]),
      ("DELETE / HTTP/1.1\r\n\(host)\r\n", [405]),
      ("GET http://elsewhere/ HTTP/1.1\r\n\(host)\r\n", [400, 404]),
      ("GET / HTTP/9.9\r\n\(host)\r\n", [505, 400, 0]),
      ("\u{16}\u{3}\u{1}\r\n\r\n\r\n", [400, 0]),
    ]
    for (request, statuses) in cases {
      let connection = try home.connection()
      connection.send(request)
      let status = connection.readAnswer()?.status ?? 0
      #expect(statuses.contains(status), "\(status): \(request.prefix(100))")
    }
    try expectHealthy(home)
    #expect(try home.isEnded().errorText == "")
  }

  @Test("a head is read as RFC 9112 says: blanks in names, folds, bare CR and LF, other codings")
  func heads() throws {
    let home = try ServingHome(try News())
    let lines: [(lines: String, status: Int)] = [
      ("Host: x\r\nX : y", 400), ("Host: x\r\nX\t: y", 400), ("Host: x\r\nX y: z", 400),
      ("Host: x\r\nContent-Length : 5", 400), ("Host: x\r\n: y", 400),
      ("Host: x\r\n folded: y", 400), ("Host: x\r\n\tfolded", 400), ("Host:\r\n x", 400),
      ("Host: x\r\nX: y\r\n z", 400), ("Host: x\r\nX: y\r\n z\r\nY: z", 400),
      ("Host: x\r\nTransfer-Encoding:\r\n chunked", 400), ("Host: x\r\n \r\nX: y", 400),
      ("Host: x\r\nX: y\rZ: a", 400), ("Host: x\rX: y", 400), ("Host: x\r\nX: y\r", 400),
      ("Host: x\nX: y", 400), ("Host: x\r\nX: y\n", 400), ("X: y\nHost: x", 400),
      ("Host: x\r\nX: \u{1}", 400), ("Host: x\r\nX: \u{7F}", 400),
      ("Host: x\r\nTransfer-Encoding: gzip", 501),
      ("Host: x\r\nTransfer-Encoding: xchunked", 501),
      ("Host: x\r\nTransfer-Encoding: gzip, chunked", 501),
      ("Host: x\r\nTransfer-Encoding: identity", 501),
      ("Host: x\r\nTransfer-Encoding: \"chunked\"", 501),
      ("Host: x", 200), ("Host:x", 200), ("Host: \t x \t", 200), ("Host: x\r\nX:", 200),
      ("Host: x\r\nX: ü\ty  \r\nY: z ", 200),
      ("Host: x\r\n\((0..<500).map { "X-\($0): \($0)" }.joined(separator: "\r\n"))", 200),
    ]
    for (lines, status) in lines {
      let connection = try home.connection()
      // Byte by byte, and at once.
      let request = "GET / HTTP/1.1\r\n\(lines)\r\n\r\n"
      if request.utf8.count < 100 {
        for scalar in request.unicodeScalars { connection.send(String(scalar)) }
      } else {
        connection.send(request)
      }
      // How the last line ends is told by the byte behind the head, which may not have come yet.
      let statuses = lines.hasSuffix("\n") ? [status, 200] : [status]
      let first = connection.readAnswer()?.status ?? 0
      #expect(statuses.contains(first), "\(lines.prefix(80).debugDescription)")
      let other = try home.connection()
      other.send(request)
      #expect(other.readAnswer()?.status == status, "\(lines.prefix(80).debugDescription)")
    }
    let known = try home.authorization()
    let app = try home.connection()
    for number in 0..<3 {
      app.send(
        "POST /reader/api/0/token HTTP/1.1\r\nHost: x\r\n\(known)\r\n"
          + "Transfer-Encoding: Chunked\r\n\r\n5\r\nn=\(number)00\r\n0\r\n\r\n"
      )
      #expect(app.readAnswer()?.status == 200)
    }
    try expectHealthy(home)
  }

  @Test("a body in pieces that is longer than any may be ends the connection")
  func chunks() throws {
    let home = try ServingHome(try News())
    let connection = try home.connection()
    connection.send(
      "POST /accounts/ClientLogin HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    let piece = "10000\r\n\(String(repeating: "x", count: 65_536))\r\n"
    for _ in 0..<64 where !connection.send(piece) { break }
    #expect(connection.readAnswer() == nil)
    try expectHealthy(home)
  }

  @Test(
    "many that have shown no token keep nobody out who has: the oldest gives way",
    arguments: [[], ["--behind-proxy"]],
  )
  func strangersGiveWay(_ words: [String]) throws {
    let home = try ServingHome(try News(), words)
    let known = try home.authorization()
    let app = try home.connection()
    #expect(app.ask("/reader/api/0/token", headers: [known])?.status == 200)
    var strangers: [HTTPConnection] = []
    for _ in 0..<200 {
      let connection = try home.connection()
      connection.send("POST /accounts/ClientLogin HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
      strangers.append(connection)
    }
    #expect(app.ask("/reader/api/0/token", headers: [known])?.status == 200)
    for _ in 0..<20 {
      let next = try home.connection()
      #expect(next.ask("/reader/api/0/token", headers: [known])?.status == 200)
    }
    #expect(strangers[0].isClosed())
    #expect(app.ask("/reader/api/0/token", headers: [known])?.status == 200)
    try expectHealthy(home)
  }

  @Test("without a token a head has 5 seconds, and a body 10")
  func deadlines() throws {
    let home = try ServingHome(try News())
    let known = try home.authorization()
    let begun = ContinuousClock.now
    let (silent, head, body) = (
      try home.connection(), try home.connection(), try home.connection(),
    )
    let app = try home.connection()
    #expect(app.ask("/reader/api/0/token", headers: [known])?.status == 200)
    head.send("GET / HTTP/1.1\r\nHost:")
    body.send("POST /accounts/ClientLogin HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nEma")
    #expect(silent.isClosed() && head.isClosed())
    #expect(ContinuousClock.now - begun < .seconds(9))
    #expect(app.ask("/reader/api/0/token", headers: [known])?.status == 200)
    #expect(body.isClosed() && ContinuousClock.now - begun < .seconds(17))
    #expect(app.ask("/reader/api/0/token", headers: [known])?.status == 200)
  }

  @Test("connections that say nothing leave room for others from elsewhere, and none crash it")
  func halfOpen() throws {
    let home = try ServingHome(try News())
    var open: [HTTPConnection] = []
    for number in 0..<30 {
      let connection = try home.connection()
      if number % 2 == 0 { connection.send("GET / HTTP/1.1\r\nHost:") }
      open.append(connection)
    }
    try expectHealthy(home)
    open = []
    // Once those have gone there is room again, however many come.
    for _ in 0..<200 { _ = try home.connection() }
    var answer: HTTPConnection.Answer?
    for _ in 0..<100 where answer == nil {
      answer = try home.connection().ask("/")
      if answer == nil { usleep(20_000) }
    }
    #expect(answer?.status == 200)
  }

  @Test("10,000 log-ins cost a hash ten times, a line ten times, and the door for a while")
  func logIns() throws {
    let home = try ServingHome(try News())
    let known = try home.authorization()
    let before = ContinuousClock.now
    var answers: [String: Int] = [:]
    for _ in 0..<10_000 {
      let answer = try ask(home, "/accounts/ClientLogin", post: "Email=a&Passwd=b")
      answers[answer?.body ?? "none", default: 0] += 1
    }
    #expect(answers == ["Error=BadAuthentication": 10, "Error=TooManyAttempts": 9_990])
    #expect(ContinuousClock.now - before < .seconds(60))
    #expect(try home.connection().ask("/reader/api/0/token", headers: [known])?.status == 200)
    let lines = try home.isEnded().errorText.split(separator: "\n")
    #expect(lines.count == 10 && lines.allSatisfy { $0.hasPrefix("news: log-in refused: ") })
  }

  @Test("random bytes crash nothing")
  func noise() throws {
    let home = try ServingHome(try News())
    let known = try home.authorization()
    var chance = Chance(seed: 7)
    let words = [
      "GET ", "POST ", "/reader/api/0/", "stream/contents/", "edit-tag", "?output=json&", "n=",
      "c=1_2_3",
      " HTTP/1.1\r\n", "Host: x\r\n", known + "\r\n", "Content-Length: 7\r\n", "\r\n\r\n", "%",
      "%ff",
      "i=1&a=user/-/state/com.google/read", "\0", "\r\n", "ot=99999999999999999999", "s=feed/",
      "Transfer-Encoding: chunked\r\n", "5\r\n", "é", "&", "=",
    ]
    for _ in 0..<2_000 {
      let connection = try home.connection()
      var text = ""
      for _ in 0..<chance.below(14) { text += words[chance.below(words.count)] }
      connection.send(text)
    }
    var answer: HTTPConnection.Answer?
    for _ in 0..<100 where answer == nil {
      answer = try home.connection().ask("/")
      if answer == nil { usleep(50_000) }
    }
    #expect(answer?.status == 200 && !home.process.hasEnded)
  }
}
