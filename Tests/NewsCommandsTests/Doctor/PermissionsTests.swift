import FeedModel
import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import NewsCommands
@testable import System

@Suite("What commands keep of their rights")
struct PermissionsTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.store([Sample.story(1, "S", hours: 1)], subscriptions: [(Sample.feed, "Example")])
  }

  /// What a command gives its other rights away for, and how often it does.
  private func confinements(of words: [String]) -> [Confinement] {
    let all = Mutex<[Confinement]>([])
    var environment = news.testEnvironment
    environment.confine = { confinement, _, _ in
      all.withLock { $0.append(confinement) }
      return nil
    }
    NewsCommand.confine(arguments: words, environment: environment)
    return all.withLock { $0 }
  }

  @Test(
    "each that reads what strangers wrote gives the others away, whatever its options",
    arguments: [
      "refresh", "fetch", "fetch --due", "subscribe https://a.example/", "move Example file.xml",
      "parse file.xml", "show 1", "show 1 --full", "browse", "import file.opml", "sync",
      "sync --serve", "sync other", "download 1", "publish site", "publish site --starred",
      "publish site --url https://a.example/", "doctor", "doctor --offline",
    ],
  )
  func confined(_ line: String) {
    #expect(confinements(of: line.split(separator: " ").map(String.init)).count == 1)
  }

  @Test("publish writes to the home and to the site alone, with an address and without")
  func published() throws {
    let site = news.folder.path("site")
    for words in [[], ["--url", "https://a.example/"]] {
      let confinement = try #require(confinements(of: ["publish", "site"] + words).first)
      #expect(Set(confinement.writable) == [news.store.home, site])
    }
    #expect(confinements(of: ["publish", "none", "--url", "x"]).isEmpty)
    #expect(FileStatus(at: news.folder.path("none")) == nil)
  }
}
