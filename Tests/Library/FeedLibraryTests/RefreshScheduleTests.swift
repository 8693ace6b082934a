import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import FeedLibrary

/// A visit, and the time when the next one is due, in seconds from Saturday, 1 June 2024, 12:10
/// UTC, for a URL without jitter.
struct ScheduleScenario: Sendable, CustomTestStringConvertible {
  let title: String
  let due: Double
  var visit = Visit(url: urlWithoutJitter)

  init(_ title: String, due: Double, _ change: (inout Visit) -> Void = { _ in }) {
    self.title = title
    self.due = due
    visit.hasValidators = true
    change(&visit)
  }

  var testDescription: String { title }

  static let urlWithoutJitter = "https://example.org/feed/2239"
  static let now = Date(timeIntervalSince1970: 1_717_243_800)
  static let minute = 60.0
  static let hour = 3600.0
  static let day = 86_400.0
}

extension ScheduleScenario {
  static let successes = [
    ScheduleScenario("nobody says anything: an hour", due: hour),
    ScheduleScenario("the rhythm, when nobody says anything", due: 4 * hour) {
      $0.rhythm = .hours(4)
    },
    ScheduleScenario("the floor is 15 minutes with validators", due: 15 * minute) {
      $0.rhythm = .minutes(15)
    },
    ScheduleScenario("the floor is an hour without validators", due: hour) {
      $0.hasValidators = false
      $0.rhythm = .minutes(15)
    },
    ScheduleScenario("the rhythm goes before a shorter max-age", due: 4 * hour) {
      $0.freshness = .minutes(30)
      $0.rhythm = .hours(4)
    },
    ScheduleScenario("a longer max-age goes before the rhythm", due: 6 * hour) {
      $0.freshness = .hours(6)
      $0.rhythm = .hours(4)
    },
    ScheduleScenario("the rhythm goes before a shorter ttl", due: 4 * hour) {
      $0.hints.timeToLive = 30
      $0.rhythm = .hours(4)
    },
    ScheduleScenario("the rhythm goes before an hourly sy:updatePeriod", due: 4 * hour) {
      $0.hints.updatePeriod = .hours(1)
      $0.rhythm = .hours(4)
    },
    ScheduleScenario("a max-age of half an hour where no story has a date", due: hour) {
      $0.freshness = .minutes(30)
    },
    ScheduleScenario("a full hour is everybody's", due: 51 * minute) {
      $0.rhythm = .minutes(50)
    },
    ScheduleScenario("half past is everybody's", due: 21 * minute) {
      $0.rhythm = .seconds(20 * 60 - 59)
    },
    ScheduleScenario("a minute past is nobody's", due: 21 * minute) {
      $0.rhythm = .minutes(21)
    },
    ScheduleScenario("no-store is no wish", due: hour) { $0.freshness = .zero },
    ScheduleScenario("a max-age of a year is seven days", due: 7 * day) {
      $0.freshness = .days(365)
    },
    ScheduleScenario("ttl is in minutes", due: 90 * minute) { $0.hints.timeToLive = 90 },
    ScheduleScenario("the greatest of ttl and max-age", due: 2 * hour) {
      $0.hints.timeToLive = 90
      $0.freshness = .hours(2)
    },
    ScheduleScenario("an absurd ttl is seven days", due: 7 * day) { $0.hints.timeToLive = .max },
    ScheduleScenario("a negative ttl is no wish", due: hour) { $0.hints.timeToLive = .min },
    ScheduleScenario("twice a day", due: 12 * hour) {
      $0.hints.updatePeriod = .days(1)
      $0.hints.updateFrequency = 2
    },
    ScheduleScenario("hourly, 60 times: no wish", due: hour) {
      $0.hints.updatePeriod = .hours(1)
      $0.hints.updateFrequency = 60
    },
    ScheduleScenario("daily, counted from 18:00", due: 6 * hour) {
      $0.hints.updatePeriod = .days(1)
      $0.hints.updateBase = now.addingTimeInterval(-30 * day + 6 * hour)
    },
    ScheduleScenario("daily, counted from a base in the future", due: 6 * hour) {
      $0.hints.updatePeriod = .days(1)
      $0.hints.updateBase = now.addingTimeInterval(30 * day + 6 * hour)
    },
    ScheduleScenario("yearly is seven days", due: 7 * day) {
      $0.hints.updatePeriod = .days(365)
    },
    ScheduleScenario("a zero frequency divides nothing", due: day) {
      $0.hints.updatePeriod = .days(1)
      $0.hints.updateFrequency = 0
    },
    ScheduleScenario("the host's wish goes before a shorter one", due: 5 * hour) {
      $0.retryTime = now.addingTimeInterval(5 * hour)
      $0.freshness = .hours(2)
    },
    ScheduleScenario("hours to be skipped", due: 3 * hour - 9 * minute) {
      $0.hints.skipHours = [13, 14]
    },
    ScheduleScenario("hours to be skipped, over midnight", due: 20 * hour - 9 * minute) {
      $0.freshness = .hours(10)
      $0.hints.skipHours = [22, 23, 0, 1, 2, 3, 4, 5, 6, 7]
    },
    ScheduleScenario("days to be skipped: Saturday, Sunday", due: 36 * hour - 9 * minute) {
      $0.hints.skipDays = [6, 0]
    },
    ScheduleScenario("days and hours to be skipped", due: 38 * hour - 9 * minute) {
      $0.hints.skipDays = [6, 0]
      $0.hints.skipHours = [0, 1]
    },
    ScheduleScenario("all hours skipped are none", due: hour) {
      $0.hints.skipHours = Set(0..<24)
    },
    ScheduleScenario("all days skipped are none", due: hour) {
      $0.hints.skipDays = Set(0..<7)
    },
  ]

