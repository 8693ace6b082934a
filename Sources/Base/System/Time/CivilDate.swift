/// A day of the Gregorian calendar, extended backwards.
@usableFromInline package struct CivilDate: Hashable, Sendable {
  @usableFromInline package let year: Int
  @usableFromInline package let month: Int
  @usableFromInline package let day: Int

  /// Fails for a day that the calendar lacks, and for years outside 0 to 9999.
  @inlinable package init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Makes the day of a year, counted from 1 (ISO 8601 ordinal date).
  @inlinable package init?(year: Int, ordinal: Int) {
    guard let first = Self(year: year, month: 1, day: 1),
      (1...(Self.isLeap(year) ? 366 : 365)).contains(ordinal)
    else { return nil }
    self.init(daysSinceEpoch: first.daysSinceEpoch + ordinal - 1)
  }

  /// Makes the day of an ISO 8601 week; Monday is 1.
  @inlinable package init?(year: Int, week: Int, weekday: Int) {
    guard let fourth = Self(year: year, month: 1, day: 4), (1...53).contains(week),
      (1...7).contains(weekday)
    else { return nil }
    let firstMonday = fourth.daysSinceEpoch - (fourth.weekday + 6) % 7
    let monday = Self(daysSinceEpoch: firstMonday + (week - 1) * 7)
    // Week 53 of a year that has none belongs to the next.
    guard Self(daysSinceEpoch: monday.daysSinceEpoch + 3).year == year else { return nil }
    self.init(daysSinceEpoch: monday.daysSinceEpoch + weekday - 1)
  }

  /// Inverts `daysSinceEpoch`, after Howard Hinnant's `civil_from_days`.
  @inlinable package init(daysSinceEpoch days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  @inlinable package var daysSinceEpoch: Int {
    Self.daysSinceEpoch(year: year, month: month, day: day)
  }

  /// Returns days since 1970-01-01, after Howard Hinnant's `days_from_civil`.
  ///
  /// A day beyond the end of its month counts on into the next. Any year is taken, and the months 1
  /// to 12.
  @inlinable package static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// 0 for Sunday to 6 for Saturday.
  @inlinable package var weekday: Int {
    Self.weekday(ofDay: daysSinceEpoch)
  }

  @inlinable package static func weekday(ofDay days: Int) -> Int {
    let remainder = (days + 4) % 7
    return remainder < 0 ? remainder + 7 : remainder
  }

  @inlinable package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  @inlinable package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}
