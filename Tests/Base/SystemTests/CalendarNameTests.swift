import Testing

@testable import System

@Suite("Names of months and weekdays")
struct CalendarNameTests {
  @Test("every month has a name and its first three letters, which are read back in any case")
  func months() {
    #expect(CalendarName.months.count == 12)
    for (number, name) in zip(1..., CalendarName.months) {
      let short = CalendarName.shortMonth(number)
      #expect(short == String(name.prefix(3)))
      #expect(CalendarName.month(short: Array(short.utf8)[...]) == number)
      #expect(CalendarName.month(short: Array(short.uppercased().utf8)[...]) == number)
    }
  }

  @Test("a number that is no month's has the name of the nearest", arguments: [-1, 0, 13])
  func nearest(number: Int) {
    #expect(CalendarName.shortMonth(number) == (number < 1 ? "Jan" : "Dec"))
  }

  @Test(
    "what is not three letters of a month is none",
    arguments: ["", "J", "June", "Mai", "Jän"],
  )
  func noMonth(text: String) {
    #expect(CalendarName.month(short: Array(text.utf8)[...]) == nil)
  }

  @Test("the week begins with Sunday, as the days are counted")
  func weekdays() throws {
    let names = (0...6).map(CalendarName.shortWeekday)
    #expect(names == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
    let day = try #require(CivilDate(year: 2026, month: 11, day: 21))
    #expect(CalendarName.weekdays[day.weekday] == "Saturday")
  }
}
