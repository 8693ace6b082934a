internal import System

struct JSONBenchmark {
  let bytes: Int

  func contest() -> Contest {
    var workload = Workload(seed: 1)
    let document = workload.jsonFeed(bytes: bytes)
    let markup = workload.rss(bytes: bytes)
    return Contest(
      name: "parse JSON Feed, \(document.count / 1_000_000) MB",
      contenders: [
        Contender(name: "Foundation's JSONDecoder") {
          _ = try JSONDecoder().decode(FoundationFeed.self, from: Data(document))
        },
        Contender(name: "libxml2 alone, as many bytes of RSS") { BareParser.parse(markup) },
        Contender(name: "news") { _ = try ParsingBenchmark.parse(document) },
      ],
    )
  }
}

private struct FoundationFeed: Decodable {
  struct Entry: Decodable {
    struct Author: Decodable {
      let name: String
    }

    enum CodingKeys: String, CodingKey {
      case id
      case url
      case title
      case content = "content_html"
      case published = "date_published"
      case authors
      case tags
    }

    let id: String
    let url: String
    let title: String
    let content: String
    let published: String
    let authors: [Author]
    let tags: [String]
  }

  let title: String
  let items: [Entry]
}
