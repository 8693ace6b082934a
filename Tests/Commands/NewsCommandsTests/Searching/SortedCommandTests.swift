import TestSupport
import Testing

@Suite("sort: in commands that are no lists")
struct SortedCommandTests {
  private func home() throws -> CommandRun {
    let news = try CommandRun()
    let titles = ["Bravo", "Charlie", "Alpha"]
    let stories = titles.enumerated().map { Sample.story($0 + 1, $1, hours: $0 + 1) }
    try news.store(stories, subscriptions: [(Sample.feed, "Example")])
    return news
  }

  private func titles(in text: String) -> [String] {
    text.split { !$0.isLetter }.map(String.init).reduce(into: []) { titles, word in
      if ["Alpha", "Bravo", "Charlie"].contains(word), !titles.contains(word) {
        titles.append(word)
      }
    }
  }

  private static let orders: [(String, [String])] = [
    ("sort:title", ["Alpha", "Bravo", "Charlie"]), ("-sort:title", ["Charlie", "Bravo", "Alpha"]),
    ("-sort:date", ["Alpha", "Charlie", "Bravo"]), ("sort:date", ["Bravo", "Charlie", "Alpha"]),
  ]

  @Test("export has its stories in that order; a list of feeds has none", arguments: orders)
  func export(_ search: String, _ order: [String]) throws {
    let news = try home()
    #expect(titles(in: news("export", "--json", "--grep", search).output) == order)
    let refused = news("export", "--grep", search)
    #expect(refused.status == 64 && refused.errors.contains("--grep chooses stories"))
  }

  @Test("publish has it within a day, and takes the first in it", arguments: orders)
  func publish(_ search: String, _ order: [String]) throws {
    let news = try home()
    let site = news.folder.path("site")
    #expect(news("publish", site, "--grep", search).status == 0)
    #expect(titles(in: try readText(site + "/day/2026-11-01.html")) == order)
    #expect(news("publish", site, "--grep", search, "-n", "1").status == 0)
    #expect(titles(in: try readText(site + "/day/2026-11-01.html")) == [order[0]])
  }

  @Test("download goes by it, and --latest, which is the newest, takes no other")
  func download() throws {
    let home = try EpisodeHome()
    for number in 1...3 { home.answer("/\(number).mp3") { EpisodeHome.serve($0) } }
    home.follow((1...3).map { ("/\($0).mp3", nil) })
    let result = home.download("--grep", "-sort:title", "--json")
    let places = (1...3).map { result.output.split(separator: "Talk \($0).mp3")[0].count }
    #expect(places == places.sorted(by: >))
    let refused = home.download("--grep", "sort:title", "--latest", "1")
    #expect(refused.status == 64)
    #expect(refused.errors.hasPrefix("news: --latest is about the newest: it takes no sort:"))
    #expect(home.download("--grep", "sort:date", "--latest", "1").status == 0)
  }
}
