import FeedFetching
import FeedModel
import TestSupport
import Testing

@Suite("TLS is verified, and failures say which kind")
struct SecureFetchingTests {
  struct Site {
    let authority: TestAuthority
    let nginx: Nginx
    let options: FetchOptions

    init(
      _ certificate: (TestAuthority) throws -> TestAuthority.Certificate = {
        try $0.certificate(for: "localhost")
      },
      tls: String = "",
      trusts: Bool = true,
    ) throws {
      let authority = try TestAuthority()
      self.authority = authority
      nginx = try Nginx(certificate: try certificate(authority), tls: tls)
      try nginx.serve(smallFeed, as: "feed.xml")
      options = FetchOptions.quick.with { options in
        if trusts { options.certificateAuthorities = authority.certificate.path }
      }
    }

    func fetchFeed() throws -> Fetched {
      try fetch(nginx.secureURL("/feed.xml"), options: options)
    }
  }

  @Test("a good certificate is accepted, over HTTP/2")
  func good() throws {
    let site = try Site()
    #expect(try site.fetchFeed().body == smallFeed)
    #expect(try site.nginx.stopAndReadLog().map(\.protocolName) == ["HTTP/2.0"])
  }

  /// A server that breaks off HTTP/2 by one frame, and answers HTTP/1.1.
  ///
  /// It prints its port, and a line for each connection.
  private static let breaker = """
    import socket, ssl, sys, threading
    def frame(kind, payload, stream=0):
      size = len(payload).to_bytes(3, 'big')
      return size + bytes([kind, 0]) + stream.to_bytes(4, 'big') + payload
    code = (1).to_bytes(4, 'big')
    parts = {'goaway': frame(7, bytes(4) + code), 'reset': frame(3, code, 1)}
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(['h2', 'http/1.1'])
    listener = socket.create_server(('127.0.0.1', 0))
    print(listener.getsockname()[1], flush=True)
    def answer(peer):
      name = peer.selected_alpn_protocol()
      peer.recv(65536)
      print(name, flush=True)
      if name == 'h2':
        peer.sendall(frame(4, b''))
        peer.recv(65536)
        peer.sendall(parts[sys.argv[3]])
        while peer.recv(65536): pass
      else:
        body = sys.argv[4].encode()
        head = 'HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n' % len(body)
        peer.sendall(head.encode() + body)
        while peer.recv(65536): pass
    while True:
      peer = context.wrap_socket(listener.accept()[0], server_side=True)
      threading.Thread(target=answer, args=(peer,), daemon=True).start()
    """

  @Test("what breaks off HTTP/2 is asked once more by HTTP/1.1", arguments: ["goaway", "reset"])
  func brokenHTTP2(_ way: String) throws {
    let authority = try TestAuthority()
    let certificate = try authority.certificate(for: "localhost")
    let server = try Subprocess(
      ["python3", "-c", Self.breaker, certificate.path, certificate.keyPath, way, smallFeed]
    )
    let url = "https://localhost:\(try server.readLine())/feed"
    let options = FetchOptions.quick.with {
      $0.certificateAuthorities = authority.certificate.path
    }
    let found = try fetch(url, options: options)
    #expect(found.body == smallFeed && found.response?.concessions == .http1, "\(found.words)")
    #expect(try [server.readLine(), server.readLine()] == ["h2", "http/1.1"])
    var request = FetchRequest(url: url)
    request.concessions = .http1
    #expect(fetch([request], options: options)[0].body == smallFeed)
    #expect(try server.readLine() == "http/1.1")
  }

  @Test("HTTP/1.1 alone is spoken where it is wanted, also where a connection speaks HTTP/2")
  func http1() throws {
    let site = try Site()
    let requests = (0..<6).map { number in
      var request = FetchRequest(url: site.nginx.secureURL("/feed.xml?\(number)"))
      request.isHTTP1 = number % 2 == 1
      return request
    }
    let options = site.options.with { ($0.workers, $0.maximumTransfers) = (1, 1) }
    #expect(fetch(requests, options: options).allSatisfy { $0.body == smallFeed })
    let log = try site.nginx.stopAndReadLog()
    let (odd, even) = (["1", "3", "5"], ["0", "2", "4"])
    let names = { (numbers: [String]) in
      log.filter { entry in numbers.contains { entry.target.hasSuffix("?" + $0) } }.map(
        \.protocolName
      )
    }
    #expect(names(odd) == ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1"])
    #expect(names(even).contains("HTTP/2.0"))
  }

  @Test("feeds of one host share connections")
  func multiplexed() throws {
    let site = try Site()
    let requests = (0..<40).map { FetchRequest(url: site.nginx.secureURL("/feed.xml?\($0)")) }
    let fetched = fetch(requests, options: site.options.with { $0.workers = 2 })
    #expect(fetched.map(\.words) == Array(repeating: "content", count: 40))
    let log = try site.nginx.stopAndReadLog()
    #expect(log.count == 40)
    #expect(Set(log.map(\.connection)).count <= 2)
  }

  @Test("an expired certificate is told")
  func expired() throws {
    let site = try Site({ try $0.certificate(for: "localhost", days: -1) })
    let words = try site.fetchFeed().words
    #expect(words == "certificate has expired")
  }

  @Test("a certificate for another host is told")
  func wrongHost() throws {
    let site = try Site({ try $0.certificate(for: "example.org") })
    let words = try site.fetchFeed().words
    #expect(words == "certificate is for another host")
  }

