import FeedFetching
import FeedModel
import TestSupport
import Testing

@Suite("A feed's own proxy and certificates")
struct FeedRouteTests {
  private func request(_ url: String, _ change: (inout FeedRoute) -> Void) -> FetchRequest {
    var request = FetchRequest(url: url)
    change(&request.route)
    return request
  }

  @Test("its proxy is asked in place of the usual one, and 'none' asks the server itself")
  func proxy() throws {
    let own = try FaultyServer { _ in .response(body: smallFeed) }
    let usual = try FaultyServer { _ in .response(body: smallFeed) }
    let options = FetchOptions.quick.with { $0.proxies = ProxySettings(usual.url("")) }
    let feed = request("http://feeds.example/feed") { $0.proxy = own.url("") }
    #expect(fetch([feed], options: options)[0].body == smallFeed)
    #expect(own.requests.map(\.target) == ["http://feeds.example/feed"])
    let direct = request(own.url("/direct")) { $0.proxy = FeedRoute.noProxy }
    #expect(fetch([direct], options: options)[0].body == smallFeed)
    #expect(own.requests.map(\.target).last == "/direct")
    #expect(usual.requests.isEmpty)
  }

  @Test("the password of its proxy comes from ~/.netrc, and goes to the proxy alone")
  func proxyPassword() throws {
    let folder = try TemporaryFolder()
    let netrc = try folder.write("machine 127.0.0.1 login ann password a:b@c\n", to: "netrc")
    let proxy = try FaultyServer { request in
      request.header("proxy-authorization") == nil
        ? .response(status: "407 X", headers: ["Proxy-Authenticate: Basic realm=\"x\""], body: "")
        : .response(body: smallFeed)
    }
    let options = FetchOptions.quick.with { $0.netrc = netrc }
    let feed = request("http://feeds.example/feed") { $0.proxy = proxy.url("") }
    #expect(fetch([feed], options: options)[0].body == smallFeed)
    let sent = try #require(proxy.requests.last)
    #expect(sent.header("proxy-authorization") == "Basic YW5uOmE6YkBj")
    #expect(sent.header("authorization") == nil)
  }

  /// A SOCKS proxy that prints what it is asked for, and leads all to one port.
  private static let socks = """
    import socket, sys, threading
    listener = socket.create_server(('127.0.0.1', 0))
    print(listener.getsockname()[1], flush=True)
    def copy(one, other):
      while data := one.recv(65536): other.sendall(data)
      other.shutdown(socket.SHUT_WR)
    def answer(peer):
      peer.recv(256)
      peer.sendall(b'\\x05\\x00')
      request = peer.recv(262)
      print(request[3], request[5:-2].decode(), flush=True)
      peer.sendall(b'\\x05\\x00\\x00\\x01' + bytes(6))
      server = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
      threading.Thread(target=copy, args=(peer, server), daemon=True).start()
      copy(server, peer)
    while True:
      threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()
    """

  @Test("by socks5h the name is the proxy's to look up; a feed of the internet gets no local one")
  func socks() throws {
    let server = try FaultyServer { _ in .response(body: smallFeed) }
    let proxy = try Subprocess(["python3", "-c", Self.socks, "\(server.port)"])
    let url = "socks5h://127.0.0.1:\(try proxy.readLine())"
    let feed = request("http://abcdef.onion/feed") { $0.proxy = url }
    #expect(fetch([feed], options: .quick)[0].body == smallFeed)
    #expect(try proxy.readLine() == "3 abcdef.onion")
    var inside = request("http://localhost/feed") { $0.proxy = url }
    inside.trust = .internet
    #expect(fetch([inside], options: .quick)[0].outcome.error == .privateNetwork)
  }

  @Test("its certificates are trusted and shown, to its own site alone")
  func certificates() throws {
    let (server, reader) = (try TestAuthority(), try TestAuthority())
    let nginx = try Nginx(
      certificate: try server.certificate(for: "localhost"),
      tls: "ssl_verify_client on; ssl_client_certificate \(reader.certificate.path);",
    )
    try nginx.serve(smallFeed, as: "feed.xml")
    let own = try reader.certificate(for: "reader")
    let url = nginx.secureURL("/feed.xml")
    let feed = request(url) {
      ($0.authorities, $0.certificate, $0.key) =
        (server.certificate.path, own.path, own.keyPath)
    }
    #expect(fetch([feed], options: .quick)[0].body == smallFeed)
    let nameless = request(url) { $0.authorities = server.certificate.path }
    #expect(fetch([nameless], options: .quick)[0].outcome.error == .status(400))
    let untrusting = fetch([request(url) { $0.certificate = own.path }], options: .quick)[0]
    #expect(untrusting.body != smallFeed)
    var elsewhere = feed
    elsewhere.forgetSecrets()
    #expect(fetch([elsewhere], options: .quick)[0].outcome.error == .tls(.unknownAuthority))
  }

  @Test("files that are gone, and those of no use, are the feed's failure in one line")
  func unusable() throws {
    let folder = try TemporaryFolder()
    let gone = request("https://localhost:1/") { $0.authorities = folder.path("gone.pem") }
    let words = "its own certificates (--ca, --certificate, --key) cannot be "
    #expect(fetch([gone], options: .quick)[0].words == words + "read: no such file")
    let empty = try folder.write("nothing\n", to: "empty.pem")
    let useless = request("https://localhost:1/") { $0.certificate = empty }
    #expect(fetch([useless], options: .quick)[0].body != smallFeed)
  }
}
