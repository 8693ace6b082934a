import Testing

@testable import System

@Suite("Days of the calendar")
struct CivilDateTests {
  @Test("days are counted there and back, leap years and all")
  func roundTrip() throws {
    for days in stride(from: -719_528, through: 2_932_896, by: 97) {
      let date = CivilDate(daysSinceEpoch: days)
      #expect(date.daysSinceEpoch == days)
      let again = try #require(CivilDate(year: date.year, month: date.month, day: date.day))
      #expect(again == date)
    }
  }

  @Test("days that do not exist are refused")
  func refused() {
    #expect(CivilDate(year: 2023, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2023, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2023, month: 1, day: 0) == nil)
    #expect(CivilDate(year: 10_000, month: 1, day: 1) == nil)
    #expect(CivilDate(year: 2023, ordinal: 366) == nil)
    #expect(CivilDate(year: 2021, week: 53, weekday: 1) == nil)
  }

  @Test("weekdays are those of the calendar")
  func weekdays() throws {
    #expect(CivilDate(daysSinceEpoch: 0).weekday == 4)
    #expect(CivilDate(daysSinceEpoch: -5).weekday == 6)
    #expect(try #require(CivilDate(year: 2000, month: 1, day: 1)).weekday == 6)
  }

  @Test("numbers count on over the end of a month, and before year 0")
  func overflow() {
    #expect(CivilDate.daysSinceEpoch(year: 1970, month: 1, day: 1) == 0)
    #expect(CivilDate.daysSinceEpoch(year: 2001, month: 1, day: 1) == 11_323)
    #expect(
      CivilDate.daysSinceEpoch(year: 2026, month: 2, day: 31)
        == CivilDate.daysSinceEpoch(year: 2026, month: 3, day: 3)
    )
    #expect(CivilDate.daysSinceEpoch(year: -1, month: 12, day: 31) == -719_529)
  }
}
