internal import CivilDates

extension DateReader {
  mutating func readNumber(_ token: DateText.Token) -> Bool {
    if let next = self.token(1), token.digits < 10 {
      if next.isSymbol(":"), self.token(2)?.kind == .number { return readClock() }
      if let unit = unit(of: next) { return readNumber(token, unit: unit) }
      if isWeekMark(token) { return readWeekDate(token) }
      if isHourMark(next, after: token) { return readHourAndMark(token) }
      if let separator = separator(from: token, to: next) {
        return readNumericDate(token, separator: separator)
      }
      if next.isAdjacent, isOrdinalMark(next) { index += 1 }
    }
    index += 1
    return readLone(token)
  }

  /// Takes a number that stands on its own; the index is after it.
  private mutating func readLone(_ token: DateText.Token) -> Bool {
    switch token.digits {
    case 1, 2: return readShort(token)
    case 3: return day != nil && month != nil && setYear(token.value + 1900)
    case 4: return setYear(token.value) && (month != nil || readSpacedDate(token))
    case 5, 7: return readOrdinalDate(token)
    case 6, 8, 12, 14: return readCompactDate(token)
    case 10, 13, 16: return readEpoch(token)
    default: return false
    }
  }

  private mutating func readShort(_ token: DateText.Token) -> Bool {
    if day == nil, !hasDate {
      day = token.value
      return month != nil || year != nil || isFollowedByMonth || readSpacedDate(token)
    }
    if year == nil, !hasDate, month != nil, token.digits == 2 {
      return setYear(Self.fullYear(token.value))
    }
    // `Mon, 02 Jan 2006 15 -0700`
    guard hasDate, time == nil, token.value < 24, isFollowedByZone else { return false }
    time = token.value * 3600
    return true
  }

  /// Whether a month's name is still to come: then a number is a day.
  private var isFollowedByMonth: Bool {
    text.tokens[index...].contains { token in
      token.kind == .word
        && (DateWords.month(text.text(of: token)) != nil
          || EastAsianDateWords.meaning(of: text.text(of: token), isAfterNumber: false)?.isMonth
            == true)
        || unit(of: token) == .month
    }
  }

  private var isFollowedByZone: Bool {
    guard let next = token(0) else { return false }
    if next.isSymbol("+") || next.isSymbol("-") { return token(1)?.digits == 4 }
    return next.kind == .word && TimeZoneName(text.text(of: next)) != nil
  }

  /// `11 04 2020`, `2020 04 11`: the index is after the first number.
  private mutating func readSpacedDate(_ first: DateText.Token) -> Bool {
    guard let second = token(0), second.kind == .number, second.digits <= 2 else {
      return first.digits == 4
    }
    guard let third = token(1), third.kind == .number,
      first.digits == 4 ? third.digits <= 2 : third.digits == 4,
      token(2)?.isSymbol(":") != true
    else {
      // A year before a day and the name of the month.
      return first.digits == 4 && isFollowedByMonth
    }
    (year, day) = (nil, nil)
    index += 2
    return setNumericDate(first, second, third, separator: " ")
  }

  /// `20031231`, `20031231101455`, and `031231` of ISO 8601:1988.
  private mutating func readCompactDate(_ token: DateText.Token) -> Bool {
    guard !hasDate, year == nil, month == nil, day == nil else { return false }
    var value = token.value
    if token.digits > 8 {
      var seconds = 0
      if token.digits == 14 { (seconds, value) = (value % 100, value / 100) }
      guard setTime(hour: value / 100 % 100, minute: value % 100, second: seconds) else {
        return false
      }
      value /= 10_000
    }
    let isShort = token.digits == 6
    // Six digits may be a year and a month as well; not if the year would be one before 1000.
    guard !isShort || value < 100_000 else { return false }
    let year = isShort ? Self.fullYear(value / 10_000) : value / 10_000
    guard (1900...2199).contains(year) else { return false }
    date = CivilDate(year: year, month: value / 100 % 100, day: value % 100)
    return date != nil
  }

  /// `2003335`, and `03335` of ISO 8601:1988.
  private mutating func readOrdinalDate(_ token: DateText.Token) -> Bool {
    guard !hasDate, year == nil, token.digits == 7 || token.value < 10_000 else { return false }
    let year = token.value / 1000
    date = CivilDate(
      year: token.digits == 7 ? year : Self.fullYear(year),
      ordinal: token.value % 1000,
    )
    return date != nil && (token.digits == 5 || (1900...2199).contains(year))
  }

  /// Seconds since 1970, or thousandths or millionths of them; a fraction may follow.
  private mutating func readEpoch(_ token: DateText.Token) -> Bool {
    let isAll = text.tokens.count == 1
    let hasFraction =
      text.tokens.count == 3 && text.tokens[1].isSymbol(".") && text.tokens[2].kind == .number
    guard isAll || hasFraction else { return false }
    index = text.tokens.count
    let units = [10: 1, 13: 1000, 16: 1_000_000][token.digits] ?? 1
    let seconds = token.value / units
    guard seconds >= 1_000_000_00 else { return false }
    date = CivilDate(daysSinceEpoch: seconds / 86_400)
    time = seconds % 86_400
    return true
  }

  mutating func setYear(_ value: Int) -> Bool {
    guard year == nil, date == nil, ambiguous.isEmpty else { return false }
    year = value
    return true
  }

  /// RFC 5322 §4.3.
  static func fullYear(_ twoDigits: Int) -> Int {
    twoDigits < 50 ? 2000 + twoDigits : 1900 + twoDigits
  }

  /// `16th`, `1er`, `5º`.
  private func isOrdinalMark(_ token: DateText.Token) -> Bool {
    isWord(token, "st") || isWord(token, "nd") || isWord(token, "rd") || isWord(token, "th")
      || isWord(token, "er") || isWord(token, "e") || isWord(token, "o") || isWord(token, "a")
      || isWord(token, "de") || isWord(token, "ste") || isWord(token, "ro") || isWord(token, "re")
      || isWord(token, "ero")
  }
}

extension EastAsianDateWords.Meaning {
  var isMonth: Bool {
    if case .month = self { true } else { false }
  }
}
