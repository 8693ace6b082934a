extension DateReader {
  mutating func readWord(_ token: DateText.Token) -> Bool {
    let word = text.text(of: token)
    if let first = word.first, first >= 0xE2 { return readEastAsianWord(token) }
    if isWord(token, "t"), let next = self.token(1), next.kind == .number, next.isAdjacent {
      return readTimeAfterT(next)
    }
    if DateWords.isEnglishWeekday(word), let weekday = DateWords.weekday(word) {
      return setWeekday(weekday)
    }
    // `PT` and `ET` are days in other languages: after a time they are zones.
    if time != nil, readZoneName() { return true }
    let weekday = DateWords.weekday(word)
    if let month = DateWords.month(word), weekday == nil || !isWeekdayHere {
      return setMonth(month)
    }
    if let weekday { return setWeekday(weekday) }
    if DateWords.isFiller(word) || isTitle(token) {
      index += 1
      return true
    }
    // Without a time no single letter is a zone, but for the `Z` of ISO 8601.
    return hasDate && (word.count > 1 || isWord(token, "z")) && readZoneName()
  }

  private mutating func setMonth(_ match: DateWords.Match) -> Bool {
    guard month == nil, date == nil, ambiguous.isEmpty else { return false }
    month = match.number
    isForeign = isForeign || match.isForeign
    index += 1
    return true
  }

  private mutating func setWeekday(_ match: DateWords.Match) -> Bool {
    guard weekday == nil else { return false }
    weekday = match.number
    isForeign = isForeign || match.isForeign
    index += 1
    return true
  }

  /// Whether `mar`, a month in some languages and a day in others, is a day where it stands: when
  /// the month is told otherwise.
  private var isWeekdayHere: Bool {
    if month != nil || hasDate { return true }
    guard day == nil else { return false }
    let rest = text.tokens[(index + 1)...]
    if rest.contains(where: { $0.kind == .word && DateWords.month(text.text(of: $0)) != nil }) {
      return true
    }
    let numbers = rest.drop { $0.kind != .number }
    guard let mark = numbers.dropFirst().first else { return false }
    return (mark.isSymbol("/") || mark.isSymbol("-") || mark.isSymbol("."))
      && numbers.dropFirst(2).first?.kind == .number
  }

  /// Whether an unknown word is the name of a day all the same: the first, and before a comma.
  private func isTitle(_ token: DateText.Token) -> Bool {
    guard index == 0, weekday == nil, TimeZoneName(text.text(of: token)) == nil else {
      return false
    }
    let distance = self.token(1)?.isSymbol(".") == true ? 2 : 1
    return self.token(distance)?.isSymbol(",") == true
  }

  /// The time after the `T` of ISO 8601, which may be written without colons.
  private mutating func readTimeAfterT(_ number: DateText.Token) -> Bool {
    guard hasDate, time == nil else { return false }
    index += 1
    if token(1)?.isSymbol(":") == true { return readClock() }
    var parts = (hour: number.value, minute: 0, second: 0)
    switch number.digits {
    case 2: break
    case 4: parts = (number.value / 100, number.value % 100, 0)
    case 6: parts = (number.value / 10_000, number.value / 100 % 100, number.value % 100)
    default: return false
    }
    index += 1
    if let point = token(0), point.isSymbol(".") || point.isSymbol(","),
      token(1)?.kind == .number, number.digits == 6
    {
      index += 2
    }
    return setTime(hour: parts.hour, minute: parts.minute, second: parts.second)
  }

  private mutating func readEastAsianWord(_ token: DateText.Token) -> Bool {
    guard
      let meaning = EastAsianDateWords.meaning(of: text.text(of: token), isAfterNumber: false)
    else { return false }
    index += 1
    switch meaning {
    case .month(let number): return setMonthNumber(number)
    case .weekday(let number):
      guard weekday == nil else { return false }
      weekday = number
    case .half(let half):
      guard self.half == nil else { return false }
      self.half = half
    case .unit: return false
    }
    return true
  }

  private mutating func setMonthNumber(_ number: Int) -> Bool {
    guard month == nil, date == nil, ambiguous.isEmpty else { return false }
    month = number
    return true
  }
}
