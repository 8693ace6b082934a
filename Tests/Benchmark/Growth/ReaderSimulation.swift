import FeedLibrary
internal import FeedModel
internal import TestSupport

/// Twelve weeks of readers with habits, and of feeds that post as they like.
///
/// Compares the ways of asking feeds: the number of requests, and the stories missing when a reader
/// looks. Readers, looks and stories are the same for each way, all from one seed.
struct ReaderSimulation {
  enum Way: CaseIterable {
    case every30Minutes, every60Minutes, rhythm, learnt

    var name: String {
      switch self {
      case .every30Minutes: "a timer, every 30 minutes"
      case .every60Minutes: "newsboat's `reload-time`, 60 minutes"
      case .rhythm: "`fetch --due --no-history`"
      case .learnt: "`fetch --due`"
      }
    }
  }

  struct Result {
    var requests = 0
    var looks = 0
    /// The seconds since the last request, of all feeds at all looks.
    var ages: [Double] = []
    var missing = 0
  }

  private static let weeks = 12
  private static let readers = 20
  private static let feeds = 30
  /// Midnight on a Sunday.
  private static let start = 1_793_491_200.0
  private static let end = start + Double(weeks) * 7 * 86_400

  func table() -> [String] {
    let readers = (1...Self.readers).map { Reader(seed: UInt64($0)) }
    let stories = readers.map { $0.stories.joined().count }.reduce(0, +)
    return [
      "| asked | requests a feed a day | requests a story | list's age at a look: mean | median | stories missing a look |",
      "|---|---|---|---|---|---|",
    ]
      + Way.allCases.map { way in row(way, readers.map { $0.simulate(way) }, stories) }
  }

  private func row(_ way: Way, _ results: [Result], _ stories: Int) -> String {
    let requests = results.map(\.requests).reduce(0, +)
    let looks = results.map(\.looks).reduce(0, +)
    let ages = results.flatMap(\.ages).sorted()
    let feedDays = Double(Self.readers * Self.feeds * Self.weeks * 7)
    return """
      | \(way.name) | \(Table.fixed(Double(requests) / feedDays, 1)) \
      | \(Table.fixed(Double(requests) / Double(stories), 2)) \
      | \(Table.fixed(ages.reduce(0, +) / Double(ages.count) / 60, 0)) min \
      | \(Table.fixed(ages[ages.count / 2] / 60, 0)) min \
      | \(Table.fixed(Double(results.map(\.missing).reduce(0, +)) / Double(looks), 1)) |
      """
  }

  private struct Reader {
    /// Seconds from one run of the timer to the next.
    private static let tick = 300.0
    let looks: [Double]
    let stories: [[Double]]

    init(seed: UInt64) {
      var chance = Chance(seed: seed)
      looks = Self.looks(&chance)
      stories = (0..<ReaderSimulation.feeds).map { _ in Self.stories(&chance) }
    }

    /// Returns looks at two to five habitual times of day.
    ///
    /// On weekends they are later or left out; now and then there is one at any hour from seven on.
    private static func looks(_ chance: inout Chance) -> [Double] {
      let habits = (0..<(2 + chance.below(4))).map { _ in Double(7 * 60 + chance.below(16 * 60)) }
      let later = Double(chance.below(120))
      var looks: [Double] = []
      for day in 0..<(ReaderSimulation.weeks * 7) {
        let isWeekend = day % 7 == 0 || day % 7 == 6
        let midnight = ReaderSimulation.start + Double(day) * 86_400
        for habit in habits where chance.below(100) < (isWeekend ? 60 : 85) {
          let minute = habit + (isWeekend ? later : 0) + Double(chance.below(40)) - 20
          looks.append(midnight + minute * 60)
        }
        if chance.below(100) < 60 {
          looks.append(midnight + Double(7 * 60 + chance.below(17 * 60)) * 60)
        }
      }
      return looks.sorted().filter { $0 < ReaderSimulation.end }
    }

    /// Returns stories from one in a quarter of an hour to one in three days, at night a third of
    /// them.
    private static func stories(_ chance: inout Chance) -> [Double] {
      let gap = 900 * exp2(Double(chance.below(820)) / 100)
      var (time, stories) = (ReaderSimulation.start - 20 * gap, [Double]())
      while time < ReaderSimulation.end {
        time += -log(Double(chance.below(999_999) + 1) / 1_000_000) * gap
        let hour = Int(time / 3600) % 24
        if (7..<23).contains(hour) || chance.below(3) == 0 { stories.append(time) }
      }
      return stories
    }

    func simulate(_ way: Way) -> Result {
      var result = Result()
      var feeds = stories.indices.map { Subscription(url: "https://example.org/\($0)") }
      var fetched = [Int](repeating: 0, count: stories.count)
      var habits: ReadingHabits?
      var next = 0
      // The timer has minutes of its own.
      for tick in stride(
        from: ReaderSimulation.start + 420,
        to: ReaderSimulation.end,
        by: Self.tick,
      ) {
        let now = Date(timeIntervalSince1970: tick)
        let forecast = habits?.forecast(at: now, hourOfWeek: hourOfWeek)
        for number in feeds.indices where isAsked(feeds[number], way, tick, forecast) {
          result.requests += 1
          visit(&feeds[number], number, now)
          fetched[number] = stories[number].partition { $0 <= tick }
        }
        while next < looks.count, looks[next] < tick + Self.tick {
          let look = looks[next]
          next += 1
          result.looks += 1
          for number in feeds.indices {
            let asked = feeds[number].state.lastAsked?.timeIntervalSince1970 ?? look
            result.ages.append(look - asked)
            result.missing += stories[number].partition { $0 <= look } - fetched[number]
          }
          guard way == .learnt else { continue }
          let (hour, date) = (hourOfWeek(Int(look)), Date(timeIntervalSince1970: look))
          if habits.map({ Int($0.date.timeIntervalSince1970) / 3600 == Int(look) / 3600 }) != true {
            habits = habits?.noting(hour, at: date) ?? ReadingHabits(firstLook: hour, at: date)
          }
        }
      }
      return result
    }

    private func hourOfWeek(_ instant: Int) -> Int {
      (instant - Int(ReaderSimulation.start)) / 3600 % 168
    }

    private func isAsked(
      _ feed: Subscription,
      _ way: Way,
      _ tick: Double,
      _ forecast: ReadingForecast?,
    ) -> Bool {
      let ticks = Int((tick - ReaderSimulation.start) / Self.tick)
      switch way {
      case .every30Minutes: return ticks % Int(1800 / Self.tick) == 0
      case .every60Minutes: return ticks % Int(3600 / Self.tick) == 0
      case .rhythm, .learnt:
        let now = Date(timeIntervalSince1970: tick)
        return RefreshMoment(now, [:], forecast: forecast).due(feed).date <= now
      }
    }

    private func visit(_ feed: inout Subscription, _ number: Int, _ now: Date) {
      let known = stories[number].partition { $0 <= now.timeIntervalSince1970 }
      var visit = Visit(feed)
      visit.hasValidators = true
      let dates = stories[number][max(0, known - 20)..<known].map {
        Date(timeIntervalSince1970: $0)
      }
      visit.rhythm = RefreshSchedule.rhythm(of: dates, now: now)
      feed.state.lastAsked = now
      feed.state.nextDue = RefreshSchedule.nextDue(after: visit, now: now)
      feed.state.earliestDue = RefreshSchedule.earliestDue(after: visit, now: now)
    }
  }
}

extension [Double] {
  /// Returns the number of ascending values before the first that is not so.
  fileprivate func partition(_ isSo: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isSo(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