  static let failures = [
    ScheduleScenario("the first failure", due: 15 * minute) { $0.failures = 1 },
    ScheduleScenario("the second failure", due: 30 * minute) { $0.failures = 2 },
    ScheduleScenario("the fifth failure", due: 4 * hour) { $0.failures = 5 },
    ScheduleScenario("the tenth failure", due: 128 * hour) { $0.failures = 10 },
    ScheduleScenario("the eleventh failure", due: 7 * day) { $0.failures = 11 },
    ScheduleScenario("the thousandth failure: never given up", due: 7 * day) {
      $0.failures = 1000
    },
    ScheduleScenario("a 404 slows down faster", due: 2 * hour) {
      $0.failures = 2
      $0.status = 404
    },
    ScheduleScenario("a 503 may pass soon", due: 30 * minute) {
      $0.failures = 2
      $0.status = 503
    },
    ScheduleScenario("Retry-After goes before the back-off", due: 2 * hour) {
      $0.failures = 1
      $0.status = 503
      $0.retryTime = now.addingTimeInterval(2 * hour)
    },
    ScheduleScenario("the back-off goes before Retry-After", due: 4 * hour) {
      $0.failures = 5
      $0.status = 503
      $0.retryTime = now.addingTimeInterval(2 * hour)
    },
    ScheduleScenario("the feed's ttl holds after a failure too", due: 3 * hour) {
      $0.failures = 1
      $0.hints.timeToLive = 180
    },
    ScheduleScenario("how fresh an error page is does not matter", due: 15 * minute) {
      $0.failures = 1
      $0.freshness = .hours(5)
    },
  ]
}

@Suite("RefreshSchedule")
struct RefreshScheduleTests {
  private let now = ScheduleScenario.now

  @Test("after a success", arguments: ScheduleScenario.successes)
  func success(scenario: ScheduleScenario) {
    expectDue(scenario)
  }

  @Test("after a failure", arguments: ScheduleScenario.failures)
  func failure(scenario: ScheduleScenario) {
    expectDue(scenario)
  }

