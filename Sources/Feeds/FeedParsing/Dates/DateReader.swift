/// The reader of dates in any form, of which every piece must have a meaning.
///
/// Each piece is read once, from the left; its meaning follows from itself, its neighbours, and
/// what has been read already. The functions return false where the pieces that they take mean
/// nothing.
struct DateReader {
  var fields = DateFields()
  let tokens: [DateToken]
  /// The place of the feed, by which its zones are read; nil where nothing is known of it.
  var place: DatePlace?
  var index = 0
  private var era: DateFields.Era?

  static func fields(of text: DateText, in place: DatePlace? = nil) -> DateFields? {
    var reader = Self(tokens: text.tokens, place: place)
    while reader.index < text.tokens.count {
      guard reader.readPiece() else { return nil }
    }
    var fields = reader.fields
    fields.zone = fields.zone ?? TimeZoneName(text.comment)
    if let era = reader.era ?? (text.isThai ? .buddhist : fields.eraOfZone) { fields.take(era) }
    // Dates in Korean come from one zone; the services that write them never name it.
    if text.isKorean, fields.time != nil { fields.zone = fields.zone ?? TimeZoneName("kst") }
    return fields
  }

  private mutating func readPiece() -> Bool {
    switch peek().kind {
    case .number: readNumber()
    case .word: readWord()
    case .symbol: readSymbol()
    case .end: true
    }
  }

  func peek(_ distance: Int = 0) -> DateToken {
    let position = index + distance
    return position < tokens.count ? tokens[position] : .end
  }

  mutating func skip(_ count: Int) -> Bool {
    index += count
    return true
  }

  private mutating func readWord() -> Bool {
    let word = peek()
    if word.is("t"), peek(1).kind == .number, peek(1).isAdjacent { return readTimeAfterT() }
    if word.is("m"), peek(1).is("=") { return skipMonotonicClock() }
    // `PT` and `ET` are days in other languages: after a time they are zones.
    if fields.time != nil, readZone() { return true }
    let meanings = DateNames.meanings(word.text)
    let (month, weekday) = (meanings.month, meanings.weekday)
    if let month, weekday == nil || !isWeekdayHere { return skip(1) && fields.setMonth(month) }
    if let weekday { return skip(1) && fields.setWeekday(weekday) }
    if let half = DateNames.eastAsianHalves[word.text] { return skip(1) && fields.setHalf(half) }
    if DateNames.fillers.contains(word.text) || isTitle { return skip(1) }
    if let month = meanings.persianMonth {
      era = .persian
      return skip(1) && fields.setMonth(month)
    }
    if let era = meanings.era {
      self.era = era
      return skip(1)
    }
    // Without a time no single letter is a zone, but for the `Z` of ISO 8601.
    return fields.hasDate && (word.text.utf8.count > 1 || word.is("z")) && readZone()
  }

  /// True of `mar`, a month in some languages and a day in others, where another piece is the
  /// month.
  private var isWeekdayHere: Bool {
    if fields.month != nil || fields.hasDate { return true }
    guard fields.day == nil else { return false }
    let rest = tokens[(index + 1)...]
    if rest.contains(where: { DateNames.month($0.text) != nil }) { return true }
    let numbers = rest.drop { $0.kind != .number }.prefix(3).map { $0 }
    return numbers.count == 3 && ["/", "-", "."].contains(numbers[1].text)
      && numbers[2].kind == .number
  }

  /// True of an unknown word at the beginning and before a comma, which can only be a day's name.
  private var isTitle: Bool {
    index == 0 && (TimeZoneName(peek().text) == nil || peek().text.utf8.count == 1)
      && peek(peek(1).is(".") ? 2 : 1).is(",")
  }

  /// Skips a clock that is no time of day, which Go prints behind times: `m=+0.001`.
  private mutating func skipMonotonicClock() -> Bool {
    let rest = tokens[(index + 2)...]
    index = tokens.count
    return fields.time != nil && rest.first?.isSign == true && rest.last?.kind == .number
      && rest.dropFirst().allSatisfy { $0.kind == .number || $0.is(".") }
  }

  private mutating func readSymbol() -> Bool {
    if peek().isSign, peek(1).kind == .number, isOffset { return readOffset() }
    if index == 0, peek().is("-") { return readCenturylessDate() }
    // `30/Oct/2013:11:34:37`, as logs of servers have it.
    if peek().is(":"), peek(1).isAdjacent, fields.hasDate, fields.time == nil { return skip(1) }
    return Self.punctuation.contains(peek().text) && skip(1)
  }

  private static let punctuation: Set = [",", ".", "-", "|", "/", "_", "@", "~"]

  private var isOffset: Bool {
    let digits = peek(1)
    if fields.time != nil { return digits.isAdjacent || digits.digits == 4 }
    // Without a time it can be nothing else in `2002-10-10+13:00`, `26 Sep 2022 -0500`.
    guard fields.hasDate, digits.isAdjacent else { return false }
    return peek().is("+") ? digits.digits != 1 : digits.digits == 4 && peek(2).kind == .end
  }

  /// Reads `+hh:mm`, `+hhmm`, `+hh`, `+h`; some write seconds too.
  private mutating func readOffset() -> Bool {
    let (sign, number) = (peek().is("-") ? -1 : 1, peek(1))
    index += 2
    var (hour, minute) = (number.value, 0)
    if number.digits > 2 {
      (hour, minute) = number.value.quotientAndRemainder(dividingBy: 100)
    } else if peek().is(":"), peek(1).digits == 2 {
      minute = peek(1).value
      index += 2
      if peek().is(":"), peek(1).kind == .number, peek(1).value == 0 { index += 2 }
    }
    guard number.digits <= 4, hour < 24, minute < 60 else { return false }
    // Go names zones without a name by their offset: `+0300 +03`.
    let seconds = sign * (hour * 3600 + minute * 60)
    guard fields.offset == nil || fields.offset == seconds else { return false }
    fields.offset = seconds
    return true
  }

  private mutating func readZone() -> Bool {
    var (name, length) = (peek().text, 1)
    while peek(length).is("/"), peek(length).isAdjacent, peek(length + 1).kind == .word,
      peek(length + 1).isAdjacent
    {
      name += "/" + peek(length + 1).text
      length += 2
    }
    guard let zone = place?.zone(name) ?? TimeZoneName(name) else { return readZoneLabel() }
    // `EST -0500`, `GMT UTC`: two that mean the same.
    guard fields.zone == nil || fields.zone == zone || fields.offset != nil else { return false }
    fields.zone = fields.zone ?? zone
    index += length
    // The numbers of `Etc/GMT+5` count westwards, other than those of `GMT+5`.
    if name == "etc/gmt", peek().isSign, (1...2).contains(peek(1).digits), peek(1).value <= 14,
      fields.offset == nil
    {
      fields.offset = (peek().is("-") ? 1 : -1) * peek(1).value * 3600
      index += 2
    }
    return true
  }

  private func isNoName(_ word: String) -> Bool {
    let meanings = DateNames.meanings(word)
    return meanings.month == nil && meanings.weekday == nil
  }

  /// Skips an unknown or ambiguous name that digits explain: `+0530 IST`.
  private mutating func readZoneLabel() -> Bool {
    let name = peek().text
    let isExplained = fields.offset != nil || (peek(1).isSign && peek(2).digits == 4)
    return isExplained && (2...5).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0 < 0x80 } && isNoName(name) && skip(1)
  }
}
