import FeedStorage
import Testing

@testable import NewsCommands
@testable import System

@Suite("The rights of the process that reads")
struct ReaderAccessTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.store([Sample.story(1, "S", hours: 1)], subscriptions: [(Sample.feed, "Example")])
  }

  private func confinement(_ line: String) -> Confinement? {
    let words = line.split(separator: " ").map(String.init)
    return NewsCommand.confinement(arguments: words, environment: news.testEnvironment)
  }

  @Test(
    "each command that reads what strangers wrote has one, without a file of the reader's",
    arguments: [
      "refresh", "fetch", "fetch --due", "subscribe https://a.example/", "move Example file.xml",
      "parse file.xml", "show 1", "show 1 --full", "browse", "import file.opml", "sync",
      "sync --serve", "sync other", "download 1", "publish site", "publish site --starred",
      "publish site --url https://a.example/", "doctor", "doctor --offline",
      "save http://a.example/",
      "feeds set Example --full",
    ],
  )
  func confined(_ line: String) throws {
    let rights = try #require(confinement(line))
    #expect(rights.readable.allSatisfy { !$0.hasPrefix(news.store.home) })
  }

  @Test(
    "commands that read the home alone start none",
    arguments: ["list", "open 1", "read 1", "feeds"],
  )
  func unconfined(_ line: String) {
    #expect(confinement(line) == nil)
  }
}
