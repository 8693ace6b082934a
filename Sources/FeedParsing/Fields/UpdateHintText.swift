import FeedModel
internal import System

/// Reads what a feed asks of those who come back for it (RSS 2.0, RSS 1.0 Syndication).
enum UpdateHintText {
  static func take(_ draft: Draft, into hints: inout UpdateHints) {
    hints.timeToLive = number(.timeToLive, draft)
    hints.updateFrequency = number(.updateFrequency, draft)
    if let field = draft.field(.updatePeriod) {
      hints.updatePeriod = period(draft.buffer.bytes(field.span))
    }
    if let field = draft.field(.updateBase) {
      hints.updateBase = FeedDate.date(utf8: draft.buffer.bytes(field.span))
    }
  }

  /// 0 to 23; some feeds count to 24.
  static func hour(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let hour = Int(text.string), 0...24 ~= hour else { return nil }
    return hour % 24
  }

  /// 0 (Sunday) to 6.
  static func day(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    let name = text.string.lowercased()
    return CalendarName.weekdays.firstIndex { $0.lowercased() == name }
  }

  private static func period(_ text: UnsafeBufferPointer<UInt8>) -> Duration? {
    let hours: [(StaticString, Int)] = [
      ("hourly", 1), ("daily", 24), ("weekly", 168), ("monthly", 720), ("yearly", 8760),
    ]
    let found = hours.first { text.isEqual(ignoringCase: $0.0) }
    return found.map { .seconds($0.1 * 3600) }
  }

  private static func number(_ element: FeedElement, _ draft: Draft) -> Int? {
    guard let field = draft.field(element),
      let number = Int(draft.buffer.bytes(field.span).string), 1...10_000_000 ~= number
    else { return nil }
    return number
  }
}
