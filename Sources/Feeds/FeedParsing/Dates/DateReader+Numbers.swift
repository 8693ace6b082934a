internal import System

extension DateReader {
  mutating func readNumber() -> Bool {
    let (number, next) = (peek(), peek(1))
    if isWeekdayNumber { return skip(2) }
    if next.is(":"), peek(2).kind == .number, number.digits <= 2 { return readClock() }
    if let unit = unit(of: next) { return skip(2) && setNumber(number, unit: unit) }
    if let week = weekDistance { return readWeekDate(week: week) }
    if isHour { return readClock() }
    if isNumericDate { return readNumericDate() }
    index += 1
    if next.isAdjacent, DateNames.ordinalMarks.contains(next.text) { index += 1 }
    return readLone(number)
  }

  /// True of a number that stands for the weekday's name before a date: `3, 30 Oct 2013`.
  private var isWeekdayNumber: Bool {
    let (day, next) = (peek(2), peek(3))
    guard index == 0, peek(1).is(","), day.kind == .number,
      peek().digits != 4 || tokens.dropFirst(3).contains(where: { $0.digits == 4 })
    else { return false }
    return DateNames.month(next.text) != nil
      || (next.isAdjacent && ["-", "/", "."].contains(next.text))
  }

  private func unit(of word: DateToken) -> DateNames.Unit? {
    word.isAdjacent ? DateNames.units[word.text] : nil
  }

  /// Takes a number with its unit: `2004年`, `5월`, `10時`.
  private mutating func setNumber(_ number: DateToken, unit: DateNames.Unit) -> Bool {
    let value = number.value
    return switch unit {
    case .year: fields.setYear(number.digits <= 2 ? DateFields.fullYear(value) : value)
    case .month: fields.setMonth(DateNames.Name(number: value))
    case .day: fields.setDay(value)
    case .hour: number.digits <= 2 && fields.setTime(hour: value)
    case .minute: value < 60 && fields.addTime(value * 60)
    case .second: value <= 60 && fields.addTime(value)
    }
  }

  private mutating func readLone(_ number: DateToken) -> Bool {
    switch number.digits {
    case 1, 2: return readShort(number)
    case 3 where number.mayBeDayOrMonth && fields.day == nil: return readShort(number)
    // The years of C's `struct tm` begin in 1900.
    case 3: return fields.day != nil && fields.month != nil && fields.setYear(number.value + 1900)
    case 4:
      return fields.setYear(number.value) && (fields.month != nil || readSpacedDate(number))
    case 5, 7: return setOrdinalDate(number)
    case 6, 8, 12, 14: return setCompactDate(number)
    case 10, 13, 16: return readEpoch(number)
    default: return false
    }
  }

  private mutating func readShort(_ number: DateToken) -> Bool {
    if fields.day == nil, fields.setDay(number.value) {
      return fields.month != nil || fields.year != nil || isFollowedByMonth
        || readSpacedDate(number)
    }
    if fields.year == nil, fields.month != nil, !fields.hasDate, number.digits == 2 {
      return fields.setYear(DateFields.fullYear(number.value))
    }
    // `Mon, 02 Jan 2006 15 -0700`
    return fields.hasDate && fields.time == nil && isFollowedByZone
      && fields.setTime(hour: number.value)
  }

  private var isFollowedByMonth: Bool {
    tokens[index...].contains {
      DateNames.month($0.text) != nil || DateNames.meanings($0.text).persianMonth != nil
        || unit(of: $0) == .month
    }
  }

  private var isFollowedByZone: Bool {
    peek().isSign ? peek(1).digits == 4 : TimeZoneName(peek().text) != nil
  }

  /// Sets `20031231`, `20031231101455`, or `031231` of ISO 8601:1988.
  private mutating func setCompactDate(_ number: DateToken) -> Bool {
    var (value, time) = (number.value, 0)
    if number.digits > 8 {
      (value, time) = value.quotientAndRemainder(
        dividingBy: number.digits == 12 ? 10_000 : 1_000_000
      )
      guard setTime(compact: time, digits: number.digits - 8) else { return false }
    }
    // Six digits may be a year and a month as well; not if the year would be one before 1000.
    guard fields.isUndated, number.digits != 6 || value < 100_000 else { return false }
    let year = number.digits == 6 ? DateFields.fullYear(value / 10_000) : value / 10_000
    return (1900...2199).contains(year)
      && fields.setDate(CivilDate(year: year, month: value / 100 % 100, day: value % 100))
  }

  /// Sets `2003335`, or `03335` of ISO 8601:1988.
  private mutating func setOrdinalDate(_ number: DateToken) -> Bool {
    guard fields.isUndated, number.digits == 7 || number.value < 10_000 else { return false }
    let year = number.value / 1000
    let fullYear = number.digits == 7 ? year : DateFields.fullYear(year)
    return (1900...2199).contains(fullYear)
      && fields.setDate(CivilDate(year: fullYear, ordinal: number.value % 1000))
  }

  /// Reads seconds since 1970, or thousandths or millionths of them; a fraction may follow.
  private mutating func readEpoch(_ number: DateToken) -> Bool {
    let hasFraction = tokens.count == 3 && tokens[1].is(".") && tokens[2].kind == .number
    guard tokens.count == 1 || hasFraction else { return false }
    index = tokens.count
    let units = number.digits == 10 ? 1 : number.digits == 13 ? 1000 : 1_000_000
    let (days, time) = (number.value / units).quotientAndRemainder(dividingBy: 86_400)
    return number.value / units >= 100_000_000
      && fields.setDate(CivilDate(daysSinceEpoch: days))
      && fields.setTime(hour: time / 3600, minute: time / 60 % 60, second: time % 60)
  }

