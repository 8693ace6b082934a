import FeedModel
import Testing

@testable import FeedSync

@Suite("The marks of a home and of a server")
struct ServerMarksTests {
  /// The arguments: the value at the last merge, here, on the server, and the result.
  @Test(
    "what differs from what both had is what was changed",
    arguments: [
      (false, false, false, false), (false, false, true, true), (false, true, false, true),
      (false, true, true, true), (true, false, false, false), (true, false, true, false),
      (true, true, false, false), (true, true, true, true),
    ] as [(Bool, Bool, Bool, Bool)],
  )
  func merged(base: Bool, here: Bool, there: Bool, result: Bool) {
    #expect(Self.merged(here, [(base, there)]) == result)
    // Once the result has been sent, nothing is left to do.
    #expect(Self.merged(result, [(result, result)]) == result)
    // The result was sent, but the sending was not noted.
    #expect(Self.merged(result, [(base, result)]) == result)
  }

  /// Returns the merged mark: its value here, and at the last merge and now on the server.
  private static func merged(_ here: Bool?, _ sides: [(base: Bool?, there: Bool)]) -> Bool {
    let value = { (isSet: Bool) in isSet ? SyncValue.yes : SyncValue.none }
    let merged = ServerValue(
      here.map(value),
      sides.map { ServerValue.Side(base: $0.base.map(value), there: value($0.there)) },
    ).merged
    return merged == .yes
  }

  @Test("what never was merged is marked where either side has it so")
  func first() {
    for (here, there) in [(false, false), (false, true), (true, false), (true, true)] {
      #expect(Self.merged(here, [(nil, there)]) == (here || there))
    }
    // The server has got the story from another feed, too.
    #expect(Self.merged(true, [(true, true), (nil, false)]))
    #expect(Self.merged(false, [(false, false), (nil, true)]))
    #expect(!Self.merged(false, [(true, true), (nil, true)]))
    // Nothing was recorded here: one of the server's stories has the mark.
    #expect(Self.merged(nil, [(false, false), (true, true)]))
    #expect(!Self.merged(nil, [(true, false), (false, false)]))
  }

  @Test("lists that never were merged become one; of texts the home's wins")
  func lists() {
    let merged = { (here: SyncValue, there: SyncValue) in
      ServerValue(here, [ServerValue.Side(base: nil, there: there)]).merged
    }
    #expect(merged(.texts(["b", "a"]), .texts(["c", "a"])) == .texts(["b", "a", "c"]))
    #expect(merged(.none, .texts(["c"])) == .texts(["c"]))
    #expect(merged(.text("ours"), .text("theirs")) == .text("ours"))
  }

  @Test("what a server takes back of too much waits, or is taken")
  func decided() {
    let lost = ServerValue(.yes, [ServerValue.Side(base: .yes, there: .none)])
    #expect(lost.decided(.asked, isTooMuch: true) == nil)
    #expect(lost.decided(.asked, isTooMuch: false) == SyncValue.none)
    #expect(lost.decided(.accepted, isTooMuch: true) == SyncValue.none)
    let gained = ServerValue(
      SyncValue.none,
      [ServerValue.Side(base: SyncValue.none, there: .yes)],
    )
    #expect(gained.decided(.asked, isTooMuch: true) == .yes)
  }

  @Test("a server that has lost half of few is asked about as one that has lost many")
  func lost() {
    let feeds = [
      (0, 0), (0, 7), (1, 7), (2, 7), (1, 1), (2, 2), (2, 10), (3, 14), (3, 15),
    ]
    #expect(
      feeds.map { SyncBounds.isTooMany(lostFeeds: $0, of: $1) }
        == [false, false, false, true, true, true, false, true, false]
    )
    let marks = [(4, 4), (5, 10), (5, 11), (20, 50), (21, 50), (21, 105)]
    #expect(
      marks.map { SyncBounds.isTooMany(lostMarks: $0, of: $1) }
        == [false, true, false, false, true, false]
    )
  }

  @Test("what is asked for is what is new or has left a list, in the lists' order, up to a number")
  func wanted() {
    let id = { ServerItemID(low: $0) }
    var state = ServerState(account: "")
    for (number, isRead) in [(1, false), (2, false), (3, true)] as [(UInt64, Bool)] {
      var item = ServerItem(isRead: isRead, isStarred: false)
      item.story = number
      state.items[id(number)] = item
    }
    let reading = ServerReading(
      feeds: [],
      unread: [id(9), id(1), id(9)],
      starred: [id(8), id(3)],
      recent: [id(7), id(8), id(2)],
    )
    #expect(reading.wanted(besides: state).map(\.low) == [9, 8, 7, 2])
    #expect(reading.wanted(besides: state, atMost: 2).map(\.low) == [9, 8])
    #expect(reading.wanted(besides: state, again: [id(3)]).map(\.low) == [9, 8, 3, 7, 2])
  }

  @Test(
    "ids in all forms that servers write",
    arguments: [
      ("1795456015800436", "tag:google.com,2005:reader/item/000660f52e081874"),
      (
        "tag:google.com,2005:reader/item/000660f52e081874",
        "tag:google.com,2005:reader/item/000660f52e081874",
      ),
      (
        "tag:google.com,2005:reader/item/660f52e081874",
        "tag:google.com,2005:reader/item/000660f52e081874",
      ),
      ("-1", "tag:google.com,2005:reader/item/ffffffffffffffff"),
      ("18446744073709551615", "tag:google.com,2005:reader/item/ffffffffffffffff"),
      ("5156cd3dfea0d1d5fa008023", "tag:google.com,2005:reader/item/5156cd3dfea0d1d5fa008023"),
      (
        "tag:google.com,2005:reader/item/515600000000000000000000",
        "tag:google.com,2005:reader/item/515600000000000000000000",
      ),
      ("", nil), ("-", nil), ("0x12", nil), ("tag:google.com,2005:reader/item/", nil),
      ("12345678901234567890123", nil), ("99999999999999999999", nil), ("١٢٣", nil),
    ] as [(String, String?)],
  )
  func ids(text: String, written: String?) {
    #expect(ServerItemID(text)?.text == written)
  }
}
