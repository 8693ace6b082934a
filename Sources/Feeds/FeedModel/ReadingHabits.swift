package import System

/// The reader's looks at stories on this machine, by the hour of the week; newer ones count more.
///
/// Beside them it is noted how many stories of each feed were opened: not which, nor how long.
package struct ReadingHabits: Hashable, Sendable {
  package static let hoursOfWeek = 168
  /// Seconds after which a look counts half.
  private static let halfLife = 28 * 86_400.0
  private static let week = 7 * 86_400.0

  /// Looks in each hour of the week from Sunday 0:00, local time, faded to `date`.
  package var looks: [Double]
  package var since: Date
  package var date: Date
  /// The unread stories that were opened, by their feed's URL.
  package var opened: [String: Int] = [:]

  private static let mostFeeds = 20_000

  package init?(looks: [Double], since: Date, date: Date) {
    (self.looks, self.since, self.date) = (looks, since, date)
    guard isSound else { return nil }
  }

  package var isSound: Bool {
    looks.count == Self.hoursOfWeek && looks.allSatisfy { (0...1_000).contains($0) }
  }

  package init(firstLook hour: Int, at now: Date) {
    looks = (0..<Self.hoursOfWeek).map { $0 == hour ? 1 : 0 }
    (since, date) = (now, now)
  }

  package func noting(_ hour: Int, at now: Date) -> ReadingHabits {
    let fading = Self.fading(now.timeIntervalSince(date))
    let looks = looks.enumerated().map { $1 * fading + ($0 == hour ? 1 : 0) }
    var new =
      ReadingHabits(looks: looks, since: min(since, now), date: now)
      ?? ReadingHabits(firstLook: hour, at: now)
    new.opened = opened
    return new
  }

  package mutating func noteOpened(_ feeds: [String]) {
    for feed in feeds where opened[feed] != nil || opened.count < Self.mostFeeds {
      opened[feed, default: 0] += 1
    }
  }

  package func opened(of feed: Subscription) -> Int {
    ([feed.url] + feed.state.formerURLs).reduce(0) { $0 + opened[$1, default: 0] }
  }

  private static func fading(_ seconds: Double) -> Double {
    exp2(-max(seconds, 0) / halfLife)
  }

  private func weeks(at now: Date) -> Double {
    (1 - Self.fading(now.timeIntervalSince(since))) / (1 - Self.fading(Self.week))
  }

  /// Returns the probability of a look in an hour of the week, 0 to 1.
  ///
  /// As long as little was seen of that hour, the same hour of other days counts too.
  package func probability(_ hour: Int, at now: Date) -> Double {
    let fading = Self.fading(now.timeIntervalSince(date))
    let weeks = weeks(at: now)
    let sameHour = stride(from: hour % 24, to: Self.hoursOfWeek, by: 24)
    let daily = sameHour.reduce(0) { $0 + looks[$1] } * fading / max(7 * weeks, 1)
    let prior = 1.5
    return min((looks[hour] * fading + prior * min(daily, 1)) / (weeks + prior), 1)
  }

  /// Returns true for an hour that has less than one look in five weeks, the hours beside it
  /// included.
  ///
  /// Two weeks must have been seen.
  private func isQuiet(_ hour: Int, at now: Date) -> Bool {
    guard now.timeIntervalSince(since) >= 2 * Self.week else { return false }
    let beside = looks.indices.filter { [0, 1, 23].contains(($0 - hour + 168) % 24) }
    let fading = Self.fading(now.timeIntervalSince(date))
    return beside.reduce(0) { $0 + looks[$1] } * fading / weeks(at: now) < 0.2
  }

  /// Returns the hours of the next day, the present one included, in which the reader usually
  /// looks.
  ///
  /// Usually means in one of four weeks or more. `hourOfWeek` gives the local hour of the week of
  /// an instant in seconds since 1970.
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

package struct ReadingForecast: Hashable, Sendable {
  /// The beginnings of the hours with usual readings, and of quiet hours from a day ago: ascending.
  package let readings: [Date]
  package let quiet: [Date]

  package init(readings: [Date] = [], quiet: [Date] = []) {
    (self.readings, self.quiet) = (readings, quiet)
  }

  package var withoutQuiet: ReadingForecast { ReadingForecast(readings: readings) }

  package func endOfQuiet(_ date: Date) -> Date {
    quiet.reduce(date) { date, hour in
      let end = hour.addingTimeInterval(3600)
      return hour <= date && date < end ? end : date
    }
  }
}
