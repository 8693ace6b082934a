import PropertyLists
import Testing

@testable import FeedStorage

@Suite("A table of a dictionary's keys")
struct PropertyListTableTests {
  struct Feed: Hashable, Sendable {
    var url = ""
    var title: String?
    var tags: [String] = []
    var isGone = false
    var state = State()
    var rules: [String]?
  }

  struct State: Hashable, Sendable {
    var error: String?
  }

  private let table = PropertyListTable(
    Feed(),
    [
      .version { _ in 2 }, .former("name"),
      .init("url", { $1(&$0.url) }, required: .string), .init("title", { $1(&$0.title) }, .string),
      .init("tags", { $1(&$0.tags) }, .strings),
      .init("gone", { $1(&$0.isGone) }, always: .boolean),
      .init(
        "state",
        { $1(&$0.state) },
        in: PropertyListTable(State(), [.init("error", { $1(&$0.error) }, .string)]),
      ),
      .init("rules", { $1(&$0.rules) }, exactly: .array(of: .string)),
    ],
  )

  @Test("writes what differs from the blank, in the table's order, and reads it again")
  func roundTrip() {
    var feed = Feed(url: "https://a.example/", title: "A", tags: ["x"])
    feed.state.error = "gone"
    let dictionary = table.dictionary(feed)
    #expect(dictionary.entries.map(\.key) == ["version", "url", "title", "tags", "gone", "state"])
    #expect(table.contents(dictionary) == feed)
    #expect(
      table.dictionary(Feed(url: "u")) == [
        "version": .integer(2), "url": .string("u"), "gone": .boolean(false),
      ]
    )
  }

  @Test(
    "reads keys in the table's order wherever they stand, and of one that stands twice the last"
  )
  func anyOrder() {
    struct Runs: Hashable, Sendable {
      var counts: [Int] = []
      var names: [String] = []
      var pairs: [String] {
        get { zip(counts, names).map { "\($0) \($1)" } }
        set { names = zip(counts, newValue).map { "\($0): \($1)" } }
      }
    }
    let table = PropertyListTable<Runs>(
      Runs(),
      [
        .init("counts", { $1(&$0.counts) }, .array(of: .count)),
        .init("pairs", get: \.pairs, set: { $0.pairs = $1 }, .strings),
      ],
    )
    var dictionary: PropertyListDictionary = ["pairs": .array([.string("x")])]
    dictionary.append("counts", .array([.integer(1)]))
    dictionary.append("counts", .array([.integer(2)]))
    let runs = table.contents(dictionary)
    #expect(runs == Runs(counts: [2], names: ["2: x"]))
    #expect(runs.map { table.dictionary($0)["pairs"] } == .array([.string("2 2: x")]))
  }

  @Test("keeps the keys that it does not know, inside too, and takes away what is no more")
  func unknownKeys() {
    let old: PropertyListDictionary = [
      "later": .boolean(true), "title": .string("A"), "name": .string("former"),
      "state": .dictionary(["error": .string("gone"), "later": .integer(1)]), "url": .string("u"),
    ]
    #expect(
      table.dictionary(Feed(url: "v"), over: old) == [
        "later": .boolean(true), "state": .dictionary(["later": .integer(1)]), "url": .string("v"),
        "version": .integer(2), "gone": .boolean(false),
      ]
    )
  }

  @Test("takes what is of another type for missing, and means nothing without what it requires")
  func otherTypes() {
    let odd: PropertyListDictionary = [
      "url": .string("u"), "title": .integer(1), "tags": .array([.string("x"), .integer(1)]),
      "gone": .string("yes"), "state": .boolean(true),
    ]
    #expect(table.contents(odd) == Feed(url: "u", tags: ["x"]))
    #expect(table.contents(["title": .string("A")]) == nil)
    #expect(table.contents(["url": .integer(1)]) == nil)
    #expect(table.contents(["url": .string("u"), "rules": .array([.integer(1)])]) == nil)
  }
}
