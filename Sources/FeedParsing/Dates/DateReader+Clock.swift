extension DateReader {
  /// Reads `h:m`, `h:m:s` and what follows them directly; the index is at the hour.
  mutating func readClock() -> Bool {
    guard let hour = token(0), let minute = token(2), minute.kind == .number, hour.digits <= 2,
      minute.digits <= 2
    else {
      return false
    }
    var second = 0
    index += 3
    if let colon = token(0), colon.isSymbol(":"), let third = token(1), third.kind == .number {
      guard third.digits <= 2 else { return false }
      second = third.value
      index += 2
      skipFraction()
      guard skipRest() else { return false }
    }
    guard setTime(hour: hour.value, minute: minute.value, second: second) else { return false }
    return readHalf()
  }

  /// The digits after the seconds, behind a point or, as ISO 8601 has it, a comma.
  private mutating func skipFraction() {
    if let point = token(0), point.isSymbol(".") || point.isSymbol(","), point.isAdjacent,
      let digits = token(1), digits.kind == .number, digits.isAdjacent
    {
      index += 2
    }
  }

  /// What some programs write behind the seconds: a colon before the zone, or two more zeros.
  private mutating func skipRest() -> Bool {
    guard let colon = token(0), colon.isSymbol(":"), let next = token(1) else { return true }
    if next.isSymbol("+") || next.isSymbol("-") {
      index += 1
      return true
    }
    guard next.kind == .number, next.digits == 2, next.value == 0 else { return false }
    index += 2
    return true
  }

  /// Takes a time of day; one that says midnight may be followed by a better one.
  mutating func setTime(hour: Int, minute: Int, second: Int) -> Bool {
    guard time == nil || time == 0, minute < 60, second <= 60 else { return false }
    // ISO 8601 calls the end of the day 24:00; a leap second counts as the first of the next minute.
    guard hour < 24 || (hour == 24 && minute == 0 && second == 0) else { return false }
    time = hour * 3600 + minute * 60 + second
    return true
  }

  /// `pm`, `p.m.`, `a. m.`, `μμ` after a time, or nothing.
  mutating func readHalf() -> Bool {
    guard let length = halfMark(at: 0) else { return true }
    guard half == nil, let word = token(0) else { return false }
    let isMorning =
      isWord(word, "am") || isWord(word, "a") || isWord(word, "πμ") || isWord(word, "π")
    half = isMorning ? .morning : .afternoon
    index += length
    return true
  }

  /// How many pieces of a mark of a half of the day stand at a distance.
  func halfMark(at distance: Int) -> Int? {
    guard let word = token(distance) else { return nil }
    if isWord(word, "am") || isWord(word, "pm") || isWord(word, "πμ") || isWord(word, "μμ") {
      return token(distance + 1)?.isSymbol(".") == true ? 2 : 1
    }
    let isGreek = isWord(word, "π") || isWord(word, "μ")
    guard isWord(word, "a") || isWord(word, "p") || isGreek else { return nil }
    let hasPoint = token(distance + 1)?.isSymbol(".") == true
    let letter = distance + (hasPoint ? 2 : 1)
    guard isWord(token(letter), isGreek ? "μ" : "m") else { return nil }
    return (token(letter + 1)?.isSymbol(".") == true ? letter + 2 : letter + 1) - distance
  }

  /// Whether a number is an hour because of what follows: `9pm`, `15h30`, `15 Uhr`, `15.30`.
  func isHourMark(_ next: DateText.Token, after hour: DateText.Token) -> Bool {
    guard hour.digits <= 2, time == nil else { return false }
    if halfMark(at: 1) != nil { return true }
    if isWord(next, "h") || isWord(next, "uhr") { return true }
    // Finnish and German clocks; only where the date is known and this is no part of it.
    return hasDate && next.isSymbol(".") && next.isAdjacent && token(2)?.digits == 2
      && token(2)?.isAdjacent == true && token(2)?.kind == .number
  }

  mutating func readHourAndMark(_ hour: DateText.Token) -> Bool {
    index += 1
    var minute = 0
    var second = 0
    if halfMark(at: 0) == nil {
      index += 1
      if let minutes = clockPart() {
        minute = minutes
        if token(0)?.isSymbol(".") == true || token(0)?.isSymbol(":") == true {
          index += 1
          second = clockPart() ?? 0
        }
      }
    }
    guard halfMark(at: 0) == nil || (1...12).contains(hour.value) else { return false }
    return setTime(hour: hour.value, minute: minute, second: second) && readHalf()
  }

  private mutating func clockPart() -> Int? {
    guard let part = token(0), part.kind == .number, part.digits == 2 else { return nil }
    index += 1
    return part.value
  }

  /// The unit that the number before a word has in Chinese, Japanese and Korean.
  func unit(of word: DateText.Token) -> EastAsianDateWords.Unit? {
    guard word.kind == .word, word.isAdjacent,
      case .unit(let unit) = EastAsianDateWords.meaning(
        of: text.text(of: word),
        isAfterNumber: true,
      )
    else { return nil }
    return unit
  }

  /// Takes a number with its unit: `2004年`, `5월`, `10時`.
  mutating func readNumber(_ number: DateText.Token, unit: EastAsianDateWords.Unit) -> Bool {
    index += 2
    let value = number.value
    switch unit {
    case .year:
      return setYear(number.digits <= 2 ? Self.fullYear(value) : value)
    case .month where month == nil && date == nil: month = value
    case .day where day == nil && date == nil: day = value
    case .hour: return number.digits <= 2 && setTime(hour: value, minute: 0, second: 0)
    case .minute where value < 60: time = time.map { $0 + value * 60 }
    case .second where value <= 60: time = time.map { $0 + value }
    default: return false
    }
    return true
  }
}
