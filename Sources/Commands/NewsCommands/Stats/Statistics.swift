import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage

struct Statistics: Sendable {
  let period: Period
  /// Runs of all feeds; nil where only some feeds are asked for.
  let runs: RunStatistics?
  let stories: StoryStatistics
  /// The probability of a look in each hour of the week, in per cent; nil if unknown.
  let visits: [Int]?
  /// The feeds that failed the last time, and did not succeed once in the period.
  let failing: [Subscription]
  var remotes: [SyncRemote] = []
  /// The account of apps (`news serve`); nil without a password, or where only some feeds are asked for.
  var apps: ServingAccount?

  var isEmpty: Bool {
    guard period.since <= period.until else { return true }
    return runs?.days.isEmpty ?? true && stories.total == 0 && visits == nil && failing.isEmpty
      && remotes.isEmpty
  }
}

/// A period with both ends included, and the clock of its days and hours.
struct Period: Sendable {
  let since: Date
  let until: Date
  let clock: WallClock

  func contains(_ date: Date) -> Bool { date >= since && date <= until }

  /// Returns the local day, in days since 1970.
  func day(of date: Date) -> Int {
    let time = clock.civilTime(of: date)
    return CivilDate.daysSinceEpoch(year: time.year, month: time.month, day: time.day)
  }

  func alwaysFailing(_ subscriptions: [Subscription]) -> [Subscription] {
    subscriptions.filter { subscription in
      let state = subscription.state
      return state.lastOutcome == .failed && state.lastSucceeded.map { $0 < since } ?? true
    }
  }
}

extension ReadingHabits {
  func percentages(at now: Date) -> [Int] {
    (0..<Self.hoursOfWeek).map { Int((probability($0, at: now) * 100).rounded()) }
  }
}

struct RunStatistics: Hashable, Sendable {
  struct Day: Hashable, Sendable {
    let number: Int
    var counts: [Outcome: Int] = [:]

    var text: String {
      let date = CivilDate(daysSinceEpoch: number)
      return CivilTime(year: date.year, month: date.month, day: date.day).dateText
    }
  }

  static let outcomes = [Outcome.newData, .noData, .failed]

  let days: [Day]
  let seconds: [Double]
  let requests: Int
  let unchanged: Int
  let bytes: Int
  let savedBytes: Int

  init(_ all: [RunRecord], _ period: Period) {
    let runs = all.filter { !$0.isMetered && period.contains($0.started) }
    var days: [Int: Day] = [:]
    for run in runs {
      let number = period.day(of: run.started)
      days[number, default: Day(number: number)].counts[run.outcome, default: 0] += 1
    }
    self.days = days.values.sorted { $0.number < $1.number }
    seconds = runs.map(\.seconds).sorted()
    // No overflow: the store has no count above 2^40, and no room for a million runs.
    requests = runs.reduce(0) { $0 + $1.requests }
    unchanged = runs.reduce(0) { $0 + $1.unchanged }
    bytes = runs.reduce(0) { $0 + $1.bytes }
    savedBytes = runs.reduce(0) { $0 + $1.savedBytes }
  }

  func count(_ outcome: Outcome) -> Int {
    days.reduce(0) { $0 + $1.counts[outcome, default: 0] }
  }

  /// Returns the days that each column stands for.
  func step(atMost columns: Int) -> Int {
    ((days.last?.number ?? 0) - (days.first?.number ?? 0)) / max(columns, 1) + 1
  }

  /// Returns the runs with an outcome from the first day to the last, `step` days each.
  func counts(_ outcome: Outcome, every step: Int) -> [Int] {
    guard let first = days.first?.number, let last = days.last?.number else { return [] }
    var counts = [Int](repeating: 0, count: (last - first) / step + 1)
    for day in days { counts[(day.number - first) / step] += day.counts[outcome, default: 0] }
    return counts
  }
}

extension RunStatistics {
  /// Returns the duration that so many per cent of the runs did not exceed; nil without runs.
  func percentile(_ percent: Int) -> Double? {
    seconds.isEmpty ? nil : seconds[max((seconds.count * percent + 99) / 100, 1) - 1]
  }

  struct Bucket: Hashable, Sendable {
    /// The bound of the durations, excluded; nil for the last bucket.
    let below: Double?
    let runs: Int
  }

  private static let bounds = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]

  var histogram: [Bucket] {
    var (buckets, before): ([Bucket], Int) = ([], 0)
    for bound in Self.bounds + [nil] as [Double?] {
      let count = bound.map { bound in seconds.count { $0 < bound } } ?? seconds.count
      buckets.append(Bucket(below: bound, runs: count - before))
      before = count
      if count == seconds.count { break }
    }
    return Array(buckets.drop { $0.runs == 0 })
  }
}

struct StoryStatistics: Hashable, Sendable {
  struct Feed: Hashable, Sendable {
    let url: String
    let name: String
    let stories: Int
    let read: Int
    let starred: Int
    /// The unread stories that were opened on this machine, of any time.
    let opened: Int

    var isUnused: Bool { read + starred + opened == 0 }
  }

  let feeds: [Feed]
  /// The counts by the 168 hours of the week, from midnight on Sunday in local time.
  let hours: [Int]

  var total: Int { hours.reduce(0, +) }

  /// Counts a story once for each feed that carries it; `chosen` is nil for all feeds.
  init(
    _ items: ItemTable,
    of chosen: Set<String>?,
    _ period: Period,
    names: FeedName,
    opened: [String: Int],
  ) throws {
    var hours = [Int](repeating: 0, count: ReadingHabits.hoursOfWeek)
    var (counts, numbers): ([(all: Int, read: Int, starred: Int)], [Int]) = ([], [])
    var reader = ItemReader(items)
    let now = period.until.timeIntervalSinceReferenceDate
    for index in 0..<items.count {
      try reader?.move(to: index)
      guard let (date, stored) = try reader?.instants(),
        let instant = StoryTime.instant(date: date, stored: stored, now: now)
          .map({ Date(timeIntervalSinceReferenceDate: $0) }), period.contains(instant)
      else { continue }
      numbers.removeAll(keepingCapacity: true)
      try reader?.forEachFeed { numbers.append($0) }
      let urls = reader?.feeds ?? []
      if let chosen {
        numbers.removeAll { !chosen.contains(urls[$0]) }
        if numbers.isEmpty { continue }
      }
      counts += repeatElement((all: 0, read: 0, starred: 0), count: urls.count - counts.count)
      let flags = try reader?.flags()
      for number in numbers {
        counts[number].all += 1
        if flags?[.read] == true { counts[number].read += 1 }
        if flags?[.starred] == true { counts[number].starred += 1 }
      }
      hours[period.clock.hourOfWeek(instant.wholeSeconds)] += 1
    }
    self.hours = hours
    feeds = zip(reader?.feeds ?? [], counts).filter { $1.all > 0 }
      .map { url, count in
        Feed(
          url: url,
          name: names.name(of: url),
          stories: count.all,
          read: count.read,
          starred: count.starred,
          opened: opened[url, default: 0],
        )
      }
      .sorted { ($1.stories, $0.name) < ($0.stories, $1.name) }
  }
}
