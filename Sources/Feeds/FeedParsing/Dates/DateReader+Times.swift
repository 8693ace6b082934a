extension DateReader {
  /// True of a number that what follows makes an hour: `9pm`, `15h30`, `15 Uhr`, `15.30`.
  var isHour: Bool {
    guard peek().digits <= 2, fields.time == nil else { return false }
    if half(at: 1) != nil || peek(1).is("h") || peek(1).is("uhr") { return true }
    // Finnish and German clocks; only where the date is known and this is no part of it.
    return fields.hasDate && peek(1).is(".") && peek(1).isAdjacent && peek(2).digits == 2
      && peek(2).isAdjacent
  }

  mutating func readClock() -> Bool {
    let (hour, mark) = (peek(), peek(1).text)
    guard hour.digits <= 2 else { return false }
    if half(at: 1) != nil {
      index += 1
      return (1...12).contains(hour.value) && fields.setTime(hour: hour.value) && readHalf()
    }
    var (minute, second) = (DateToken.end, DateToken.end)
    index += 2
    if mark == ":" || peek().digits == 2 {
      minute = peek()
      guard minute.kind == .number else { return false }
      index += 1
      if peek(1).kind == .number, peek().is(":") || (peek().is(mark) && peek(1).digits == 2) {
        second = peek(1)
        index += 2
        skipFraction()
        skipExcess()
      }
    }
    return minute.digits <= 2 && second.digits <= 2
      && fields.setTime(hour: hour.value, minute: minute.value, second: second.value)
      && readHalf()
  }

  mutating func readTimeAfterT() -> Bool {
    guard fields.hasDate, fields.time == nil else { return false }
    index += 1
    if peek(1).is(":") { return readClock() }
    let number = peek()
    index += 1
    if number.digits == 6 { skipFraction() }
    return [2, 4, 6].contains(number.digits)
      && setTime(compact: number.value, digits: number.digits)
  }

  mutating func setTime(compact value: Int, digits: Int) -> Bool {
    let value = digits == 2 ? value * 10_000 : digits == 4 ? value * 100 : value
    return fields.setTime(hour: value / 10_000, minute: value / 100 % 100, second: value % 100)
  }

  /// Skips the digits after the seconds, behind a point or, as ISO 8601 has it, a comma.
  private mutating func skipFraction() {
    if peek().is(".") || peek().is(","), peek().isAdjacent, peek(1).kind == .number,
      peek(1).isAdjacent
    {
      index += 2
    }
  }

  /// Skips a colon before the zone, two more zeros, or thousandths, which some programs write
  /// behind the seconds.
  private mutating func skipExcess() {
    guard peek().is(":") else { return }
    if peek(1).isSign { index += 1 }
    if peek(1).digits == 3 || (peek(1).digits == 2 && peek(1).value == 0) { index += 2 }
  }

  /// Reads `pm`, `p.m.`, `a. m.`, `μμ` after a time, or nothing.
  private mutating func readHalf() -> Bool {
    guard let (half, length) = half(at: 0) else { return true }
    index += length
    return fields.setHalf(half)
  }

  private func half(at distance: Int) -> (half: DayHalf, length: Int)? {
    var (text, length) = (peek(distance).text, 1)
    guard peek(distance).kind == .word else { return nil }
    if text.count == 1 {
      length += peek(distance + 1).is(".") ? 2 : 1
      text += peek(distance + length - 1).text
    }
    guard let half = DateNames.halves[text] else { return nil }
    return (half, peek(distance + length).is(".") ? length + 1 : length)
  }
}
