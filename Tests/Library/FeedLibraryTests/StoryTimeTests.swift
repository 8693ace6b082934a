import TestSupport
import Testing

@testable import FeedLibrary

@Suite("As of when a story counts")
struct StoryTimeTests {
  @Test("its date, also one after it was stored, unless that is in the future")
  func dates() {
    #expect(StoryTime.instant(date: 5, stored: 7, now: 9) == 5)
    #expect(StoryTime.instant(date: 8, stored: 7, now: 9) == 8)
    #expect(StoryTime.instant(date: 9, stored: 7, now: 9) == 9)
    #expect(StoryTime.instant(date: 10, stored: 7, now: 9) == 7)
  }

  @Test("when it was stored, where it has no date; where nothing is known it comes last")
  func unknown() {
    #expect(StoryTime.instant(date: nil, stored: 7, now: 9) == 7)
    #expect(StoryTime.instant(date: 10, stored: nil, now: 9) == nil)
    #expect(
      StoryTime.sortInstant(date: nil, stored: nil, now: .distantFuture)
        == Date.distantPast.timeIntervalSinceReferenceDate
    )
  }
}
