extension DateReader {
  /// Takes a mark: punctuation, or the sign of a zone.
  mutating func readSymbol(_ token: DateText.Token) -> Bool {
    if token.isSymbol("+") || token.isSymbol("-"), let digits = self.token(1),
      digits.kind == .number, isOffset(digits)
    {
      return readOffset(sign: token.isSymbol("-") ? -1 : 1, digits: digits)
    }
    if index == 0, token.isSymbol("-") { return readCenturylessDate() }
    index += 1
    let mayStandAlone = [",", ".", "-", "|", "/", "_", "@", "~"] as [Character]
    return mayStandAlone.contains { token.isSymbol($0) }
  }

  /// Whether a number after a sign is a zone and not the time or a part of the date.
  private func isOffset(_ digits: DateText.Token) -> Bool {
    if time != nil { return digits.isAdjacent || digits.digits == 4 }
    // Without a time only what can be nothing else: `2002-10-10+13:00`, `26 Sep 2022 -0500`.
    let isPlus = token(0)?.isSymbol("+") == true
    return hasDate && digits.isAdjacent && (isPlus || token(2) == nil) && digits.digits != 1
      && (isPlus || digits.digits == 4)
  }

  /// `+hh:mm`, `+hhmm`, `+hh`, `+h`; some write seconds too.
  private mutating func readOffset(sign: Int, digits: DateText.Token) -> Bool {
    index += 2
    var (hour, minute) = (digits.value, 0)
    switch digits.digits {
    case 1, 2:
      if let colon = token(0), colon.isSymbol(":"), let minutes = token(1),
        minutes.kind == .number, minutes.digits == 2
      {
        minute = minutes.value
        index += 2
        skipZeroSeconds()
      }
    case 3, 4: (hour, minute) = (digits.value / 100, digits.value % 100)
    default: return false
    }
    guard hour < 24, minute < 60 else { return false }
    // Go names zones without a name by their offset: `+0300 +03`.
    let seconds = sign * (hour * 3600 + minute * 60)
    guard offset == nil || offset == seconds else { return false }
    offset = seconds
    return true
  }

  private mutating func skipZeroSeconds() {
    if token(0)?.isSymbol(":") == true, let seconds = token(1), seconds.kind == .number,
      seconds.value == 0
    {
      index += 2
    }
  }

  /// Takes the name of a zone, also one like `Europe/Brussels`.
  mutating func readZoneName() -> Bool {
    guard let first = token(0) else { return false }
    var last = first
    var length = 1
    while let slash = token(length), slash.isSymbol("/"), slash.isAdjacent,
      let next = token(length + 1), next.kind == .word, next.isAdjacent
    {
      last = next
      length += 2
    }
    guard let name = TimeZoneName(text.bytes[first.range.lowerBound..<last.range.upperBound])
    else { return readZoneLabel(first) }
    // `EST -0500`, `GMT UTC`: two that mean the same.
    guard zone == nil || zone == name || offset != nil else { return false }
    zone = zone ?? name
    index += length
    return readSignsOfEtc(name)
  }

  /// Skips a name that is not known, or not sure, where digits say what it means: `+0530 IST`.
  private mutating func readZoneLabel(_ name: DateText.Token) -> Bool {
    let isExplained =
      offset != nil
      || (token(1).map { $0.isSymbol("+") || $0.isSymbol("-") } == true
        && token(2)?.digits == 4)
    guard isExplained, (2...5).contains(name.range.count),
      DateWords.month(text.text(of: name)) == nil, DateWords.weekday(text.text(of: name)) == nil
    else { return false }
    index += 1
    return true
  }

  /// The numbers of `Etc/GMT+5` count westwards, other than those of `GMT+5`.
  private mutating func readSignsOfEtc(_ name: TimeZoneName) -> Bool {
    guard name == .etc else { return true }
    guard let sign = token(0), sign.isSymbol("+") || sign.isSymbol("-"), let hours = token(1),
      hours.kind == .number, hours.digits <= 2, hours.value <= 14, offset == nil
    else { return true }
    index += 2
    offset = (sign.isSymbol("-") ? 1 : -1) * hours.value * 3600
    return true
  }

  /// `-0312` and `-03-12`: year and month of the century (ISO 8601:1988 §5.2.1.2).
  private mutating func readCenturylessDate() -> Bool {
    guard let first = token(1), first.kind == .number, first.isAdjacent else { return false }
    if text.tokens.count == 2, first.digits == 4 {
      (year, month) = (Self.fullYear(first.value / 100), first.value % 100)
    } else if text.tokens.count == 4, first.digits == 2, token(2)?.isSymbol("-") == true,
      let second = token(3), second.kind == .number, second.digits == 2
    {
      (year, month) = (Self.fullYear(first.value), second.value)
    } else {
      return false
    }
    index = text.tokens.count
    return true
  }
}
