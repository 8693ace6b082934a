internal import CivilDates

/// Reads dates of any form, piece by piece: every piece must have a meaning, and the whole only one.
///
/// Each piece is read once, from the left; what it is follows from itself, its neighbours, and what
/// has been read already. The last word on whether it is a date is `seconds()`.
struct DateReader {
  let text: DateText
  var index = 0

  var year: Int?
  var month: Int?
  var day: Int?
  /// The whole date, where it was no year, month and day (ordinal and week dates).
  var date: CivilDate?
  /// Numbers of which it is not clear which is the month.
  var ambiguous: [CivilDate] = []
  var weekday: Int?
  /// Whether a word told that the text is not American.
  var isForeign = false

  /// Seconds since midnight.
  var time: Int?
  var half: DayHalf?
  /// Seconds east of Greenwich, from digits.
  var offset: Int?
  /// The same, from a name.
  var zone: TimeZoneName?

  init(_ text: DateText) {
    self.text = text
  }

  /// Seconds since 1970, or nil if the text is no date.
  mutating func seconds() -> Int? {
    while index < text.tokens.count {
      guard readPiece() else { return nil }
    }
    guard let date = wholeDate(), let time = timeOfDay() else { return nil }
    let local = date.daysSinceEpoch * 86_400 + time
    return offset(at: local).map { local - $0 }
  }

  private mutating func readPiece() -> Bool {
    let token = text.tokens[index]
    return switch token.kind {
    case .number: readNumber(token)
    case .word: readWord(token)
    case .symbol: readSymbol(token)
    }
  }

  /// Whether year, month and day are known, so that numbers to come are none of them.
  var hasDate: Bool {
    date != nil || !ambiguous.isEmpty || (year != nil && month != nil && day != nil)
  }

  func token(_ distance: Int) -> DateText.Token? {
    let position = index + distance
    return text.tokens.indices.contains(position) ? text.tokens[position] : nil
  }

  func isWord(_ token: DateText.Token?, _ word: StaticString) -> Bool {
    guard let token, token.kind == .word else { return false }
    let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    return text.text(of: token).elementsEqual(bytes)
  }

  private func wholeDate() -> CivilDate? {
    if let date { return date }
    if !ambiguous.isEmpty { return onlyPossible() }
    guard let year, year > 0 else { return nil }
    guard let month else {
      // `2003` is a year; a number of another size is hardly meant as one.
      let isPlausible = (1900...2199).contains(year)
      return day == nil && time == nil && isPlausible
        ? CivilDate(year: year, month: 1, day: 1) : nil
    }
    guard day != nil || time == nil else { return nil }
    return CivilDate(year: year, month: month, day: day ?? 1)
  }

  /// The one of two readings of a numeric date that something else in the text speaks for.
  private func onlyPossible() -> CivilDate? {
    if ambiguous.count == 1 { return ambiguous.first }
    if let weekday, weekday != DateWords.someWeekday {
      let matching = ambiguous.filter { $0.weekday == weekday }
      if matching.count == 1 { return matching.first }
    }
    // The first reading is that of the Americans, with the month before the day.
    if isForeign { return ambiguous.last }
    return half != nil && zone?.isAmerican == true ? ambiguous.first : nil
  }

  private func timeOfDay() -> Int? {
    guard let time else { return half == nil ? 0 : nil }
    let hour = time / 3600
    switch half {
    case nil: return time
    case .morning:
      guard hour <= 12 else { return nil }
      return hour == 12 ? time - 43_200 : time
    case .afternoon: return hour < 12 ? time + 43_200 : time
    }
  }

  private func offset(at local: Int) -> Int? {
    if let offset { return offset }
    if let zone { return zone.offset(atLocal: local) }
    if let zone = TimeZoneName(text.comment[...]) { return zone.offset(atLocal: local) }
    // Dates in Korean come from one zone; the services that write them never name it.
    return text.isKorean && time != nil ? 9 * 3600 : 0
  }
}
