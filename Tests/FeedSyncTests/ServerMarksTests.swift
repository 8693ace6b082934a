import FeedModel
import Testing

@testable import FeedSync
@testable import FeedUpdating

@Suite("The marks of a home and of a server")
struct ServerMarksTests {
  /// Base, here, there: what comes of it.
  @Test(
    "what differs from what both had is what was changed",
    arguments: [
      (false, false, false, false), (false, false, true, true), (false, true, false, true),
      (false, true, true, true), (true, false, false, false), (true, false, true, false),
      (true, true, false, false), (true, true, true, true),
    ] as [(Bool, Bool, Bool, Bool)],
  )
  func merged(base: Bool, here: Bool, there: Bool, result: Bool) {
    #expect(ServerMarks.merged(here, [(base, there)]) == result)
    // Once it has been sent, nothing is left to do.
    #expect(ServerMarks.merged(result, [(result, result)]) == result)
    // It was sent, and nobody knows.
    #expect(ServerMarks.merged(result, [(base, result)]) == result)
  }

  @Test("what never was merged is marked where either side has it so")
  func first() {
    for (here, there) in [(false, false), (false, true), (true, false), (true, true)] {
      #expect(ServerMarks.merged(here, [(nil, there)]) == (here || there))
    }
    // The same story of another feed has come there.
    #expect(ServerMarks.merged(true, [(true, true), (nil, false)]))
    #expect(ServerMarks.merged(false, [(false, false), (nil, true)]))
    // It was marked unread here since.
    #expect(!ServerMarks.merged(false, [(true, true), (nil, true)]))
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
