import TestSupport
import Testing

@Suite("An episode from a real server")
struct RealDownloadTests {
  private let news: News
  private let nginx: Nginx
  private let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 9) }
  private static let name = "2026-10-28 Talk.mp3"

  /// A server that takes a minute for an episode until `makeFast`.
  init() throws {
    news = try News()
    try news.folder.write("limit_rate 200k;", to: "speed.conf")
    nginx = try Nginx(site: "include \(news.folder.path)/speed.conf;")
    try write(bytes)
    let feed = """
      <rss version="2.0"><channel><title>Talks</title><item><title>Talk</title>
      <pubDate>Wed, 28 Oct 2026 10:00:00 GMT</pubDate>
      <enclosure url="\(nginx.url("/a.mp3"))" type="audio/mpeg"/></item></channel></rss>
      """
    try nginx.serve(feed, as: "feed.xml")
    #expect(try news.run("subscribe", nginx.url("/feed.xml")).status == 0)
  }

  private var part: String { news.folder.path("saved/\(Self.name).part") }

  private func write(_ bytes: [UInt8]) throws {
    try news.folder.write(bytes, to: "new")
    try moveFile(news.folder.path("new"), to: nginx.folder.path("www/a.mp3"))
  }

  private func begin() throws -> Subprocess {
    let run = try news.start("download", "1", "--to", news.folder.path("saved"))
    while size(of: part) < 65_536, !run.hasEnded { usleep(2_000) }
    return run
  }

  private func goOn() throws -> [UInt8] {
    try nginx.stop()
    try news.folder.write("", to: "speed.conf")
    try nginx.restart()
    let result = try news.run("download", "1", "--to", news.folder.path("saved"))
    #expect(result.text == news.folder.path("saved/\(Self.name)") + "\n")
    return try readFile(news.folder.path("saved/\(Self.name)"))
  }

  private func episodes() throws -> [Nginx.LogLine] {
    try nginx.stopAndReadLog().filter { $0.target == "/a.mp3" }
  }

  @Test("is gone on with after the process was killed", arguments: [SIGKILL, SIGINT, SIGTERM])
  func killed(_ signal: Int32) throws {
    let run = try begin()
    run.send(signal)
    let result = try run.wait()
    #expect(result.status == 128 + signal && result.text.isEmpty)
    #expect(try news.run("list", "--grep", "is:downloaded").text.isEmpty)
    _ = try news.run("list")
    let kept = size(of: part)
    #expect(try goOn() == bytes)
    let log = try episodes()
    #expect(log.map(\.status) == [200, 206])
    #expect(log.last?.bytes == bytes.count - kept)
  }

  @Test("is begun anew where the server has another file meanwhile")
  func changed() throws {
    let run = try begin()
    run.send(SIGKILL)
    _ = try run.wait()
    let other = Array(bytes.reversed().dropLast(1000))
    try write(other)
    #expect(try goOn() == other)
    #expect(try episodes().map(\.status) == [200, 200])
  }

  @Test("goes on when the server is stopped in the middle and comes back")
  func stopped() throws {
    let run = try begin()
    try nginx.stop()
    #expect(try run.wait().status == 1)
    #expect(try goOn() == bytes)
  }

  @Test("shows on a terminal how far it is, and leaves no line behind")
  func progress() throws {
    let terminal = try news.terminal(["download", "1", "--to", news.folder.path("saved")])
    try terminal.wait(for: " left")
    #expect(terminal.screen.contains("0 of 1 file, ") && terminal.screen.contains(" of 3.0 MB, "))
    terminal.type("\u{3}")
    try terminal.wait(for: "\r\u{1b}[Knews: Talk: stopped; ")
    #expect(terminal.end() == 130)
  }
}

private func size(of path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
