import CommandLine
import FeedFetching
import FeedModel
import TestSupport
import Testing

@testable import FeedSync

@Suite("A server that is away, slow, or sends too much costs a line")
struct ServerNetworkTests {
  private let home: CommandRun

  init() throws {
    home = try CommandRun()
    home.realFetcher = SourceFetcher()
    try home.storeSample()
  }

  private func failure(
    _ url: String,
    before deadline: ContinuousClock.Instant? = nil,
  ) throws -> [String] {
    var server = CommandRun.readerServer
    server.url = url
    guard case .failure(let error) = try home.sync(with: server, before: deadline).result else {
      return []
    }
    return [error.line]
  }

  @Test("one that never answers, until the deadline")
  func silent() throws {
    let server = try FaultyServer { _ in FaultyAnswer([.hang]) }
    #expect(
      try failure(server.url("/api/greader.php"), before: .now + .milliseconds(300))
        == ["not finished before the deadline"]
    )
  }

  @Test("one that never answers, until --deadline")
  func deadline() throws {
    let server = try FaultyServer { _ in FaultyAnswer([.hang]) }
    let url = server.url("/api/greader.php")
    let add = ["sync", "add", "rss", url, "--user", "me", "--password-command", "echo x"]
    let result = home.run(add + ["--deadline", "0.3"])
    #expect(result.status == 1)
    #expect(result.errors.contains("rss: not finished before the deadline"))
    #expect(home.run(["sync", "--deadline", "soon", "rss"]).status == 64)
  }

  @Test("one that sends without end")
  func endless() throws {
    let server = try FaultyServer { _ in
      .head(then: [.flood([UInt8](repeating: 65, count: 65_536))])
    }
    #expect(
      try failure(server.url("/api/greader.php")) == ["body is larger than 1 MiB"]
    )
  }

  @Test("one that wants to be left in peace is, by the next sync too")
  func busy() throws {
    let server = try FaultyServer { _ in
      .response(status: "429 Too Many Requests", headers: ["Retry-After: 600"], body: "")
    }
    let url = server.url("/api/greader.php")
    #expect(try failure(url) == ["server answered 429"])
    #expect(
      try failure(url) == ["the server wants to be left in peace for a while (429)"]
    )
    #expect(server.requests.count == 1)
  }

  @Test("one that is nowhere, and one that has moved")
  func gone() throws {
    let port = try freePort()
    #expect(
      try failure("http://127.0.0.1:\(port)/api/greader.php")
        == ["connection refused by 127.0.0.1"]
    )
    let server = try FaultyServer { _ in .redirect(301, to: "https://rss.example/login") }
    #expect(
      try failure(server.url(""))
        == ["redirects to https://rss.example/login, which is not followed"]
    )
    #expect(try failure("http://93.184.216.34")[0].contains("plain http"))
  }

  @Test("the interface is found below the URL that people know")
  func roots() {
    let host = "https://rss.example"
    #expect(ReaderClient.roots(of: host + "/") == [host + "/api/greader.php", host])
    for place in ["/i/", "/i/?a=normal", "/api/"] {
      #expect(ReaderClient.roots(of: host + place)[0] == host + "/api/greader.php", "\(place)")
    }
    for name in ["https://i", "https://api"] {
      #expect(ReaderClient.roots(of: name).allSatisfy { $0.hasPrefix(name) }, "\(name)")
    }
    #expect(ReaderClient.roots(of: host + "/x/greader.php") == [host + "/x/greader.php"])
    #expect(ReaderClient.roots(of: host + "/reader/api/0/") == [host, host + "/reader/api/0"])
  }
}
