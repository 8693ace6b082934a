import System
import Testing

@Suite("Names of months and weekdays")
struct CalendarNameTests {
  @Test("every month has a name and its first three letters, which are read back in any case")
  func months() {
    let names = (1...12).map(CalendarName.month)
    #expect(
      names == [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
      ]
    )
    for number in 1...12 {
      let short = CalendarName.shortMonth(number)
      #expect(short == String(names[number - 1].prefix(3)))
      #expect(CalendarName.month(short: short) == number)
      #expect(CalendarName.month(short: short.uppercased()) == number)
    }
  }

  @Test("a number that is no month's has the name of the nearest", arguments: [-1, 0, 13])
  func nearest(number: Int) {
    #expect(CalendarName.month(number) == (number < 1 ? "January" : "December"))
    #expect(CalendarName.shortMonth(number) == (number < 1 ? "Jan" : "Dec"))
  }

  @Test(
    "what is not three letters of a month is none",
    arguments: ["", "J", "June", "Mai", "Jän"],
  )
  func noMonth(text: String) {
    #expect(CalendarName.month(short: text) == nil)
  }

  @Test("the week begins with Sunday, as the days are counted")
  func weekdays() throws {
    let names = (0...6).map(CalendarName.shortWeekday)
    #expect(names == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
    let day = try #require(CivilDate(year: 2026, month: 11, day: 21))
    #expect(CalendarName.weekday(day.weekday) == "Saturday")
  }
}