  private var isNumericDate: Bool {
    let (mark, second) = (peek(1), peek(2))
    guard fields.isUndated, second.kind == .number, mark.isAdjacent, peek().digits < 10 else {
      return false
    }
    if mark.is(".") { return true }
    // Cameras write `2013:10:30 11:34:37`.
    if mark.is(":") { return peek().digits == 4 && peek(3).is(":") && peek(4).digits == 2 }
    // A time may follow, or a zone: `2019-11-27-21:38`, `27-21:38`.
    return second.isAdjacent && (mark.is("/") || (mark.is("-") && !peek(3).is(":")))
  }

  private mutating func readNumericDate() -> Bool {
    let (first, mark, second, third) = (peek(), peek(1).text, peek(2), peek(4))
    guard peek(3).is(mark), third.kind == .number, third.isAdjacent || mark == "." else {
      return skip(3) && setShortDate(first, second, mark: mark)
    }
    index += 5
    // `27. 11. 2019.` has a last point.
    if mark == ".", peek().is(".") { index += 1 }
    return setNumericDate(first, second, third, mark: mark)
  }

  /// Sets `1997-07`, `07/1997`, or the ordinal dates `1997-197`, `97-197`.
  private mutating func setShortDate(
    _ first: DateToken,
    _ second: DateToken,
    mark: String,
  ) -> Bool {
    if mark == "-", second.digits == 3 {
      guard first.digits == 4 || first.digits == 2 else { return false }
      let year = first.digits == 4 ? first.value : DateFields.fullYear(first.value)
      return fields.setDate(CivilDate(year: year, ordinal: second.value))
    }
    let (year, month) = first.digits == 4 ? (first, second) : (second, first)
    return year.digits == 4 && month.mayBeDayOrMonth && (1...12).contains(month.value)
      && fields.setYear(year.value) && fields.setMonth(DateNames.Name(number: month.value))
  }

  /// Reads `11 04 2020` or `2020 04 11` after the first number.
  private mutating func readSpacedDate(_ first: DateToken) -> Bool {
    let (second, third) = (peek(), peek(1))
    let isYearFirst = first.digits == 4
    guard second.mayBeDayOrMonth else { return isYearFirst }
    guard isYearFirst ? third.mayBeDayOrMonth : third.digits == 4, !peek(2).is(":") else {
      // A year before a day and the name of the month.
      return isYearFirst && isFollowedByMonth
    }
    index += 2
    return setNumericDate(first, second, third, mark: " ")
  }

  private mutating func setNumericDate(
    _ first: DateToken,
    _ second: DateToken,
    _ third: DateToken,
    mark: String,
  ) -> Bool {
    guard second.mayBeDayOrMonth else { return false }
    if first.digits == 4 {
      return third.mayBeDayOrMonth && first.value > 0
        && fields.setDate(CivilDate(year: first.value, month: second.value, day: third.value))
    }
    let isShort = third.digits <= 2 || (mark == "-" && third.mayBeDayOrMonth)
    // `1.2.3` is the number of a version rather than a date.
    guard first.mayBeDayOrMonth, isShort || third.digits == 4, third.digits > 1 || mark == "-"
    else {
      return false
    }
    let year = isShort ? DateFields.fullYear(third.value) : third.value
    let monthFirst = CivilDate(year: year, month: first.value, day: second.value)
    let dayFirst = CivilDate(year: year, month: second.value, day: first.value)
    let yearFirst =
      isShort && first.digits == 2 && third.value > 0
      ? CivilDate(
        year: DateFields.fullYear(first.value),
        month: second.value,
        day: third.value,
      ) : nil
    guard year > 0 else { return false }
    if mark == "." { return fields.setDate(dayFirst) }
    if mark == "-", isShort { return fields.setDate(yearFirst) }
    // `19/11/27` is written by some as year, month, day.
    let isUnsure = monthFirst == nil && !fields.isDayFirst && fields.weekday == nil
    return !(isUnsure && yearFirst != nil) && fields.setDate(monthFirst, dayFirst)
  }

  private var weekDistance: Int? {
    let distance = peek(1).is("-") ? 2 : 1
    return peek().digits == 4 && peek(distance).is("w") && peek(distance + 1).kind == .number
      ? distance + 1 : nil
  }

  /// Reads `2004-W53-6`, `2004W536`, or a week alone, which begins on Monday: `2004-W53`.
  private mutating func readWeekDate(week distance: Int) -> Bool {
    let (year, number) = (peek().value, peek(distance))
    var (week, weekday) = (number.value, 1)
    index += distance + 1
    if number.digits == 3 {
      (week, weekday) = week.quotientAndRemainder(dividingBy: 10)
    } else if peek().is("-"), peek().isAdjacent, peek(1).digits == 1 {
      weekday = peek(1).value
      index += 2
    }
    return (2...3).contains(number.digits) && fields.isUndated
      && fields.setDate(CivilDate(year: year, week: week, weekday: weekday))
  }

  /// Reads `-0312` or `-03-12`: year and month of the century (ISO 8601:1988 §5.2.1.2).
  mutating func readCenturylessDate() -> Bool {
    let first = peek(1)
    guard first.isAdjacent else { return false }
    var (year, month) = first.value.quotientAndRemainder(dividingBy: 100)
    if tokens.count == 4, first.digits == 2, peek(2).is("-"), peek(3).digits == 2 {
      (year, month) = (first.value, peek(3).value)
    } else if tokens.count != 2 || first.digits != 4 {
      return false
    }
    index = tokens.count
    return fields.setYear(DateFields.fullYear(year))
      && fields.setMonth(DateNames.Name(number: month))
  }
}