  private func expectDue(_ scenario: ScheduleScenario) {
    let due = RefreshSchedule.nextDue(after: scenario.visit, now: now)
    #expect(due.timeIntervalSince(now) == scenario.due)
  }

  @Test("jitter is pinned by the URL, and only adds: at most a tenth, and half an hour")
  func jitter() {
    #expect(RefreshSchedule.jitterFraction(of: "https://example.com/feed.xml") == 0.0706)
    var visit = Visit(url: "https://example.com/feed.xml")
    visit.hasValidators = true
    visit.rhythm = .hours(1)
    #expect(wait(visit) == 3626)
    visit.rhythm = .hours(24)
    #expect(wait(visit) == 86_528)
    visit.hints.skipHours = Set(0...20)
    #expect(wait(visit) == 33 * 3600 - 600 + 60 + 43)
  }

  @Test("no jitter is outside its bounds, and no two feeds in a hundred have the same")
  func jitterSpreads() {
    let fractions = (0..<100).map {
      RefreshSchedule.jitterFraction(of: "https://example.com/\($0)")
    }
    #expect(fractions.allSatisfy { (0..<1).contains($0) })
    #expect(Set(fractions).count > 95)
  }

  private func wait(_ visit: Visit) -> Double {
    RefreshSchedule.nextDue(after: visit, now: now).timeIntervalSince(now)
  }

  @Test(
    "the rhythm is half the median gap, or a twentieth of the silence",
    arguments: [
      ([], nil),
      ([-2.0], Duration.minutes(15)),
      ([-1, -5, -9, -13], .hours(2)),
      ([-1, -5, -9, -100], .hours(2)),
      ([0, -0.1, -0.2, -0.3], .minutes(15)),
      ([-24, -24 * 8, -24 * 15], .hours(24)),
      ([-200, -201, -202], .hours(10)),
      ([-1, -1, -1, -9], .hours(4)),
      ([50, 60, 70], nil),
      ([50, -1, -5, -9], .hours(2)),
    ] as [([Double], Duration?)],
  )
  func rhythm(hours: [Double], expected: Duration?) {
    let dates = hours.map { now.addingTimeInterval($0 * 3600) }
    #expect(RefreshSchedule.rhythm(of: dates, now: now) == expected)
    #expect(RefreshSchedule.rhythm(of: dates.reversed(), now: now) == expected)
  }

  @Test("one date for all stories is the document's, and says nothing of theirs")
  func dateOfTheDocument() {
    func isOne(_ seconds: [Double]) -> Bool {
      RefreshSchedule.areOfTheDocument(seconds.map { now.addingTimeInterval($0) })
    }
    #expect(isOne([0, 0]) && isOne([-50, 0, -20]))
    #expect(!isOne([]) && !isOne([0]) && !isOne([0, -60]) && !isOne([0, 0, -86_400]))
  }

  @Test("the rhythm of what arrives is half the gap, and what was found before has its part")
  func arrivals() {
    #expect(RefreshSchedule.rhythm(nil, arrivedAfter: 8 * 3600) == .hours(4))
    #expect(RefreshSchedule.rhythm(.hours(2), arrivedAfter: 8 * 3600) == .hours(3))
    #expect(RefreshSchedule.rhythm(nil, arrivedAfter: 60) == .minutes(15))
    #expect(RefreshSchedule.rhythm(nil, arrivedAfter: 1e9) == .hours(24))
  }

  @Test("a feed that does not change slows down, to a day at most")
  func unchanged() {
    func rhythm(_ days: Double) -> Duration? {
      let since = now.addingTimeInterval(-days * 86_400)
      return RefreshSchedule.rhythm(.hours(2), unchangedSince: since, now: now)
    }
    #expect(rhythm(1) == .hours(2))
    #expect(rhythm(10) == .hours(12))
    #expect(rhythm(1000) == .hours(24))
    #expect(RefreshSchedule.rhythm(nil, unchangedSince: .distantPast, now: now) == .hours(24))
    #expect(RefreshSchedule.rhythm(nil, unchangedSince: nil, now: now) == nil)
  }

