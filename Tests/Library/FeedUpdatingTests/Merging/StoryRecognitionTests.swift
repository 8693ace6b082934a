import FeedModel
import FeedStorage
import Testing

@testable import FeedLibrary
@testable import FeedUpdating

private let feed = "https://a.example/feed"
private let otherFeed = "https://b.example/feed"

private func item(
  _ title: String,
  guid: String? = nil,
  link: String = "",
  at hours: Double? = nil,
) -> Item {
  Item(
    title: title,
    link: link,
    pubDate: hours.map { "hour \($0)" } ?? "",
    date: hours.map(hour),
    guid: guid,
  )
}

private func permalink(_ title: String, _ url: String, link: String = "") -> Item {
  var item = item(title, guid: url, link: link)
  item.guidIsPermaLink = true
  return item
}

/// Returns a story as it is stored: with the id of its first form, `earlier` or the present one.
private func stored(
  _ item: Item,
  by feeds: [String] = [feed],
  was earlier: Item? = nil,
) -> StoredItem {
  let id = ItemID.id(feed: feeds[0], key: ItemID.key(of: earlier ?? item))
  return StoredItem(id: id, item: item, feeds: feeds, stored: hour(0))
}

@Suite("StoryRecognition: which of its feed's stored stories a document's stories are")
struct StoryRecognitionTests {
  struct Scenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var stored: [StoredItem]
    var delivered: [Item]
    var isComplete = true
    var expected: [Recognition]

    init(
      _ name: String,
      _ stored: [StoredItem],
      _ delivered: [Item],
      isComplete: Bool = true,
      are expected: [Recognition],
    ) {
      testDescription = name
      self.stored = stored
      self.delivered = delivered
      self.isComplete = isComplete
      self.expected = expected
    }

    var delivery: FeedDelivery {
      FeedDelivery(feed: feed, items: delivered, isComplete: isComplete)
    }

