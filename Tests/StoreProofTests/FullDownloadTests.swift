import TestSupport
import Testing

@Suite("An episode download onto a small disk")
struct FullDownloadTests {
  private let folder: TemporaryFolder
  private let server: FaultyServer
  private let news: String
  private static let bytes = (0..<12 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

  private var disk: String { folder.path("disk") }

  /// Starts a server of one episode, which tells its size if `known`.
  init() throws {
    folder = try TemporaryFolder()
    news = try BuiltProduct.path("news")
    server = try FaultyServer { request in
      guard request.path != "/feed" else { return .response(body: Self.feed(request)) }
      let isKnown = request.path == "/known.mp3"
      let start = request.header("Range").flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
      var headers = ["Content-Type: audio/mpeg", "ETag: \"one\""]
      if isKnown { headers.append("Content-Length: \(Self.bytes.count - start)") }
      if start > 0 {
        headers.append("Content-Range: bytes \(start)-\(Self.bytes.count - 1)/\(Self.bytes.count)")
      }
      let status = start > 0 ? "206 Partial Content" : "200 OK"
      let head = "HTTP/1.1 \(status)\r\n\(headers.joined(separator: "\r\n"))\r\n\r\n"
      return .raw(head, then: [.send(Array(Self.bytes[start...]))])
    }
  }

  private static func feed(_ request: FaultyRequest) -> String {
    let items = [("known", 28), ("unknown", 27)].map { name, day in
      """
      <item><title>Talk</title><guid>\(name)</guid>
      <pubDate>\(day) Oct 2026 10:00:00 GMT</pubDate>
      <enclosure url="http://\(request.header("Host") ?? "")/\(name).mp3" type="audio/mpeg"/></item>
      """
    }
    return "<rss version=\"2.0\"><channel><title>Talks</title>\(items.joined())</channel></rss>"
  }

  private func run(_ words: String...) throws -> Subprocess.Result {
    let home = folder.path("home")
    let variables = ["HOME": folder.path, "no_proxy": "*"]
    return try Subprocess.run([news, "--home", home] + words, environment: variables)
  }

  private func free() -> Int {
    var facts = statvfs()
    guard statvfs(disk, &facts) == 0 else { return 0 }
    return Int(facts.f_bavail) * Int(facts.f_frsize)
  }

  private func size(_ name: String) -> Int { (try? readFile(name).count) ?? 0 }

  @Test(
    "leaves a twentieth of it free, keeps what has come, and goes on when there is room",
    .enabled(if: MountedFileSystem.isAllowed, "mounting a small disk needs root"),
    arguments: [("1", "2026-10-28 Talk.mp3"), ("2", "2026-10-27 Talk.mp3")],
  )
  func reserve(_ story: String, _ name: String) throws {
    let (isKnown, part) = (story == "1", "\(disk)/saved/\(name).part")
    let mount = try MountedFileSystem(["-t", "tmpfs", "-o", "size=12m", "tmpfs"], at: disk)
    #expect(try run("subscribe", server.url("/feed")).status == 0)
    #expect(try run("list").text.contains("Talk"))
    let refused = try run("download", story, "--to", "\(disk)/saved")
    #expect(refused.status == 1)
    let reserve = (12 << 20) / 20
    #expect(refused.errorText.contains("and \(reserve) stay free"), "\(refused.errorText)")
    #expect(refused.errorText.split(separator: "\n").count == 1)
    #expect(free() >= reserve)
    if isKnown {
      #expect(refused.errorText.contains(" \(Self.bytes.count) bytes are wanted in \(disk)/saved"))
      #expect(try namesInFolder("\(disk)/saved") == [".news-downloads.plist"])
    } else {
      #expect(refused.errorText.contains("are kept, the next download goes on"))
      #expect(size(part) > 8 << 20)
    }

    // No server is asked while there is no room, and nothing that is stored goes.
    let (kept, asked) = (size(part), server.requests.count)
    try writeFile("\(disk)/filler", [UInt8](repeating: 1, count: free() - reserve + 4_096))
    let full = try run("download", story, "--to", "\(disk)/saved")
    #expect(full.errorText.contains("nothing more is"))
    #expect(size(part) == kept && server.requests.count == asked)
    try removeFile("\(disk)/filler")

    try Shell.run("mount -o remount,size=32m \"$0\"", [disk])
    #expect(try run("download", story, "--to", "\(disk)/saved").status == 0)
    #expect(try readFile("\(disk)/saved/\(name)") == Self.bytes)
    if kept > 0 {
      #expect(server.requests.last?.header("Range") == "bytes=\(kept)-")
    }
    try mount.unmount()
  }
}
