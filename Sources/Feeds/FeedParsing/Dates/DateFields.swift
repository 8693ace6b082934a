internal import System

/// The parts of a date's text, and the instant that follows from them.
///
/// Setters return false where the part may not stand: most may stand only once.
struct DateFields {
  private(set) var year: Int?
  private(set) var month: Int?
  private(set) var day: Int?
  /// The dates that numbers alone can mean.
  ///
  /// There are two where it is not clear which number is the month: first the American reading,
  /// with the month before the day.
  private(set) var readings: [CivilDate] = []
  private(set) var weekday: Int?
  private(set) var isDayFirst = false

  private(set) var time: Int?
  private(set) var half: DayHalf?
  /// Seconds east of Greenwich, from digits.
  var offset: Int?
  var zone: TimeZoneName?

  var hasDate: Bool {
    !readings.isEmpty || (year != nil && month != nil && day != nil)
  }

  var isUndated: Bool {
    readings.isEmpty && year == nil && month == nil && day == nil
  }

  mutating func setYear(_ value: Int) -> Bool {
    guard year == nil, readings.isEmpty else { return false }
    year = value
    return true
  }

  /// The calendars of which years are known by names, scripts or zones.
  enum Era {
    case buddhist, persian
  }

  /// Reads the year in the calendar that its text speaks of, where it can be one of that.
  mutating func take(_ era: Era) {
    switch era {
    case .buddhist:
      if let year, (2400...2700).contains(year) { self.year = year - 543 }
      readings = readings.compactMap { date in
        guard (2400...2700).contains(date.year) else { return date }
        return CivilDate(year: date.year - 543, month: date.month, day: date.day)
      }
    case .persian:
      readings = readings.compactMap { Self.persian($0.year, $0.month, $0.day) ?? $0 }
      guard let year, let month, let day, let date = Self.persian(year, month, day) else { return }
      (self.year, self.month, self.day) = (date.year, date.month, date.day)
    }
  }

  /// Returns the day of the solar Hijri calendar, whose leap years are 8 of 33.
  private static func persian(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
    guard (1300...1500).contains(year), (1...12).contains(month),
      1...(month <= 6 ? 31 : 30) ~= day
    else { return nil }
    let days = 365 * year + (8 * year + 21) / 33 + (month - 1) * 30 + min(month - 1, 6) + day
    return CivilDate(daysSinceEpoch: days - 492_634)
  }

  static func fullYear(_ twoDigits: Int) -> Int {
    twoDigits < 50 ? 2000 + twoDigits : 1900 + twoDigits
  }

  mutating func setMonth(_ name: DateNames.Name) -> Bool {
    guard month == nil, readings.isEmpty else { return false }
    month = name.number
    isDayFirst = isDayFirst || name.isDayFirst
    return true
  }

  mutating func setDay(_ value: Int) -> Bool {
    guard day == nil, readings.isEmpty else { return false }
    day = value
    return true
  }

  mutating func setDate(_ possible: CivilDate?...) -> Bool {
    (year, month, day) = (nil, nil, nil)
    readings = possible.compactMap(\.self)
    if readings.count == 2, readings[0] == readings[1] { readings.removeLast() }
    return !readings.isEmpty
  }

  mutating func setWeekday(_ name: DateNames.Name) -> Bool {
    guard weekday == nil else { return false }
    weekday = name.number
    isDayFirst = isDayFirst || name.isDayFirst
    return true
  }

  /// Sets the time once, but for midnight, after which a better one may follow.
  mutating func setTime(hour: Int, minute: Int = 0, second: Int = 0) -> Bool {
    guard time == nil || time == 0, minute < 60, second <= 60 else { return false }
    // ISO 8601 calls the end of the day 24:00; a leap second counts as the first of the next
    // minute.
    guard hour < 24 || (hour == 24 && minute == 0 && second == 0) else { return false }
    time = hour * 3600 + minute * 60 + second
    return true
  }

  mutating func addTime(_ seconds: Int) -> Bool {
    time = time.map { $0 + seconds }
    return time != nil
  }

  mutating func setHalf(_ value: DayHalf) -> Bool {
    guard half == nil else { return false }
    half = value
    return true
  }

  var instant: Int? {
    guard let date, let timeOfDay else { return nil }
    let local = date.daysSinceEpoch * 86_400 + timeOfDay
    if let offset { return local - offset }
    guard let zone else { return local }
    return zone.offset(atLocal: local).map { local - $0 }
  }

  private var date: CivilDate? {
    if !readings.isEmpty { return onlyReading }
    guard let year, year > 0 else { return nil }
    guard let month else {
      // `2003` is a year; a number of another size is hardly meant as one.
      let isYearAlone = day == nil && time == nil && (1900...2199).contains(year)
      return isYearAlone ? CivilDate(year: year, month: 1, day: 1) : nil
    }
    guard day != nil || time == nil else { return nil }
    return CivilDate(year: year, month: month, day: day ?? 1)
  }

  private var onlyReading: CivilDate? {
    if readings.count == 1 { return readings.first }
    let onWeekday = readings.filter { $0.weekday == weekday }
    if onWeekday.count == 1 { return onWeekday.first }
    if isDayFirst { return readings.last }
    return half != nil && zone?.isAmerican == true ? readings.first : nil
  }

  private var timeOfDay: Int? {
    guard let time else { return half == nil ? 0 : nil }
    switch half {
    case nil: return time
    case .morning where time >= 13 * 3600: return nil
    case .morning: return time % 43_200
    case .afternoon: return time < 43_200 ? time + 43_200 : time
    }
  }
}
