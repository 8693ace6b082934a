internal import CivilDates

extension DateReader {
  /// The mark between a number and the next, if the two belong to one date.
  func separator(from first: DateText.Token, to mark: DateText.Token) -> Character? {
    guard let second = token(2), second.kind == .number, !hasDate, year == nil, month == nil,
      day == nil
    else { return nil }
    if mark.isSymbol("."), mark.isAdjacent { return "." }
    guard mark.isAdjacent, second.isAdjacent else { return nil }
    if mark.isSymbol("/") { return "/" }
    // A time may follow, or a zone: `2019-11-27-21:38`, `27-21:38`.
    return mark.isSymbol("-") && token(3)?.isSymbol(":") != true ? "-" : nil
  }

  /// Reads numbers with marks between them; the index is at the first.
  mutating func readNumericDate(_ first: DateText.Token, separator: Character) -> Bool {
    guard let second = token(2) else { return false }
    guard let mark = token(3), mark.isSymbol(separator), let third = token(4),
      third.kind == .number, third.isAdjacent || separator == ".",
      separator != "-" || third.isAdjacent
    else {
      index += 3
      return setShortDate(first, second, separator: separator)
    }
    index += 5
    // Of `27. 11. 2019.` the last point.
    if separator == ".", token(0)?.isSymbol(".") == true { index += 1 }
    return setNumericDate(first, second, third, separator: separator)
  }

  /// `1997-07`, `07/1997`, and the ordinal dates `1997-197`, `97-197`.
  private mutating func setShortDate(
    _ first: DateText.Token,
    _ second: DateText.Token,
    separator: Character,
  ) -> Bool {
    if separator == "-", second.digits == 3 {
      guard first.digits == 4 || first.digits == 2 else { return false }
      let year = first.digits == 4 ? first.value : Self.fullYear(first.value)
      date = CivilDate(year: year, ordinal: second.value)
      return date != nil
    }
    let isYearFirst = first.digits == 4
    let (newYear, newMonth) = isYearFirst ? (first, second) : (second, first)
    guard newYear.digits == 4, newMonth.digits <= 2, (1...12).contains(newMonth.value) else {
      return false
    }
    (year, month) = (newYear.value, newMonth.value)
    return true
  }

  /// Takes three numbers for a date, or for several possible ones.
  mutating func setNumericDate(
    _ first: DateText.Token,
    _ second: DateText.Token,
    _ third: DateText.Token,
    separator: Character,
  ) -> Bool {
    guard first.digits <= 4, second.digits <= 2, third.digits <= 4, first.digits != 3,
      third.digits != 3
    else { return false }
    if first.digits == 4 {
      guard third.digits <= 2 else { return false }
      date = CivilDate(year: first.value, month: second.value, day: third.value)
      return date != nil && first.value > 0
    }
    let isShort = third.digits < 4
    // `1.2.3` is the number of a version rather than a date.
    guard third.digits > 1 || separator == "-" else { return false }
    let year = isShort ? Self.fullYear(third.value) : third.value
    let monthFirst = CivilDate(year: year, month: first.value, day: second.value)
    let dayFirst = CivilDate(year: year, month: second.value, day: first.value)
    switch separator {
    case ".": ambiguous = [dayFirst].compactMap(\.self)
    case "-" where isShort:
      let yearFirst = CivilDate(
        year: Self.fullYear(first.value),
        month: second.value,
        day: third.value,
      )
      ambiguous = [first.digits == 2 ? yearFirst : nil].compactMap(\.self)
    default:
      ambiguous = [monthFirst, dayFirst].compactMap(\.self)
      // `19/11/27` is written by some as year, month, day.
      if isShort, monthFirst == nil, first.digits == 2, third.value >= 1,
        CivilDate(year: Self.fullYear(first.value), month: second.value, day: third.value) != nil,
        !isForeign, weekday == nil
      {
        return false
      }
      if monthFirst == dayFirst, let monthFirst { ambiguous = [monthFirst] }
    }
    return !ambiguous.isEmpty && year > 0
  }

  /// Whether an ISO 8601 week date begins here: `2004-W53-6`, `2004W536`.
  func isWeekMark(_ token: DateText.Token) -> Bool {
    guard token.digits == 4 else { return false }
    let distance = self.token(1)?.isSymbol("-") == true ? 2 : 1
    return isWord(self.token(distance), "w") && self.token(distance + 1)?.kind == .number
  }

  mutating func readWeekDate(_ token: DateText.Token) -> Bool {
    index += self.token(1)?.isSymbol("-") == true ? 3 : 2
    guard !hasDate, year == nil, let week = self.token(0) else { return false }
    index += 1
    if week.digits == 3 {
      date = CivilDate(year: token.value, week: week.value / 10, weekday: week.value % 10)
    } else if week.digits == 2, let mark = self.token(0), mark.isSymbol("-"), mark.isAdjacent,
      let weekday = self.token(1), weekday.kind == .number, weekday.digits == 1
    {
      index += 2
      date = CivilDate(year: token.value, week: week.value, weekday: weekday.value)
    } else if week.digits == 2 {
      date = CivilDate(year: token.value, week: week.value, weekday: 1)
    }
    return date != nil
  }
}
