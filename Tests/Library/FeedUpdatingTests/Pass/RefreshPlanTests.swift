import FeedModel
import FeedStorage
import Testing

@testable import FeedLibrary
@testable import FeedUpdating

@Suite("RefreshPlan")
struct RefreshPlanTests {
  private func feed(
    _ name: String,
    _ change: (inout FeedState) -> Void = { _ in },
  ) -> Subscription {
    var subscription = Subscription(url: "https://\(name).example/feed")
    change(&subscription.state)
    return subscription
  }

  private func names(
    _ feeds: [Subscription],
    retryTimes: [String: RetryTime] = [:],
    _ change: (inout RefreshOptions) -> Void = { _ in },
  ) -> [String] {
    var options = RefreshOptions(command: "fetch")
    change(&options)
    let moment = RefreshMoment(hour(0), retryTimes, forecast: options.forecast)
    let plan = RefreshPlan(feeds, options, at: moment)
    return plan.feeds.map { String($0.url.dropFirst(8).prefix { $0 != "." }) }
  }

  @Test("those asked the longest time ago come first, those never asked before them")
  func order() {
    let feeds = [
      feed("today") { $0.lastAsked = hour(-1) }, feed("new"),
      feed("week") { $0.lastAsked = hour(-168) }, feed("other"),
      feed("future") { $0.lastAsked = hour(3) },
    ]
    #expect(names(feeds) == ["new", "other", "future", "week", "today"])
  }

  @Test("those come first that have waited longest by their own rhythm, and failed least")
  func urgency() {
    let feeds = [
      feed("slow") { ($0.lastAsked, $0.rhythm) = (hour(-10), .hours(20)) },
      feed("failing") { ($0.lastAsked, $0.rhythm, $0.failures) = (hour(-4), .hours(1), 9) },
      feed("quick") { ($0.lastAsked, $0.rhythm) = (hour(-2), .hours(1)) },
      feed("starving") { ($0.lastAsked, $0.rhythm) = (hour(-100), .hours(20)) },
    ]
    #expect(names(feeds) == ["starving", "quick", "slow", "failing"])
  }

  @Test("only due ones")
  func due() {
    let feeds = [
      feed("later") { $0.nextDue = hour(1) }, feed("now") { $0.nextDue = hour(0) }, feed("new"),
    ]
    #expect(names(feeds) { $0.onlyDue = true } == ["now", "new"])
    #expect(names(feeds).count == 3)
  }

  @Test("what is due waits some minutes for what will be, and no longer")
  func gathered() {
    func due(_ minutes: [Double], gathers: Bool = true) -> Int {
      let feeds = minutes.enumerated().map { place, minutes in
        feed("feed\(place)") { $0.nextDue = hour(minutes / 60) }
      }
      return names(feeds) { ($0.onlyDue, $0.gathersDue) = (true, gathers) }.count
    }
    #expect(due([-1]) == 1)
    #expect(due([-1, 8]) == 0)
    #expect(due([-1, -2, 7]) == 0)
    #expect(due([-1, 8], gathers: false) == 1)
    // No other feed is due within ten minutes of the first, or those are over.
    #expect(due([-1, 12]) == 1)
    #expect(due([-6, 4, 5]) == 0)
    #expect(due([-10, -3, 2]) == 2)
    let new = [feed("new"), feed("soon") { $0.nextDue = hour(0.1) }]
    #expect(names(new) { ($0.onlyDue, $0.gathersDue) = (true, true) } == ["new"])
  }

  @Test("named ones; a feed that is gone only when it is named")
  func named() {
    let feeds = [feed("gone") { $0.isGone = true }, feed("here")]
    #expect(names(feeds) == ["here"])
    #expect(names(feeds) { $0.feeds = ["https://gone.example/feed"] } == ["gone"])
    #expect(names(feeds) { $0.feeds = ["https://unknown.example/feed"] } == [])
  }

  @Test("who asked to wait is left in peace, by name too, unless somebody insists")
  func held() {
    let hold = RetryTime(
      server: "https://here.example",
      status: 429,
      since: hour(-1),
      until: hour(1),
    )
    let feeds = [feed("here"), feed("there")]
    for holds in [[hold.server: hold], ["https://here.example/feed": hold]] {
      #expect(names(feeds, retryTimes: holds) == ["there"])
      #expect(names(feeds, retryTimes: holds) { $0.feeds = ["https://here.example/feed"] } == [])
      #expect(names(feeds, retryTimes: holds) { $0.isForced = true } == ["here", "there"])
    }
    let options = RefreshOptions(command: "fetch")
    let plan = RefreshPlan(feeds, options, at: RefreshMoment(hour(0), [hold.server: hold]))
    #expect(plan.unasked == [UnaskedFeed(url: feeds[0].url, reason: .askedToWait(hold))])
    #expect(names(feeds, retryTimes: ["http://here.example": hold]).count == 2)
    #expect(names(feeds, retryTimes: ["https://here.example:8443": hold]).count == 2)
  }

  private let validators = CacheValidators(etag: "x", lastModified: nil, url: "https://a.example/")

  private func sent(
    isForced: Bool = false,
    _ change: (inout FeedState) -> Void,
  ) -> CacheValidators? {
    let subscription = feed("a") { state in
      state.validators = validators
      change(&state)
    }
    return RefreshPlan.validators(for: subscription, isForced: isForced, now: hour(0))
  }

  @Test("validators are sent, but not by force")
  func conditional() {
    #expect(sent { _ in } == validators)
    #expect(sent(isForced: true) { _ in } == nil)
  }

  @Test("a server that answers 304 for ever is probed, at most every eight days")
  func probe() {
    func answers(days: Double, status: Int) -> Bool {
      sent { state in
        state.lastStatus = status
        state.lastUnconditional = hour(-24 * days)
      } == nil
    }
    #expect(!answers(days: 7.9, status: 304))
    #expect(answers(days: 9.01, status: 304))
    #expect(!answers(days: 9.01, status: 200))
    #expect(!answers(days: 9.01, status: 500))
  }
}
