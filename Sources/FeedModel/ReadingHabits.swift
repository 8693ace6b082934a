package import System

/// When the reader looks at the stories, as far as this machine has seen it: how often in each hour of
/// the week, the newer looks counting more.
///
/// Nothing else is noted: not what was read, nor how long.
package struct ReadingHabits: Hashable, Sendable {
  package static let hoursOfWeek = 168
  /// A look counts half after four weeks.
  private static let halfLife = 28 * 86_400.0
  private static let week = 7 * 86_400.0

  /// Looks in each hour of the week, from Sunday 0:00 where the reader is, as of `date`.
  package var looks: [Double]
  /// When the first look was noted.
  package var since: Date
  package var date: Date

  /// - Returns: nil for what cannot be.
  package init?(looks: [Double], since: Date, date: Date) {
    (self.looks, self.since, self.date) = (looks, since, date)
    guard isSound else { return nil }
  }

  package var isSound: Bool {
    looks.count == Self.hoursOfWeek && looks.allSatisfy { (0...1_000).contains($0) }
  }

  /// The first look of all.
  package init(firstLook hour: Int, at now: Date) {
    looks = (0..<Self.hoursOfWeek).map { $0 == hour ? 1 : 0 }
    (since, date) = (now, now)
  }

  /// With another look in an hour of the week.
  package func noting(_ hour: Int, at now: Date) -> ReadingHabits {
    let fading = Self.fading(now.timeIntervalSince(date))
    let looks = looks.enumerated().map { $1 * fading + ($0 == hour ? 1 : 0) }
    return ReadingHabits(looks: looks, since: min(since, now), date: now)
      ?? ReadingHabits(firstLook: hour, at: now)
  }

  private static func fading(_ seconds: Double) -> Double {
    exp2(-max(seconds, 0) / halfLife)
  }

  /// As many weeks as have been seen, the older ones counting less.
  private func weeks(at now: Date) -> Double {
    (1 - Self.fading(now.timeIntervalSince(since))) / (1 - Self.fading(Self.week))
  }

  /// How probable a look is in an hour of the week, from 0 to 1: from what was seen of that hour, and
  /// as long as that is little, of the same hour of other days.
  package func probability(_ hour: Int, at now: Date) -> Double {
    let fading = Self.fading(now.timeIntervalSince(date))
    let weeks = weeks(at: now)
    let sameHour = stride(from: hour % 24, to: Self.hoursOfWeek, by: 24)
    let daily = sameHour.reduce(0) { $0 + looks[$1] } * fading / max(7 * weeks, 1)
    let prior = 1.5
    return min((looks[hour] * fading + prior * min(daily, 1)) / (weeks + prior), 1)
  }

  /// Whether hardly ever anybody looks in that hour of any day, nor in those beside it: less than once in
  /// five weeks, as far as two weeks or more have shown.
  private func isQuiet(_ hour: Int, at now: Date) -> Bool {
    guard now.timeIntervalSince(since) >= 2 * Self.week else { return false }
    let beside = looks.indices.filter { [0, 1, 23].contains(($0 - hour + 168) % 24) }
    let fading = Self.fading(now.timeIntervalSince(date))
    return beside.reduce(0) { $0 + looks[$1] } * fading / weeks(at: now) < 0.2
  }

  /// What the next day's hours are to the reader, the present one included.
  ///
  /// They usually look in an hour in which they did in one of four weeks, or more often. `hourOfWeek` is
  /// that of an instant in seconds since 1970, where the reader is.
  package func forecast(at now: Date, hourOfWeek: (Int) -> Int) -> ReadingForecast {
    let hour = Int(now.timeIntervalSince1970) / 3600 * 3600
    let hours = stride(from: hour, through: hour + 86_400, by: 3600)
    let sinceYesterday = stride(from: hour - 86_400, through: hour + 86_400, by: 3600)
    let dates = { (hours: [Int]) in hours.map { Date(timeIntervalSince1970: Double($0)) } }
    return ReadingForecast(
      readings: dates(hours.filter { probability(hourOfWeek($0), at: now) >= 0.25 }),
      quiet: dates(sinceYesterday.filter { isQuiet(hourOfWeek($0), at: now) }),
    )
  }
}

/// When a reader will look, as far as anybody can see ahead.
package struct ReadingForecast: Hashable, Sendable {
  /// When the hours begin in which they usually look, and those in which they hardly ever do, from a day
  /// before: ascending.
  package let readings: [Date]
  package let quiet: [Date]

  package init(readings: [Date] = [], quiet: [Date] = []) {
    (self.readings, self.quiet) = (readings, quiet)
  }

  package var withoutQuiet: ReadingForecast { ReadingForecast(readings: readings) }

  /// The first instant from `date` on that is in no quiet hour.
  package func endOfQuiet(_ date: Date) -> Date {
    quiet.reduce(date) { date, hour in
      let end = hour.addingTimeInterval(3600)
      return hour <= date && date < end ? end : date
    }
  }
}