    func recognised(_ known: [Recognition]) throws -> [Recognition] {
      let candidates = stored.enumerated().map {
        StoryRecognition.Candidate($1, at: $0, of: feed)
      }
      return try StoryRecognition.recognise(delivery, known: known, among: candidates)
    }
  }

  private static let page = "https://a.example/page"
  /// A story that stays, so that not all stories have new identities.
  private static let steady = item("steady", guid: "steady")

  static let identityScenarios = [
    Scenario(
      "a guid, with another title and date",
      [stored(item("a", guid: "g", link: "https://a.example/1", at: 1))],
      [item("b", guid: "g", link: "https://a.example/1", at: 2)],
      are: [.known(0, by: nil)],
    ),
    Scenario(
      "a guid, with another title and link, the date the same or told by none",
      [
        stored(item("a", guid: "g", link: "https://a.example/1", at: 1)),
        stored(item("c", guid: "h", link: "https://a.example/3")),
      ],
      [
        item("b", guid: "g", link: "https://a.example/2", at: 1),
        item("d", guid: "h", link: "https://a.example/4", at: 2),
      ],
      are: [.known(0, by: nil), .known(1, by: nil)],
    ),
    Scenario(
      "a guid that comes back with another link, title and date: a new one",
      [stored(item("a", guid: "g", link: "https://a.example/1", at: 1))],
      [item("b", guid: "g", link: "https://a.example/2", at: 2)],
      are: [.new],
    ),
    Scenario(
      "the same, where it was another feed's: feeds spell one story in their ways",
      [stored(item("a", guid: "g", link: "https://b.example/1", at: 1), by: [otherFeed, feed])],
      [item("b", guid: "g", link: "https://a.example/2", at: 2)],
      are: [.known(0, by: nil)],
    ),
    Scenario(
      "a guid that the feed has used for two stories: that of which not all is another",
      [
        stored(item("a", guid: "g", link: page + "/a", at: 1)),
        stored(
          item("b", guid: "g", link: page + "/b", at: 2),
          was: item("b", link: page + "/b"),
        ),
      ],
      [item("b, edited", guid: "g", link: page + "/b", at: 3)],
      are: [.known(1, by: nil)],
    ),
    Scenario(
      "a guid with white space, or one that is a URL with another scheme",
      [stored(item("a", guid: " g  1 ")), stored(item("b", guid: "http://a.example/?p=1"))],
      [item("b", guid: "https://a.example/?p=1"), item("a", guid: "g 1")],
      are: [.known(1, by: nil), .known(0, by: nil)],
    ),
    Scenario(
      "a link where there is no guid, without its tracking parameters",
      [stored(item("a", link: "https://a.example/1?utm_source=x"))],
      [item("b", link: "http://a.example/1")],
      are: [.known(0, by: nil)],
    ),
    Scenario(
      "a title and a date where there is neither",
      [stored(item("a", at: 1)), stored(item("a", at: 2))],
      [item("a", at: 2), item("a", at: 3), item("b", at: 1)],
      are: [.known(1, by: nil), .new, .new],
    ),
    Scenario(
      "a guid that several have: the link decides",
      [
        stored(item("a", guid: "1", link: page + "/a"), was: item("a", link: page + "/a")),
        stored(item("b", guid: "1", link: page + "/b"), was: item("b", link: page + "/b")),
      ],
      [item("c", guid: "1", link: page + "/b")],
      are: [.known(1, by: nil)],
    ),
    Scenario(
      "a link that several have: the title decides",
      [
        stored(item("a", link: page), was: item("a")),
        stored(item("b", link: page), was: item("b")),
      ],
      [item("b", link: page), item("c", link: page), item("a", link: page)],
      are: [.known(1, by: nil), .new, .known(0, by: nil)],
    ),
    Scenario(
      "a guid that the story had when it was stored, and was renamed from",
      [
        stored(item("a", guid: "new", link: page), was: item("a", guid: "old")),
        stored(steady),
      ],
      [item("b", guid: "old"), steady],
      are: [.known(0, by: .id), .known(1, by: nil)],
    ),
  ]

  static let otherFeedsScenarios = [
    Scenario(
      "a link that another feed's story has, with another guid",
      [stored(item("a", guid: "theirs", link: page), by: [otherFeed, feed]), stored(steady)],
      [item("b", guid: "ours", link: page), steady],
      are: [.known(0, by: .link), .known(1, by: nil)],
    ),
    Scenario(
      "a permalink that another feed's story has as its link",
      [stored(item("a", guid: "theirs", link: page), by: [otherFeed, feed]), stored(steady)],
      [permalink("b", page, link: "https://ads.example/1"), steady],
      are: [.known(0, by: .guid), .known(1, by: nil)],
    ),
    Scenario(
      "a story that another feed brought, and has left to this one",
      [
        stored(item("a", guid: "ours", link: page), was: item("a", guid: "theirs")), stored(steady),
      ],
      [item("b", guid: "new", link: page), steady],
      are: [.known(0, by: .link), .known(1, by: nil)],
    ),
    Scenario(
      "the link of the feed's own story, with another guid and title: a new one",
      [stored(item("a", guid: "1", link: page, at: 1)), stored(steady)],
      [item("b", guid: "2", link: page, at: 2), steady],
      are: [.new, .known(1, by: nil)],
    ),
    Scenario(
      "a link that several stories of the document have is nobody's",
      [stored(item("a", guid: "theirs", link: page), by: [otherFeed, feed]), stored(steady)],
      [item("b", guid: "1", link: page), item("c", guid: "2", link: page), steady],
      are: [.new, .new, .known(1, by: nil)],
    ),
  ]

  private static func several(_ count: Int, _ make: (Int) -> Item) -> [Item] {
    (0..<count).map(make)
  }

  private static func dated(_ count: Int) -> [StoredItem] {
    several(count) {
      item("\($0)", guid: "old \($0)", link: page + "/\($0)", at: Double(9 - $0))
    }.map { stored($0) }
  }

  static let churnScenarios = [
    Scenario(
      "another guid, with the link and the title",
      dated(2),
      [
        item("0", guid: "new", link: page + "/0", at: 20),
        item("1", guid: "old 1", link: page + "/1", at: 8),
      ],
      are: [.known(0, by: .link), .known(1, by: nil)],
    ),
    Scenario(
      "another guid, with the link and the date",
      dated(1),
      [item("edited", guid: "new", link: page + "/0", at: 9)],
      are: [.known(0, by: .link)],
    ),
    Scenario(
      "no guid any more, with the link and the title",
      dated(1),
      [item("0", link: page + "/0", at: 9)],
      are: [.known(0, by: .link)],
    ),
    Scenario(
      "another guid and link, with the title and the date",
      dated(2),
      several(2) { item("\($0)", guid: "new \($0)", at: Double(9 - $0)) },
      are: [.known(0, by: .titleAndDate), .known(1, by: .titleAndDate)],
    ),
    Scenario(
      "the title alone, when all have been renamed",
      [stored(item("a", guid: "1"))],
      [item("a", guid: "2")],
      are: [.known(0, by: .titleAndDate)],
    ),
    Scenario(
      "the title alone, when one has not been renamed",
      [stored(item("a", guid: "1")), stored(steady)],
      [item("a", guid: "2"), steady],
      are: [.new, .known(1, by: nil)],
    ),
    Scenario(
      "the link alone, when all three have been renamed",
      dated(3),
      several(3) { item("new \($0)", guid: "new \($0)", link: page + "/\($0)", at: 20) },
      are: [.known(0, by: .link), .known(1, by: .link), .known(2, by: .link)],
    ),
    Scenario(
      "the link alone of two: they may be new stories of one page",
      dated(2),
      several(2) { item("new \($0)", guid: "new \($0)", link: page + "/\($0)", at: 20) },
      are: [.new, .new],
    ),
    Scenario(
      "the link alone of one that was edited, with two known that have links of their own",
      dated(3),
      [
        item("edited", guid: "new", link: page + "/0", at: 20),
        item("1", guid: "old 1", link: page + "/1", at: 8),
        item("2", guid: "old 2", link: page + "/2", at: 7),
      ],
      are: [.known(0, by: .link), .known(1, by: nil), .known(2, by: nil)],
    ),
    Scenario(
      "the same in a part of a document: the old one may be in the rest",
      dated(3),
      [
        item("edited", guid: "new", link: page + "/0", at: 20),
        item("1", guid: "old 1", link: page + "/1", at: 8),
        item("2", guid: "old 2", link: page + "/2", at: 7),
      ],
      isComplete: false,
      are: [.new, .known(1, by: nil), .known(2, by: nil)],
    ),
    Scenario(
      "the same with the old one still there: two",
      dated(3),
      [
        item("edited", guid: "new", link: page + "/0", at: 20),
        item("0", guid: "old 0", link: page + "/0", at: 9),
        item("1", guid: "old 1", link: page + "/1", at: 8),
        item("2", guid: "old 2", link: page + "/2", at: 7),
      ],
      are: [.new, .known(0, by: nil), .known(1, by: nil), .known(2, by: nil)],
    ),
    Scenario(
      "the link alone of a front page",
      [stored(item("0", guid: "old", link: "https://a.example/", at: 9))] + dated(3),
      [item("new", guid: "new", link: "https://a.example/", at: 20)] + dated(3).map(\.item),
      are: [.new, .known(1, by: nil), .known(2, by: nil), .known(3, by: nil)],
    ),
    Scenario(
      "the link alone, with known ones that all have one link",
      [stored(item("0", guid: "old", link: page, at: 9))]
        + several(3) { item("\($0)", guid: "\($0)", link: page + "/all", at: 1) }.map { stored($0) },
      [item("new", guid: "new", link: page, at: 20)]
        + several(3) { item("\($0)", guid: "\($0)", link: page + "/all", at: 1) },
      are: [.new, .known(1, by: nil), .known(2, by: nil), .known(3, by: nil)],
    ),
    Scenario(
      "the link, and a guid that counts the edits",
      [stored(item("0", guid: page + "#0", link: page, at: 1))],
      [item("edited", guid: page + "#1", link: page, at: 2)],
      are: [.known(0, by: .link)],
    ),
    Scenario(
      "the link, and a guid with a date in place of a number",
      [stored(item("0", guid: page + "#20261101", link: page, at: 1))],
      [item("edited", guid: page + "#20261102", link: page, at: 2)],
      are: [.new],
    ),
    Scenario(
      "a link and title that two stored stories have",
      [
        stored(item("a", guid: "1", link: page, at: 1)),
        stored(item("a", guid: "2", link: page, at: 1)),
      ],
      [item("a", guid: "3", link: page, at: 1)],
      are: [.new],
    ),
    Scenario(
      "a link and title that two delivered stories have",
      [stored(item("a", guid: "1", link: page, at: 1))],
      [item("a", guid: "2", link: page, at: 1), item("a", guid: "3", link: page, at: 1)],
      are: [.new, .new],
    ),
    Scenario(
      "a part of a document, in which one story has kept its guid",
      dated(2),
      [
        item("0", guid: "old 0", link: page + "/0", at: 9),
        item("1", guid: "new", link: page + "/1", at: 8),
      ],
      isComplete: false,
      are: [.known(0, by: nil), .new],
    ),
    Scenario(
      "a part of a document, in which none has",
      dated(2),
      [item("1", guid: "new", link: page + "/1", at: 8)],
      isComplete: false,
      are: [.known(1, by: .link)],
    ),
  ]

  @Test("by identity", arguments: identityScenarios)
  func identity(_ scenario: Scenario) throws { try check(scenario) }

  @Test("among the stories that other feeds brought", arguments: otherFeedsScenarios)
  func othersStories(_ scenario: Scenario) throws { try check(scenario) }

  @Test("as churn", arguments: churnScenarios)
  func churn(_ scenario: Scenario) throws { try check(scenario) }

  private func check(_ scenario: Scenario) throws {
    let new = scenario.delivered.map { _ in Recognition.new }
    #expect(try scenario.recognised(new) == scenario.expected)
    // The short cut by ids that readers of stories take agrees.
    for isIndexed in [false, true] {
      let table = try ItemTable(scenario.stored, isIndexed: isIndexed)
      let stored = try StoredPositions(
        [scenario.delivery],
        in: table,
        StoryIndex(table),
        now: hour(30),
      )
      let found = try scenario.recognised(stored.recognised[0]).map(\.position)
      #expect(found == scenario.expected.map(\.position))
    }
  }

  @Test("a stored story that is recognised already is no other story too")
  func claimed() throws {
    let old = item("a", guid: "1", link: Self.page, at: 1)
    let twin = item("a", guid: "2", link: Self.page, at: 1)
    let scenario = Scenario("", [stored(old)], [old, twin], are: [])
    #expect(try scenario.recognised([.unchanged(0), .new]) == [.unchanged(0), .new])
  }

  @Test("what the id says: the same to the byte, or the same identity, or nothing")
  func byID() throws {
    let items = [item("a", guid: "1"), item("b", guid: "2"), item("c", guid: "3")]
    var table = items.map { stored($0) }
    table[1].item.title = "earlier"
    table[2].item.guid = "renamed"
    let delivery = FeedDelivery(feed: feed, items: items)
    let found = try StoredPositions([delivery], in: ItemTable(table), nil, now: hour(1)).recognised
    #expect(found == [[.unchanged(0), .known(1, by: nil), .new]])
  }
}

