import FeedModel
import System
import Testing

@testable import FeedLibrary

@Suite("When a feed is due, for a reader with habits")
struct DueTimeTests {
  struct Scenario: Sendable, CustomStringConvertible {
    let description: String
    /// The due time by the feed's rhythm, in hours from the last visit.
    var rhythm: Double
    var earliest = 0.25
    var readings: [Double]?
    var quiet: [Double] = []
    let due: Double
    let reason: String
  }

  private static let scenarios = [
    Scenario(description: "nothing is known of the reader", rhythm: 2, due: 2, reason: "rhythm"),
    Scenario(
      description: "nobody ever looks",
      rhythm: 2,
      readings: [],
      due: 3.5,
      reason: "putOff",
    ),
    Scenario(
      description: "due in the reader's hour: earlier, but not before it",
      rhythm: 3.5,
      readings: [3],
      due: 3 - 1.0 / 6,
      reason: "broughtForward 3.0",
    ),
    Scenario(
      description: "due after the reader's hour: brought forward",
      rhythm: 6,
      readings: [2],
      due: 2 - 1.0 / 6,
      reason: "broughtForward 2.0",
    ),
    Scenario(
      description: "asked a moment ago: not again before the reader looks",
      rhythm: 16,
      readings: [0.5],
      due: 16 / 12.0,
      reason: "broughtForward 0.5",
    ),
    Scenario(
      description: "the reader looks now, and a fourth of an hour is the least",
      rhythm: 1,
      readings: [0],
      due: 0.25,
      reason: "broughtForward 0.0",
    ),
    Scenario(
      description: "what is asked for holds, whoever looks",
      rhythm: 3,
      earliest: 3,
      readings: [0, 1, 2, 3],
      due: 3,
      reason: "rhythm",
    ),
    Scenario(
      description: "what is asked for ends after the reader's hour",
      rhythm: 3,
      earliest: 3,
      readings: [1],
      due: 5.25,
      reason: "putOff",
    ),
    Scenario(
      description: "due while nobody looks: put off until just before somebody does",
      rhythm: 2,
      readings: [3],
      due: 3 - 1.0 / 6,
      reason: "putOff 3.0",
    ),
    Scenario(
      description: "but not for more than three quarters of its own time",
      rhythm: 2,
      readings: [8],
      due: 3.5,
      reason: "putOff",
    ),
    Scenario(
      description: "nor, because of that, over half a day",
      rhythm: 10,
      readings: [23],
      due: 12,
      reason: "putOff",
    ),
    Scenario(
      description: "a wait over half a day is not made longer",
      rhythm: 20,
      readings: [22],
      due: 20,
      reason: "putOff",
    ),
    Scenario(
      description: "not in hours in which nobody ever looks",
      rhythm: 2,
      readings: [8],
      quiet: [3, 4, 5],
      due: 6,
      reason: "putOff",
    ),
    Scenario(
      description: "until the reader's hour, where one comes first",
      rhythm: 2,
      readings: [5],
      quiet: [3, 4, 5],
      due: 5 - 1.0 / 6,
      reason: "putOff 5.0",
    ),
    Scenario(
      description: "but for no more than eight times its own time",
      rhythm: 1,
      readings: [10],
      quiet: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      due: 8,
      reason: "putOff",
    ),
  ]

  @Test("scenarios", arguments: scenarios)
  func due(_ scenario: Scenario) {
    let instant = { (hours: Double) in Date(timeIntervalSince1970: 1_793_534_400 + hours * 3600) }
    let due = DueTime.due(
      asked: instant(0),
      rhythm: instant(scenario.rhythm),
      earliest: instant(scenario.earliest),
      forecast: scenario.readings.map {
        ReadingForecast(readings: $0.map(instant), quiet: scenario.quiet.map(instant))
      },
    )
    #expect(abs(due.date.timeIntervalSince(instant(scenario.due))) < 1)
    #expect(text(due.reason, instant(0)) == scenario.reason)
  }

  private func text(_ reason: DueTime.Reason, _ start: Date) -> String {
    let hours = { (date: Date?) in date.map { " \($0.timeIntervalSince(start) / 3600)" } ?? "" }
    return switch reason {
    case .never: "never"
    case .rhythm: "rhythm"
    case .broughtForward(let reading): "broughtForward\(hours(reading))"
    case .putOff(let reading): "putOff\(hours(reading))"
    }
  }

  @Test("a feed that fails, and one whose reader has set how often, go by that alone")
  func others() {
    var feed = Subscription(url: "https://example.org/")
    let now = Date(timeIntervalSince1970: 1_793_534_400)
    #expect(RefreshMoment(now, [:], forecast: ReadingForecast()).due(feed).reason == .never)
    feed.state.lastAsked = now
    feed.state.nextDue = now.addingTimeInterval(7200)
    feed.state.earliestDue = now.addingTimeInterval(900)
    let due = { (feed: Subscription) in
      RefreshMoment(now, [:], forecast: ReadingForecast(readings: [now])).due(feed)
    }
    #expect(due(feed).reason == .broughtForward(reading: now))
    var failing = feed
    failing.state.failures = 1
    #expect(due(failing) == DueTime(date: now.addingTimeInterval(7200), reason: .rhythm))
    feed.settings.interval = .hours(2)
    #expect(due(feed) == DueTime(date: now.addingTimeInterval(7200), reason: .rhythm))
  }
}
