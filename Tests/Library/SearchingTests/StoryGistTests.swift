import TestSupport
import Testing

@testable import Searching
@testable import System

@Suite("Similar stories")
struct StoryGistTests {
  /// A pair of `Fixtures/similar`, with what a person says of it.
  struct Pair {
    let isSame: Bool
    let stories: [StoryGist]

    var isRight: Bool { (stories[0].likeness(to: stories[1]) != nil) == isSame }

    init?(_ lines: ArraySlice<Substring>) {
      let lines = Array(lines)
      guard lines.count == 7 else { return nil }
      isSame = lines[0].hasPrefix("same")
      stories = [1, 4].map { (first: Int) -> StoryGist in
        StoryGist(
          title: String(lines[first + 1]),
          text: lines[first + 2] == "-" ? "" : String(lines[first + 2]),
          feeds: [first],
          instant: Self.instant(lines[first].suffix(16)),
        )
      }
    }

    private static func instant(_ time: Substring) -> Double {
      let parts = time.split { !$0.isNumber }.compactMap { Int($0) }
      let days = CivilDate.daysSinceEpoch(year: parts[0], month: parts[1], day: parts[2])
      return Double(((days * 24) + parts[3]) * 3600 + parts[4] * 60)
    }

    static func all(_ name: String) throws -> [Pair] {
      let path = BuiltProduct.fixture("similar/\(name)")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      return text.split(separator: "\n", omittingEmptySubsequences: false).split(separator: "")
        .compactMap(Pair.init)
    }
  }

  @Test(
    "the rule says what a person says",
    arguments: [("pairs.txt", 98, 100), ("held-out.txt", 49, 50), ("traps.txt", 77, 85)],
  )
  func pairs(file: String, right: Int, all: Int) throws {
    let pairs = try Pair.all(file)
    #expect(pairs.count == all)
    #expect(pairs.count(where: \.isRight) == right)
  }

  @Test("it says the same of a pair the other way round")
  func symmetry() throws {
    for pair in try ["pairs.txt", "held-out.txt", "traps.txt"].flatMap(Pair.all) {
      let likeness = pair.stories[0].likeness(to: pair.stories[1])
      #expect(likeness == pair.stories[1].likeness(to: pair.stories[0]))
    }
  }

  private static let title = "Tower Bridge stuck open for an hour after fault"
  private static let text = "Drivers in London were held up when the bascules would not come down."

  private func gist(_ title: String, _ text: String, feeds: [Int], hours: Double?) -> StoryGist {
    StoryGist(title: title, text: text, feeds: feeds, instant: hours.map { $0 * 3600 })
  }

  @Test(
    "even equal stories are two where a feed has both, after two days, and without times",
    arguments: [
      ([2], 0.0, true), ([1, 2], 0, false), ([2], 48, true), ([2], 48.1, false), ([2], nil, false),
    ] as [([Int], Double?, Bool)],
  )
  func conditions(feeds: [Int], hours: Double?, isSimilar: Bool) {
    let one = gist(Self.title, Self.text, feeds: [1], hours: 0)
    let other = gist(Self.title, Self.text, feeds: feeds, hours: hours)
    #expect((one.likeness(to: other) != nil) == isSimilar)
  }

  @Test(
    "columns, series, live blogs, results and titles of one word are never one thing",
    arguments: [
      ("Morning Briefing: 12 March", "Morning Briefing: 13 March"),
      ("Wetter am Montag", "Wetter am Dienstag"),
      ("Photo challenge, part 3", "Photo challenge, part 4"),
      ("Arsenal 2-1 Everton", "Arsenal 3-0 Chelsea"), ("Update", "Update"), ("v1.2.3", "v1.2.3"),
      ("War in Ukraine live: shelling in Kharkiv", "War in Ukraine live: shelling in Kharkiv"),
      ("Liveticker: Parteitag in Berlin", "Liveticker: Parteitag in Berlin"),
      ("EN DIRECT. Procès à Paris", "EN DIRECT. Procès à Paris"),
      ("Newsticker: Parteitag in Berlin", "Newsticker: Parteitag in Berlin"),
      ("Procès à Paris, minute par minute", "Procès à Paris, minute par minute"),
      ("Nasdaq closes 126 points higher", "Nasdaq closes 350 points higher"),
    ],
  )
  func never(title: String, other: String) {
    let text = "The same words, again and again, of London and of Paris."
    let one = gist(title, text, feeds: [1], hours: 0)
    #expect(one.likeness(to: gist(other, text, feeds: [2], hours: 5)) == nil)
  }

  @Test("a story joins the row that it is most like, and a row has one story of each feed")
  func rows() {
    var rows = SimilarRows()
    let bridge = gist(Self.title, Self.text, feeds: [1], hours: 100)
    let other = "London's Tower Bridge gets stuck in open position"
    let nearer = gist("Bridge stuck in London", "Tower Bridge is open.", feeds: [5], hours: 99)
    #expect(rows.add(bridge, at: 0) == nil)
    #expect(rows.add(gist("Update", "", feeds: [2], hours: 99), at: 1) == nil)
    #expect(rows.add(gist(other, Self.text, feeds: [2], hours: 98), at: 2) == 0)
    #expect(rows.add(gist(Self.title, Self.text, feeds: [2], hours: 97), at: 3) == nil)
    #expect(rows.add(gist(other, Self.text, feeds: [3, 1], hours: 97), at: 4) == 3)
    #expect(nearer.likeness(to: bridge) != nil)
    #expect(rows.add(gist(Self.title, Self.text, feeds: [4], hours: 40), at: 5) == nil)
  }

  @Test("rows are complete once all that is left is more than two days older")
  func complete() {
    var rows = SimilarRows()
    _ = rows.add(gist(Self.title, Self.text, feeds: [1], hours: 100), at: 0)
    #expect(rows.areComplete(1, at: 51 * 3600) && !rows.areComplete(1, at: 52 * 3600))
    #expect(!rows.areComplete(2, at: 0) && rows.areComplete(0, at: nil))
  }
}
