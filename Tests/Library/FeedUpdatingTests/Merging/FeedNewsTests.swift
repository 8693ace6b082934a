import FeedModel
import Testing

@testable import FeedUpdating

/// The earlier documents of a feed, its answer, and the news in that.
struct OutcomeScenario: CustomTestStringConvertible {
  let name: String
  var before: [[Item]] = []
  let answer: [Item]
  var new = 0
  var changed = false
  var stored: Int?
  var keep = 1000

  var testDescription: String { name }

  static let all =
    [
      Self(name: "the first fetch", answer: [b, a], new: 2),
      Self(name: "a first fetch without stories", answer: []),
      Self(name: "the same again", before: [[b, a]], answer: [b, a]),
      Self(name: "a new story", before: [[b, a]], answer: [c, b, a], new: 1),
      Self(name: "nothing any more", before: [[b, a]], answer: []),
      Self(name: "the newest stands last", before: [[a, b]], answer: [a, b, c], new: 1),
      Self(
        name: "stories without titles",
        before: [[titled("", 1)]],
        answer: (1...3).reversed().map { titled("", $0) },
        new: 2,
      ),
      Self(
        name: "a title that repeats",
        before: [[titled("Daily thread", 1)]],
        answer: [titled("Daily thread", 2), titled("Daily thread", 1)],
        new: 1,
      ),
      Self(
        name: "new stories below one that stays on top",
        before: [[story("pinned", at: 9000), a]],
        answer: [story("pinned", at: 9000), b, a],
        new: 1,
      ),
    ] + newest + older + republished

  private static let newest = [
    Self(name: "retitled", before: [[b, a]], answer: [retitled, a], changed: true),
    Self(
      name: "retitled, and another is new",
      before: [[b, a]],
      answer: [retitled, titled("late", 1), a],
      new: 1,
      changed: true,
    ),
    Self(
      name: "without a title, and then with one",
      before: [[titled("", 2), titled("", 1)]],
      answer: [titled("Now", 2), titled("", 1)],
      changed: true,
    ),
    Self(
      name: "retitled, without dates",
      before: [[story("b"), story("a")]],
      answer: [story("b", title: "B"), story("a")],
      changed: true,
    ),
    Self(name: "of another text", before: [[b, a]], answer: [with(b) { $0.summary = "x" }, a]),
    Self(name: "re-dated", before: [[b, a]], answer: [with(b) { $0.date = hour(9) }, a]),
    Self(name: "removed", before: [[b, a]], answer: [a]),
    Self(
      name: "removed, and the next one retitled",
      before: [[c, b, a]],
      answer: [retitled, a],
      changed: true,
    ),
    Self(name: "back after it was removed", before: [[b, a], [a]], answer: [b, a]),
    Self(
      name: "of the same date as another, and they change places",
      before: [[story("y", at: 2), story("x", at: 2)]],
      answer: [story("x", at: 2), story("y", at: 2)],
    ),
    Self(
      name: "without dates, and they change places",
      before: [[story("y"), story("x")]],
      answer: [story("x"), story("y")],
    ),
  ]

  private static let older = [
    Self(name: "an older one retitled", before: [[c, b]], answer: [c, retitled]),
    Self(
      name: "an older one re-dated to the top",
      before: [[b, a]],
      answer: [with(a) { $0.date = hour(9) }, b],
    ),
    Self(name: "a back-dated one", before: [[c, a]], answer: [c, b, a], new: 1),
    Self(
      name: "one older than what retention would drop",
      before: [numbered(2...5)],
      answer: [story("6", at: 6), story("late", at: 0.5)],
      new: 1,
      stored: 2,
      keep: 2,
    ),
    Self(
      name: "one as old as the last that retention keeps",
      before: [numbered(2...5)],
      answer: [story("late", at: 4)],
      new: 1,
      keep: 2,
    ),
    Self(
      name: "old ones of a feed that still carries more than is kept",
      before: [numbered(2...5)],
      answer: numbered(1...5),
      new: 1,
      keep: 2,
    ),
    Self(
      name: "one that retention has dropped, and that comes again",
      before: [numbered(1...5), numbered(5...5)],
      answer: numbered(1...5),
      stored: 2,
      keep: 2,
    ),
  ]

  private static let republished = [
    Self(
      name: "all guids renamed",
      before: [numbered(1...5)],
      answer: numbered(1...5).map { item in with(item) { $0.guid = "new-\(item.title)" } },
    ),
    Self(
      name: "all guids renamed, and the newest retitled",
      before: [numbered(1...5)],
      answer: numbered(1...5).map { item in
        with(item) {
          $0.guid = "new-\(item.title)"
          if item.title == "5" { $0.title = "five" }
        }
      },
      changed: true,
    ),
    Self(
      name: "all as other stories",
      before: [numbered(1...3)],
      answer: ["x", "y"].map { story($0, at: 2) },
      new: 2,
    ),
  ]