@Suite("SharedStories: which stories of other feeds a document's new stories are")
struct SharedStoriesTests {
  struct Scenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var stored: [StoredItem]
    var delivered: Item
    /// The position of the stored story, and the rule by which the two match.
    var position: Int?
    var rule: StoryMatch.Rule?

    init(
      _ name: String,
      _ stored: [StoredItem],
      _ delivered: Item,
      is position: Int?,
      by rule: StoryMatch.Rule? = nil,
    ) {
      testDescription = name
      self.stored = stored
      self.delivered = delivered
      self.position = position
      self.rule = rule
    }
  }

  private static let page = "https://x.example/page"

  static let scenarios = [
    Scenario(
      "a link",
      [stored(item("a", guid: "1", link: page), by: [otherFeed])],
      item("b", guid: "2", link: page + "?utm_medium=rss"),
      is: 0,
      by: .link,
    ),
    Scenario(
      "a permalink",
      [stored(permalink("a", page), by: [otherFeed])],
      permalink("b", page),
      is: 0,
      by: .guid,
    ),
    Scenario(
      "a link that two have: the title decides",
      [
        stored(item("a", guid: "1", link: page), by: [otherFeed]),
        stored(item("b", guid: "2", link: page), by: [otherFeed]),
      ],
      item("b", link: page),
      is: 1,
      by: .link,
    ),
    Scenario(
      "a link that two have, with a third title",
      [
        stored(item("a", guid: "1", link: page), by: [otherFeed]),
        stored(item("b", guid: "2", link: page), by: [otherFeed]),
      ],
      item("c", link: page),
      is: nil,
    ),
    Scenario(
      "a story that is of this feed as well",
      [stored(item("a", guid: "1", link: page), by: [otherFeed, feed])],
      item("b", guid: "2", link: page),
      is: nil,
    ),
    Scenario(
      "the id that this feed gave it, which has left it to the other",
      [
        StoredItem(
          id: ItemID.id(feed: feed, key: .guid("1")),
          item: item("a", guid: "1"),
          feeds: [otherFeed],
          stored: hour(0),
        )
      ],
      item("b", guid: "1"),
      is: 0,
      by: .id,
    ),
    Scenario(
      "that id, but another guid since",
      [
        StoredItem(
          id: ItemID.id(feed: feed, key: .guid("1")),
          item: item("a", guid: "2"),
          feeds: [otherFeed],
          stored: hour(0),
        )
      ],
      item("b", guid: "1"),
      is: nil,
    ),
    Scenario(
      "the front page of a site",
      [stored(item("a", link: "https://x.example/"), by: [otherFeed])],
      item("b", link: "https://x.example/"),
      is: nil,
    ),
  ]

  @Test("among stored stories", arguments: scenarios)
  func match(_ scenario: Scenario) throws {
    var shared = SharedStories()
    for (position, story) in scenario.stored.enumerated() { shared.add(story, at: position) }
    let delivery = FeedDelivery(feed: feed, items: [scenario.delivered])
    // The words of the stored stories are their own feed's.
    var theirs = Subscription(url: otherFeed)
    theirs.state.site = "x.example"
    let match = try shared.match(0, of: delivery, StoryWords([theirs])) { scenario.stored[$0] }
    #expect(match?.position == scenario.position)
    #expect(match?.rule == scenario.rule)
  }

  @Test("among those that this run adds, the first ones first")
  func added() {
    var shared = SharedStories()
    let theirs = FeedDelivery(feed: otherFeed, items: [item("a", guid: "1", link: Self.page)])
    let ours = FeedDelivery(
      feed: feed,
      items: [item("b", link: Self.page), item("c", link: Self.page + "/c")],
    )
    #expect(shared.insertions(of: 0, in: ours).isEmpty)
    shared.note(insertion: 7, of: 0, in: theirs)
    shared.note(insertion: 8, of: 0, in: ours)
    #expect(shared.insertions(of: 0, in: ours) == [7, 8])
    #expect(shared.insertions(of: 1, in: ours).isEmpty)
  }

  @Test("a new story gets the id of its identity, unless another one has that")
  func newID() throws {
    let renamed = StoredItem(
      id: ItemID.id(feed: feed, key: .guid("1")),
      item: item("a", guid: "renamed"),
      feeds: [feed],
      stored: hour(0),
    )
    var shared = SharedStories()
    shared.add(renamed, at: 0)
    let delivery = FeedDelivery(feed: feed, items: [item("b", guid: "1"), item("c", guid: "2")])
    #expect(try shared.newID(of: 0, in: delivery) != delivery.ids[0])
    #expect(try shared.newID(of: 1, in: delivery) == delivery.ids[1])
    #expect(try shared.newID(of: 1, in: delivery) != delivery.ids[1])
  }
}
