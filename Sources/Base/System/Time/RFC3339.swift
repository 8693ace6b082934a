package enum RFC3339 {
  /// Returns `YYYY-MM-DDTHH:MM:SSZ`.
  ///
  /// Instants outside the years 0 to 9999 become the nearest that has this form.
  package static func string(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    guard seconds == seconds else { return "0000-01-01T00:00:00Z" }
    let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799).rounded(.down)
    let day = CivilDate(daysSinceEpoch: Int((clamped / 86_400).rounded(.down)))
    let time = Int(clamped) - day.daysSinceEpoch * 86_400
    var text = Array("0000-00-00T00:00:00Z".utf8)
    for (number, end) in [
      (day.year, 4), (day.month, 7), (day.day, 10), (time / 3600, 13), (time / 60 % 60, 16),
      (time % 60, 19),
    ] {
      var (rest, index) = (number, end)
      while rest > 0 {
        index -= 1
        text[index] += UInt8(rest % 10)
        rest /= 10
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