  @Test("a self-signed certificate is told")
  func selfSigned() throws {
    let site = try Site({ try $0.selfSigned(for: "localhost") })
    let words = try site.fetchFeed().words
    #expect(words == "certificate is self-signed")
  }

  @Test("an unknown authority is told")
  func unknownAuthority() throws {
    let site = try Site(trusts: false)
    let words = try site.fetchFeed().words
    #expect(words == "certificate is from an unknown authority")
  }

  @Test("old versions of TLS are refused")
  func oldVersion() throws {
    let tls = "ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;"
    let site = try Site(tls: tls)
    let words = try site.fetchFeed().words
    #expect(words == "no secure connection: the TLS handshake failed")
  }

  @Test("a missing file of authorities is told")
  func missingAuthorities() throws {
    let site = try Site()
    let options = site.options.with { $0.certificateAuthorities = "/nowhere/ca.pem" }
    let fetched = try fetch(site.nginx.secureURL("/feed.xml"), options: options)
    #expect(fetched.words == "the file of trusted authorities cannot be read; " + TLSFailure.advice)
  }

  @Test("a server without TLS is told")
  func plain() throws {
    let nginx = try Nginx()
    let url = "https://127.0.0.1:\(nginx.port)/feed.xml"
    #expect(try fetch(url).words == "no secure connection: the TLS handshake failed")
  }

  @Test("a handshake that never ends is ended")
  func silentHandshake() throws {
    let nginx = try Nginx()
    // A proxy that accepts a tunnel and then says nothing stands in for a slow TLS server.
    let silent = try FaultyServer { _ in
      .raw("HTTP/1.1 200 Connected\r\n\r\n", then: [.hang])
    }
    let options = FetchOptions.quick.with { options in
      options.proxies = ProxySettings("http://127.0.0.1:\(silent.port)")
      options.connectTimeout = .milliseconds(300)
    }
    let fetched = try fetch("https://localhost:\(nginx.port)/feed.xml", options: options)
    #expect(fetched.words == "timed out after 0.3 s while connecting to localhost")
  }

  @Test("a server's wish to be asked by https only (HSTS) is left alone")
  func strictTransport() throws {
    let site = try Site(tls: "add_header Strict-Transport-Security max-age=31536000;")
    let plain = "http://localhost:\(site.nginx.port)/feed.xml"
    let urls = [site.nginx.secureURL("/feed.xml"), plain]
    let options = site.options.with { $0.maximumTransfers = 1 }
    for url in urls + [plain] {
      #expect(try fetch(url, options: options).words == "content")
    }
    let fetched = fetch(urls.map { FetchRequest(url: $0) }, options: options)
    #expect(fetched.map(\.words) == ["content", "content"])
    #expect(fetched.last?.response?.url == plain)
  }

  @Test("a server that goes without a goodbye leaves what came, and its end in doubt")
  func noGoodbye() throws {
    let authority = try TestAuthority()
    let folder = try TemporaryFolder()
    let certificate = try authority.certificate(for: "localhost")
    let answer = try folder.write("HTTP/1.1 200 OK\r\n\r\n<rss>cut", to: "answer")
    let serve = """
      tail -f "$0" | openssl s_server -accept 127.0.0.1:0 -cert "$1" -key "$2" 2>&1 &
      echo "PID $!"; wait
      """
    let shell = try Subprocess(
      ["/bin/sh", "-c", serve, answer, certificate.path, certificate.keyPath]
    )
    var (server, port) = (Int32(0), "")
    while server == 0 || port.isEmpty {
      let line = try shell.readLine()
      if line.hasPrefix("PID ") { server = try #require(Int32(line.dropFirst(4))) }
      if line.hasPrefix("ACCEPT ") { port = String(line.split(separator: ":").last ?? "") }
    }
    let killed = server
    defer { kill(killed, SIGKILL) }
    let fetched = try fetch(
      "https://localhost:\(port)/",
      options: .quick.with { $0.certificateAuthorities = authority.certificate.path },
      // Once the body has begun, nobody is left who could say that it is complete.
      receiver: { RecordingReceiver(onBegin: { kill(killed, SIGKILL) }) },
    )
    #expect(["content", "the connection ended in the middle of the body"].contains(fetched.words))
    #expect(fetched.body == "<rss>cut")
  }

  @Test("http may lead to https, https never to http")
  func downgrade() throws {
    let authority = try TestAuthority()
    let plain = try FaultyServer(["/feed": .response(body: smallFeed)])
    let nginx = try Nginx(
      site: "location = /down { return 301 \(plain.url("/feed")); }",
      certificate: try authority.certificate(for: "localhost"),
    )
    try nginx.serve(smallFeed, as: "feed.xml")
    let upgrade = try FaultyServer(["/up": .redirect(301, to: nginx.secureURL("/feed.xml"))])
    let options = FetchOptions.quick.with {
      $0.certificateAuthorities = authority.certificate.path
    }
    let up = try fetch(upgrade.url("/up"), options: options)
    #expect(up.body == smallFeed)
    #expect(up.response?.permanentURL == nginx.secureURL("/feed.xml"))
    let down = try fetch(nginx.secureURL("/down"), options: options)
    #expect(down.words == "redirects from https to http, which is not followed")
    #expect(plain.requests.isEmpty)
  }
}
