import TestSupport
import Testing

@Suite("A file that the process that reads has in hand, with the built program")
struct BodyInHandTests {
  private let news: News
  private let path: String

  init() throws {
    news = try News()
    path = news.folder.path("feed")
    try #require(mkfifo(path, 0o600) == 0)
    _ = try news.run("subscribe", "--no-check", path)
  }

  private static func children(of process: Int32) -> [Int32] {
    let text = try? readText("/proc/\(process)/task/\(process)/children")
    return (text ?? "").split(separator: " ").compactMap { Int32($0) }
  }

  private func start() throws -> (run: Subprocess, reader: Int32) {
    let run = try Subprocess(
      [news.program, "refresh"],
      environment: ["NEWS_HOME": news.home, "HOME": news.folder.path, "TZ": "UTC"],
    )
    var reader: Int32?
    waitUntil {
      reader = Self.children(of: run.pid).first.flatMap { Self.children(of: $0).first }
      return reader != nil
    }
    let found = try #require(reader)
    kill(found, SIGSTOP)
    // The pipe opens once the run reads it; the feed is whole when the pipe is closed.
    let story = "<item><title>Story</title></item>"
    try writeFile(path, "<rss version=\"2.0\"><channel>\(story)</channel></rss>".utf8)
    return (run, found)
  }

  @Test("a run that is interrupted ends", arguments: [SIGINT, SIGTERM])
  func interrupted(_ signal: Int32) throws {
    let (run, _) = try start()
    run.send(signal)
    let result = try run.wait()
    #expect(result.status != 0 && result.errorText.contains("interrupted"), "\(result.errorText)")
    #expect(try news.titles() == [])
  }

  @Test("where that process dies it is read by another")
  func killed() throws {
    let (run, reader) = try start()
    kill(reader, SIGKILL)
    let result = try run.wait()
    #expect(result.status == 0, "\(result.errorText)")
    #expect(try news.titles() == ["Story"])
  }
}
