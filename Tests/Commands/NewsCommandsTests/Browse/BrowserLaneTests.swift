import Testing

@testable import CommandSupport

@Suite("the table view: what marks do not wait behind")
struct BrowserLaneTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  @Test(
    "commands that ask servers or write many files are slow, others are not",
    arguments: [
      ("save https://slow.example/", true), ("subscribe https://slow.example/", true),
      ("show 1 --full", true), ("show 1", false), ("parse https://slow.example/feed", true),
      ("parse file.xml", false), ("import https://slow.example/list.opml", true),
      ("doctor", true), ("publish site", true), ("download 1", true), ("download --clean", false),
      ("feeds set example --full", true), ("feeds set example --title Mine", false),
      ("refresh", true), ("sync", true), ("star 1", false), ("tag later 1", false),
      ("undo", false),
      ("no command", false),
    ],
  )
  func slow(_ line: String, _ isSlow: Bool) throws {
    let environment = try news.context.environment
    let words = line.split(separator: " ").map(String.init)
    #expect(environment.program.isSlow(words, environment) == isSlow)
  }
}