  @Test("what is due")
  func due() {
    #expect(isDue { _ in })
    #expect(isDue { $0.nextDue = ScheduleScenario.now })
    #expect(!isDue { $0.nextDue = ScheduleScenario.now.addingTimeInterval(0.1) })
    #expect(!isDue { $0.isGone = true })
  }

  @Test("a timer that comes late does not come in an hour to be skipped")
  func lateTimer() {
    #expect(
      !isDue {
        $0.nextDue = ScheduleScenario.now.addingTimeInterval(-15 * 60)
        $0.hints.skipHours = [12]
      }
    )
    var feed = Subscription(url: "https://example.com/feed.xml")
    feed.state.nextDue = now.addingTimeInterval(-15 * 60)
    feed.state.hints.skipHours = [12, 13]
    let later = now.addingTimeInterval(2 * 3600 - 9 * 60)
    #expect(RefreshMoment(now, [:]).next(feed) == later)
  }

  @Test("a clock that was wrong does not silence a feed")
  func wrongClock() {
    #expect(isDue { $0.nextDue = ScheduleScenario.now.addingTimeInterval(30 * 86_400) })
    #expect(
      isDue {
        $0.lastAsked = ScheduleScenario.now.addingTimeInterval(600)
        $0.nextDue = ScheduleScenario.now.addingTimeInterval(1500)
      }
    )
  }

  @Test("a busy host's feeds are not due, those of others are")
  func busyHost() {
    let later = now.addingTimeInterval(60)
    #expect(!isDue(retryTimes: hold(later)) { _ in })
    #expect(isDue(retryTimes: hold(now)) { _ in })
    #expect(isDue(retryTimes: hold(later, at: "https://example.org")) { _ in })
    #expect(isDue(retryTimes: hold(now.addingTimeInterval(30 * 86_400))) { _ in })
  }

  private func hold(
    _ until: Date,
    at server: String = "https://example.com",
  ) -> [String: RetryTime] {
    [server: RetryTime(server: server, status: 429, since: .distantPast, until: until)]
  }

  @Test("what a fetch is told: servers, and those redirected to them")
  func stopped() {
    let until = now.addingTimeInterval(60)
    var holds = hold(until)
    holds["http://a.example/feed"] = holds["https://example.com"]
    // A feed that is held by itself holds up no other feed of its host.
    holds["https://example.com/one"] = holds["https://example.com"]
    let error = FetchError.hostBusy(status: 429, retryAfter: .instant(until))
    #expect(
      RefreshMoment(now, holds).stoppedServers
        == ["https://example.com": error, "http://a.example https://example.com": error]
    )
    #expect(RefreshMoment(now, hold(now)).stoppedServers.isEmpty)
  }

  @Test("when a feed is asked next: now, when it is due, or when its host may be asked again")
  func next() {
    var feed = Subscription(url: "https://example.com/feed.xml")
    let (soon, later) = (now.addingTimeInterval(60), now.addingTimeInterval(600))
    #expect(RefreshMoment(now, [:]).next(feed) == now)
    #expect(RefreshMoment(now, hold(soon)).next(feed) == soon)
    feed.state.nextDue = later
    #expect(RefreshMoment(now, hold(soon)).next(feed) == later)
    feed.state.nextDue = now.addingTimeInterval(-60)
    #expect(RefreshMoment(now, [:]).next(feed) == now)
    #expect(RefreshMoment(now, hold(soon)).next(feed) == soon)
    feed.state.isGone = true
    #expect(RefreshMoment(now, [:]).next(feed) == nil)
  }

  private func isDue(
    retryTimes: [String: RetryTime] = [:],
    _ change: (inout FeedState) -> Void,
  ) -> Bool {
    var subscription = Subscription(url: "https://example.com/feed.xml")
    change(&subscription.state)
    return RefreshMoment(now, retryTimes).isDue(subscription)
  }
}
