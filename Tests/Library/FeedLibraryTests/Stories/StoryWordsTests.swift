import FeedModel
import Testing

@testable import FeedLibrary

/// The rule is pinned: a change gives stories of every user other words, or makes two of one.
@Suite("StoryWords")
struct StoryWordsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    var feed = "https://planet.example/feed"
    /// The page on which the feed was found.
    var page: String?
    var holders = ["https://other.example/feed"]
    var holderPage: String?
    var link = "https://good.example/9"
    var guid: String?
    var titles = ["Nine", "Nine"]
    var texts: [String?] = [nil, nil]
    let verdict: StoryWords.Verdict

    var testDescription: String { name }
  }

  private static let long =
    "The text has more than sixty letters, so its beginning alone is compared, no more"

  private static let own = [
    Case(name: "the site's own feed", feed: "https://good.example/feed", verdict: .own),
    Case(name: "other words", feed: "https://good.example/f", titles: ["A", "B"], verdict: .own),
    Case(name: "www of the feed", feed: "https://www.good.example/feed", verdict: .own),
    Case(
      name: "www of the link",
      feed: "http://good.example/feed",
      link: "https://www.good.example/9",
      verdict: .own,
    ),
    Case(name: "a host below", feed: "https://feeds.good.example/feed", verdict: .own),
    Case(
      name: "a host above",
      feed: "https://good.example/feed",
      link: "https://blog.good.example/9",
      verdict: .own,
    ),
    Case(name: "a user's feed", feed: "https://me:secret@good.example/feed", verdict: .own),
    Case(
      name: "found on the site",
      feed: "https://burner.example/good",
      page: "good.example",
      verdict: .own,
    ),
    Case(
      name: "a guid that is the link",
      feed: "https://good.example/feed",
      link: "",
      guid: "https://good.example/9",
      verdict: .own,
    ),
    Case(
      name: "a port",
      feed: "http://good.example:8080/feed",
      link: "http://good.example:8080/9",
      verdict: .own,
    ),
  ]

  private static let shared = [
    Case(
      name: "the own feed has it",
      holders: ["https://good.example/feed"],
      titles: ["A", "B"],
      verdict: .shared,
    ),
    Case(
      name: "the own feed has it, too",
      holders: ["https://other.example/feed", "https://good.example/feed"],
      titles: ["A", "B"],
      verdict: .shared,
    ),
    Case(
      name: "two own feeds",
      feed: "https://good.example/atom",
      holders: ["https://good.example/rss"],
      titles: ["A", "B"],
      verdict: .shared,
    ),
    Case(
      name: "a feed found there has it",
      holderPage: "good.example",
      titles: ["A", "B"],
      verdict: .shared,
    ),
    Case(name: "a saved page", holders: ["saved:"], titles: ["A", "B"], verdict: .shared),
    Case(name: "nobody's, equal", verdict: .shared),
    Case(name: "nobody's, case and signs", titles: ["Nine!", "NINE"], verdict: .shared),
    Case(
      name: "nobody's, one beginning",
      texts: [long + " here.", long + "… more"],
      verdict: .shared,
    ),
    Case(
      name: "no link at all",
      link: "",
      guid: "9",
      verdict: .shared,
    ),
  ]

  private static let separate = [
    Case(name: "other titles", titles: ["Nine", "Ten"], verdict: .separate),
    Case(name: "other texts", texts: ["One", "Another"], verdict: .separate),
    Case(name: "a text that one lacks", texts: [nil, long], verdict: .separate),
    Case(name: "a text cut short", texts: ["The text has", long], verdict: .separate),
    Case(
      name: "another host below the same",
      feed: "https://evil.github.io/feed",
      link: "https://good.github.io/9",
      titles: ["A", "B"],
      verdict: .separate,
    ),
    Case(
      name: "a host that ends alike",
      feed: "https://notgood.example/feed",
      titles: ["A", "B"],
      verdict: .separate,
    ),
    Case(
      name: "another port",
      feed: "http://good.example:81/feed",
      titles: ["A", "B"],
      verdict: .separate,
    ),
    Case(
      name: "a host as user name",
      feed: "https://good.example@evil.example/feed",
      titles: ["A", "B"],
      verdict: .separate,
    ),
    Case(
      name: "a file",
      feed: "file:///good.example/feed",
      titles: ["A", "B"],
      verdict: .separate,
    ),
    Case(
      name: "a command",
      feed: "exec:https://good.example/feed",
      titles: ["A", "B"],
      verdict: .separate,
    ),
    Case(
      name: "a guid that is no link",
      feed: "https://good.example/feed",
      link: "",
      guid: "good-9",
      titles: ["A", "B"],
      verdict: .separate,
    ),
  ]

  @Test(
    "whose words a story has follows from URLs, found pages, links, titles and texts alone",
    arguments: own + shared + separate,
  )
  func verdicts(_ example: Case) {
    func subscription(_ url: String, _ page: String?) -> Subscription {
      var feed = Subscription(url: url)
      feed.state.site = page
      return feed
    }
    let words = StoryWords(
      example.holders.map { subscription($0, example.holderPage) }
        + [subscription(example.feed, example.page)]
    )
    let items = zip(example.titles, example.texts).map { title, text in
      var item = Item(title: title, link: example.link, guid: example.guid, summary: text)
      item.guidIsPermaLink = example.guid?.hasPrefix("http") == true
      return item
    }
    let other = StoredItem(id: "", item: items[1], feeds: example.holders, stored: nil)
    #expect(
      words.verdict(on: items[0], of: example.feed, beside: other.item, of: other.feeds)
        == example.verdict
    )
  }

  @Test("a feed writes where it is the own one, or alone, or says what the others say")
  func writers() {
    let (good, planet, other) = (
      "https://good.example/f", "https://p.example/f", "https://o.example/f",
    )
    let words = StoryWords()
    func mayWrite(_ title: String, of feed: String, _ feeds: [String]) -> Bool {
      let stored = Item(title: "Nine", link: "https://good.example/9")
      let story = StoredItem(id: "", item: stored, feeds: feeds, stored: nil)
      return words.mayWrite(Item(title: title), of: feed, over: story)
    }
    #expect(mayWrite("Ten", of: planet, [planet]))
    #expect(mayWrite("Ten", of: good, [planet, good]))
    #expect(!mayWrite("Nine", of: planet, [planet, good]))
    #expect(mayWrite("NINE", of: planet, [planet, other]))
    #expect(!mayWrite("Ten", of: planet, [planet, other]))
    #expect(!mayWrite("NINE", of: other, [planet, other]))
    let (rss, atom) = ("https://good.example/rss", "https://good.example/atom")
    #expect(mayWrite("Ten", of: rss, [rss, atom]) && !mayWrite("Ten", of: atom, [rss, atom]))
  }
}