  private static let (a, b, c) = (story("a", at: 1), story("b", at: 2), story("c", at: 3))
  private static let retitled = story("b", at: 2, title: "b, corrected")

  private static func numbered(_ numbers: ClosedRange<Int>) -> [Item] {
    numbers.reversed().map { story("\($0)", at: Double($0)) }
  }

  private static func titled(_ title: String, _ number: Int) -> Item {
    story("\(number)", at: Double(number), title: title)
  }

  private static func with(_ item: Item, _ change: (inout Item) -> Void) -> Item {
    var item = item
    change(&item)
    return item
  }
}

@Suite("The outcome of a feed")
struct FeedNewsTests {
  private var store = StoredStories()
  private let other = "https://b.example/feed"

  private func expect(_ found: FeedFindings, new: Int, changed: Bool = false) {
    #expect(found.news.new.count == new)
    #expect(found.news.isChanged == changed)
    #expect(found.news.outcome == (new > 0 || changed ? .newData : .noData))
  }

  @Test(
    "is what the scenario says, and nothing when the same comes again",
    arguments: OutcomeScenario.all,
  )
  func scenario(_ scenario: OutcomeScenario) throws {
    var store = store
    for (place, items) in scenario.before.enumerated() {
      try store.deliver(items, keep: scenario.keep, at: hour(10 + Double(place)))
    }
    let found = try store.deliver(scenario.answer, keep: scenario.keep, at: hour(20))
    expect(found, new: scenario.new, changed: scenario.changed)
    #expect(found.stored == scenario.stored ?? scenario.new)
    let again = try store.deliver(scenario.answer, keep: scenario.keep, at: hour(21))
    expect(again, new: 0)
  }

  @Test("a feed that has moved has no news, but what it brings there")
  mutating func moved() throws {
    try store.deliver([story("b", at: 2), story("a", at: 1)], at: hour(3))
    for place in store.items.indices { store.items[place].feeds = [other] }
    let items = ["c", "b", "a"].enumerated().map { story($1, at: Double(3 - $0)) }
    expect(try store.deliver(Array(items[1...]), of: other, at: hour(4)), new: 0)
    expect(try store.deliver(items, of: other, at: hour(5)), new: 1)
  }

  @Test("what was imported before the first refresh is no news, under its own title or another")
  mutating func imported() throws {
    let items = [story("b", at: 2), story("a", at: 1)]
    let frames = items.indices.map { place in
      ImportedStory(StoredItem(id: "", item: Item(), feeds: [], stored: nil), at: place)
    }
    let feed = "https://a.example/feed"
    try store.merge([FeedDelivery(feed: feed, items: items, imported: frames)], at: hour(3))
    expect(try store.deliver(items, at: hour(4)), new: 0)
    let retitled = story("b", at: 2, title: "B")
    expect(try store.deliver([retitled, items[1]], at: hour(5)), new: 0, changed: true)
    expect(try store.deliver([story("c", at: 3), retitled, items[1]], at: hour(6)), new: 1)
  }

  @Test("a story that another feed has brought is no news, however this one calls it")
  mutating func shared() throws {
    try store.deliver([story("a", at: 1)], at: hour(2))
    for time in 3...5 {
      let copy = [story("a", at: 1, title: "Planet: a")]
      expect(try store.deliver(copy, of: other, at: hour(Double(time))), new: 0)
    }
    let both = [other, "https://c.example/feed"].map {
      FeedDelivery(feed: $0, items: [story("b", at: 2), story("a", at: 1, title: "Planet: a")])
    }
    let found = try store.merge(both, at: hour(6)).findings
    expect(found[0], new: 1)
    expect(found[1], new: 0)
  }

  @Test("a part of a document has the news that it brings")
  mutating func part() throws {
    try store.deliver([story("b", at: 2), story("a", at: 1)], at: hour(3))
    expect(try store.deliver([story("a", at: 1)], isComplete: false, at: hour(4)), new: 0)
    expect(try store.deliver([story("c", at: 4)], isComplete: false, at: hour(5)), new: 1)
  }

  @Test("what is kept away is neither new nor the newest")
  func keptAway() {
    let away = AnsweredStory(date: 9, fate: .keptAway)
    let retitled = AnsweredStory(date: 2, fate: .known(isRetitled: true))
    let new = AnsweredStory(date: 3, fate: .new(7))
    #expect(FeedNews(of: [away]).outcome == .noData)
    #expect(FeedNews(of: [away, retitled]).isChanged)
    #expect(!FeedNews(of: [retitled, new]).isChanged && FeedNews(of: [retitled, new]).new == [7])
  }

  @Test("a story without a date is not older than anything, and not newer than one with a date")
  func undated() {
    let undated = AnsweredStory(date: nil, fate: .new(1))
    #expect(FeedNews(of: [undated], keptSince: 5).new == [1])
    #expect(FeedNews(of: [undated, .init(date: 1, fate: .known(isRetitled: true))]).isChanged)
  }
}
