import FeedModel
import Testing

@Suite("news show: the width, the raw text")
struct ShowTextTests {
  private func news() throws -> CommandRun {
    let news = try CommandRun()
    var story = Sample.story(1, "One", hours: 1)
    story.item.summary = "a summary of some words that is wrapped"
    try news.store([story], subscriptions: [])
    return news
  }

  @Test("--width lays out in so many columns")
  func width() throws {
    let output = try news()("show", "1", "--width", "20").output
    #expect(output.contains("\na summary of some\nwords that is\nwrapped\n"))
    #expect(try news()("show", "1", "--width", "19").status == 64)
    #expect(try news()("show", "1", "--width", "1001").status == 64)
  }

  @Test("--raw prints the text alone, where there is no more the summary")
  func raw() throws {
    #expect(
      try news()("show", "1", "--raw").output == "a summary of some words that is wrapped\n"
    )
    #expect(
      try news()("show", "1", "--raw", "--json").errors
        .hasPrefix("news: --raw and --json cannot be used together")
    )
    #expect(try news()("show", "1", "--raw", "--link", "1").status == 64)
  }
}
