@usableFromInline package enum RFC3339 {
  /// Returns `YYYY-MM-DDTHH:MM:SSZ`.
  ///
  /// Instants outside the years 0 to 9999 become the nearest that has this form.
  package static func string(_ date: Date) -> String { withUTF8(of: date, \.string) }

  /// Calls `body` with the twenty bytes of the text.
  @inlinable package static func withUTF8<R>(
    of date: Date,
    _ body: (UnsafeBufferPointer<UInt8>) -> R,
  ) -> R {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { bytes in
      write(date, to: bytes)
      return body(UnsafeBufferPointer(bytes))
    }
  }

  @usableFromInline static func write(_ date: Date, to bytes: UnsafeMutableBufferPointer<UInt8>) {
    let (day, time) = dayAndTime(date)
    _ = bytes.initialize(fromContentsOf: form)
    write(day.year, endingAt: 4, in: bytes)
    write(day.month, endingAt: 7, in: bytes)
    write(day.day, endingAt: 10, in: bytes)
    write(time / 3600, endingAt: 13, in: bytes)
    write(time / 60 % 60, endingAt: 16, in: bytes)
    write(time % 60, endingAt: 19, in: bytes)
  }

  private static func dayAndTime(_ date: Date) -> (CivilDate, Int) {
    let seconds = date.timeIntervalSince1970
    let first = -62_167_219_200.0
    let clamped =
      seconds.isNaN ? first : min(max(seconds, first), 253_402_300_799).rounded(.down)
    let day = CivilDate(daysSinceEpoch: Int((clamped / 86_400).rounded(.down)))
    return (day, Int(clamped) - day.daysSinceEpoch * 86_400)
  }

  private static let form = Array("0000-00-00T00:00:00Z".utf8)

  private static func write(
    _ number: Int,
    endingAt end: Int,
    in bytes: UnsafeMutableBufferPointer<UInt8>,
  ) {
    var (rest, index) = (number, end)
    while rest > 0 {
      index -= 1
      bytes[index] += UInt8(rest % 10)
      rest /= 10
    }
  }
}
