import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import FeedLibrary
@testable import FeedUpdating

/// The visits to one feed, without files or network.
struct FeedStory {
  var subscription = Subscription(url: "https://a.example/feed")
  var store = StoredStories()

  mutating func visit(
    _ items: [Item],
    at hours: Double,
    digest: String = "digest",
    _ change: (inout DocumentFacts, inout FetchResponse) -> Void = { _, _ in },
  ) throws -> RefreshDecision {
    var facts = DocumentFacts(feed: Feed(format: .rss20), digest: digest)
    facts.feed.title = "A"
    var response = FetchResponse(status: 200, url: subscription.url)
    response.validators = CacheValidators(
      etag: "\"\(hours)\"",
      lastModified: nil,
      url: subscription.url,
    )
    change(&facts, &response)
    let findings = try store.deliver(
      items,
      of: subscription.url,
      isComplete: facts.feed.isComplete,
      oldBefore: subscription.state.pendingMove?.firstSeen,
      at: hour(hours),
    )
    return decide(.document(facts, response), findings, at: hours)
  }

  mutating func notModified(
    at hours: Double,
    _ change: (inout FetchResponse) -> Void = { _ in },
  ) -> RefreshDecision {
    var response = FetchResponse(status: 304, url: subscription.url)
    response.validators = subscription.state.validators
    change(&response)
    return decide(.notModified(response), nil, at: hours)
  }

  mutating func fail(_ error: FetchError, at hours: Double) -> RefreshDecision {
    decide(.failed(FeedFailure(error, hadItsTurn: false), nil), nil, at: hours)
  }

  mutating func decide(
    _ answer: FeedAnswer,
    _ findings: FeedFindings?,
    at hours: Double,
  ) -> RefreshDecision {
    let decision = RefreshDecision(
      of: subscription,
      answer: answer,
      findings: findings,
      now: hour(hours),
    )
    subscription.state = decision.next
    return decision
  }
}

@Suite("RefreshDecision: the outcome")
struct RefreshOutcomeTests {
  private var feed = FeedStory()
  private let ab = [story("b", at: 2), story("a", at: 1)]

  private func expect(
    _ decision: RefreshDecision,
    _ outcome: Outcome,
    new: Int,
    isChanged: Bool = false,
  ) {
    #expect(decision.outcome == outcome)
    #expect(decision.news.new.count == new)
    #expect(decision.news.isChanged == isChanged)
    #expect(decision.next.lastOutcome == outcome)
  }

  @Test("the first visit is new data, all of it")
  mutating func first() throws {
    let decision = try feed.visit(ab, at: 3)
    expect(decision, .newData, new: 2)
    #expect(decision.next.title == "A")
  }

  @Test("the same stories are no data")
  mutating func same() throws {
    _ = try feed.visit(ab, at: 3)
    let decision = try feed.visit(ab, at: 4)
    expect(decision, .noData, new: 0)
  }

  @Test("another newest story is new data, and so is every other that is stored with it")
  mutating func newer() throws {
    _ = try feed.visit(ab, at: 3)
    let items = [story("d", at: 4), story("c", at: 3), story("late", at: 1.5)] + ab
    let decision = try feed.visit(items, at: 5)
    expect(decision, .newData, new: 3)
    #expect(feed.store.items.count == 5)
  }

  @Test("a story that is new below the newest is new data")
  mutating func late() throws {
    _ = try feed.visit(ab, at: 3)
    expect(try feed.visit(ab + [story("late", at: 1.5)], at: 4), .newData, new: 1)
    #expect(feed.store.items.count == 3)
  }

  @Test("an edited title of the newest story is new data, without a new story")
  mutating func edited() throws {
    _ = try feed.visit(ab, at: 3)
    let decision = try feed.visit([story("b", at: 2, title: "b, corrected"), ab[1]], at: 4)
    expect(decision, .newData, new: 0, isChanged: true)
    let again = try feed.visit([story("b", at: 2, title: "b, corrected"), ab[1]], at: 5)
    expect(again, .noData, new: 0)
  }

  @Test("an edited title of an older story is no data")
  mutating func editedOlder() throws {
    _ = try feed.visit(ab, at: 3)
    let decision = try feed.visit([ab[0], story("a", at: 1, title: "a, corrected")], at: 4)
    expect(decision, .noData, new: 0)
  }

  @Test("a feed without stories is no data, and forgets nothing")
  mutating func empty() throws {
    expect(try feed.visit([], at: 1), .noData, new: 0)
    _ = try feed.visit(ab, at: 3)
    let decision = try feed.visit([], at: 4)
    expect(decision, .noData, new: 0)
    #expect(feed.store.items.count == 2)
  }

  @Test("without dates the first story in the document is the newest")
  mutating func undated() throws {
    expect(try feed.visit([story("b"), story("a")], at: 3), .newData, new: 2)
    expect(try feed.visit([story("b"), story("a")], at: 4), .noData, new: 0)
    expect(try feed.visit([story("c"), story("b"), story("a")], at: 5), .newData, new: 1)
  }

  @Test("the newest is found wherever it stands in the document")
  mutating func oldestFirst() throws {
    _ = try feed.visit([story("a", at: 1), story("b", at: 2)], at: 3)
    let items = [story("a", at: 1), story("b", at: 2), story("c", at: 3)]
    expect(try feed.visit(items, at: 4), .newData, new: 1)
  }

  @Test("a story dated in the future does not hide those that follow")
  mutating func future() throws {
    let pinned = story("pinned", at: 9000)
    expect(try feed.visit([pinned] + ab, at: 3), .newData, new: 3)
    expect(try feed.visit([pinned] + ab, at: 4), .noData, new: 0)
    expect(try feed.visit([pinned, story("c", at: 5)] + ab, at: 6), .newData, new: 1)
  }

  @Test("304 is no data")
  mutating func notModified() throws {
    _ = try feed.visit(ab, at: 3)
    expect(feed.notModified(at: 4), .noData, new: 0)
  }

  @Test("a failure is one, and the next success is no data")
  mutating func failure() throws {
    _ = try feed.visit(ab, at: 3)
    let decision = feed.fail(.status(500), at: 4)
    expect(decision, .failed, new: 0)
    expect(try feed.visit(ab, at: 5), .noData, new: 0)
  }

  @Test("a part of a document is new data by what it brings alone")
  mutating func truncated() throws {
    _ = try feed.visit(ab, at: 3)
    let old = try feed.visit([ab[1]], at: 4) { facts, _ in facts.feed.isComplete = false }
    expect(old, .noData, new: 0)
    let new = try feed.visit([story("c", at: 4)], at: 5) { facts, _ in facts.feed.isComplete = false
    }
    expect(new, .newData, new: 1)
    expect(try feed.visit([story("c", at: 4)] + ab, at: 6), .noData, new: 0)
  }

  @Test("what came before a failure is stored and counted, and the feed has failed")
  mutating func failedInTheMiddle() throws {
    _ = try feed.visit(ab, at: 3)
    let findings = try feed.store.deliver([story("c", at: 4)], isComplete: false, at: hour(5))
    let failure = FeedFailure(.truncated, hadItsTurn: true)
    let decision = feed.decide(.failed(failure, nil), findings, at: 5)
    #expect(decision.outcome == .failed)
    #expect(decision.news.new.count == 1)
    expect(try feed.visit([story("c", at: 4)] + ab, at: 6), .noData, new: 0)
  }
}

@Suite("RefreshDecision: what is remembered")
struct RefreshStateTests {
  private var feed = FeedStory()
  private let ab = [story("b", at: 2), story("a", at: 1)]

  @Test("validators and digest come from a whole document")
  mutating func whole() throws {
    let state = try feed.visit(ab, at: 3).next
    #expect(state.validators?.etag == "\"3.0\"")
    #expect(state.bodyDigest == "digest")
    #expect(state.lastUnconditional == hour(3))
    #expect(state.lastStatus == 200)
    #expect(state.lastSucceeded == hour(3))
  }

  @Test("how large a document was is remembered until the next whole one")
  mutating func size() throws {
    _ = try feed.visit(ab, at: 3) { _, response in response.bytes = 300 }
    #expect(feed.notModified(at: 4).next.bodyBytes == 300)
    let part = try feed.visit(ab, at: 5) { facts, response in
      (facts.feed.isComplete, response.bytes) = (false, 200)
    }
    #expect(part.next.bodyBytes == 300)
    #expect(try feed.visit(ab, at: 6) { _, response in response.bytes = 0 }.next.bodyBytes == 0)
  }

  @Test("a part of a document leaves neither, so that the next request brings the rest")
  mutating func part() throws {
    _ = try feed.visit(ab, at: 3)
    let state = try feed.visit(ab, at: 4) { facts, _ in facts.feed.isComplete = false }.next
    #expect(state.validators == nil)
    #expect(state.bodyDigest == nil)
  }

  @Test("that a document was cut off is remembered until one comes whole")
  mutating func cutOff() throws {
    #expect(try !feed.visit(ab, at: 3).next.isCutOff)
    #expect(try feed.visit(ab, at: 4) { facts, _ in facts.feed.isComplete = false }.next.isCutOff)
    #expect(feed.fail(.status(503), at: 6).next.isCutOff)
    #expect(try !feed.visit(ab, at: 9).next.isCutOff)
  }

  @Test("a document without validators leaves none")
  mutating func noValidators() throws {
    _ = try feed.visit(ab, at: 3)
    let state = try feed.visit(ab, at: 4) { _, response in response.validators = nil }.next
    #expect(state.validators == nil)
    #expect(state.bodyDigest == "digest")
  }

  @Test("a 304 refreshes the validators, and keeps those it does not")
  mutating func notModified() throws {
    _ = try feed.visit(ab, at: 3)
    #expect(feed.notModified(at: 4).next.validators?.etag == "\"3.0\"")
    let decision = feed.notModified(at: 5) { response in
      response.validators = CacheValidators(etag: "new", lastModified: nil, url: response.url)
    }
    #expect(decision.next.validators?.etag == "new")
    #expect(decision.next.lastUnconditional == hour(3))
    #expect(decision.next.lastStatus == 304)
  }

  @Test("nothing new without validators is an answer to the probe: the next is sent with them")
  mutating func emptyProbe() throws {
    _ = try feed.visit(ab, at: 3)
    let decision = feed.notModified(at: 300) { response in
      (response.status, response.validators) = (204, nil)
    }
    #expect(decision.next.lastUnconditional == hour(300))
    #expect(decision.next.validators?.etag == "\"3.0\"")
  }

  @Test("failures add up, keep the validators, and end with a success")
  mutating func failures() throws {
    _ = try feed.visit(ab, at: 3)
    _ = feed.fail(.status(500), at: 4)
    let second = feed.fail(.status(503), at: 5)
    #expect(second.next.failures == 2)
    #expect(second.next.lastStatus == 503)
    #expect(second.next.lastError == "\(FetchError.status(503))")
    #expect(second.next.validators != nil)
    #expect(second.next.nextDue == RefreshSchedule.nextDue(after: visit(2, 503), now: hour(5)))
    let success = feed.notModified(at: 6)
    #expect(success.next.failures == 0)
    #expect(success.next.lastError == nil)
  }

  private func visit(_ failures: Int, _ status: Int?) -> Visit {
    var visit = Visit(url: feed.subscription.url)
    visit.failures = failures
    visit.status = status
    return visit
  }

  @Test("410 retires the feed; when it answers again it is back")
  mutating func gone() throws {
    let gone = feed.fail(.status(410), at: 3).next
    #expect(gone.isGone)
    #expect(gone.nextDue == nil)
    #expect(try !feed.visit(ab, at: 4).next.isGone)
  }

  private mutating func refused(
    _ error: FetchError,
    _ retryAfter: RetryAfter?,
    from url: String = "https://a.example/x",
  ) -> RefreshDecision {
    var response = FetchResponse(status: error.status, url: url)
    response.retryAfter = retryAfter
    let failure = FeedFailure(error, response, hadItsTurn: true)
    return feed.decide(.failed(failure, response), nil, at: 3)
  }

  @Test(
    "any refusal holds as long as it says",
    arguments: [
      FetchError.status(429), .status(503), .status(403), .status(404), .status(500),
      .protectionService(status: 403, name: "Cloudflare"),
    ],
  )
  func refusals(_ error: FetchError) throws {
    var tests = self
    let decision = tests.refused(error, .delay(7200))
    let hold = try #require(decision.retryTime)
    #expect(hold.server == "https://a.example" && hold.status == error.status)
    #expect(hold.since == hour(3) && hold.until == hour(5))
    #expect(try #require(decision.next.nextDue) >= hour(5))
    #expect(tests.refused(error, nil).retryTime == nil)
    #expect(tests.refused(error, .instant(hour(2))).retryTime == nil)
    #expect(tests.refused(error, .instant(hour(9000))).retryTime?.until == hour(3 + 7 * 24))
  }

  @Test("a 503 that does not say until when backs its feed off, and holds nobody")
  mutating func overloaded() throws {
    let decision = refused(.status(503), nil)
    #expect(decision.retryTime == nil)
    #expect(decision.next.failures == 1)
    #expect(try #require(decision.next.nextDue) >= hour(3.25))
  }

  @Test("what a failed proxy answers is nobody's wish")
  mutating func proxy() {
    let failure = FeedFailure(.proxyFailed(status: 503), nil, hadItsTurn: true)
    #expect(feed.decide(.failed(failure, nil), nil, at: 3).retryTime == nil)
  }

  @Test(
    "a feed that was not asked keeps its state",
    arguments: [
      FetchError.cancelled, .deadline, .hostBusy(status: 503, retryAfter: .delay(60)),
    ],
  )
  func unasked(error: FetchError) throws {
    var feed = feed
    _ = try feed.visit(ab, at: 3)
    let before = feed.subscription.state
    #expect(feed.fail(error, at: 4).next == before)
  }

  @Test("a server that let the deadline pass has failed")
  mutating func deadline() {
    let failure = FeedFailure(.deadline, hadItsTurn: true)
    let state = feed.decide(.failed(failure, nil), nil, at: 4).next
    #expect(state.failures == 1)
    #expect(state.lastAsked == hour(4))
  }

  @Test("freshness, hints and rhythm make the time of the next visit")
  mutating func nextDue() throws {
    let fresh = try feed.visit(ab, at: 3) { _, response in
      response.freshness.maximumAge = 7200
      response.freshness.age = 3600
    }
    #expect(try #require(fresh.next.nextDue) >= hour(4))
    #expect(try #require(fresh.next.nextDue) < hour(4.1))
    let hinted = try feed.visit(ab, at: 5) { facts, _ in facts.feed.hints.timeToLive = 300 }
    #expect(try #require(hinted.next.nextDue) >= hour(10))
    #expect(feed.notModified(at: 11).next.nextDue.map { $0 >= hour(16) } == true)
    let rhythm = try feed.visit(ab, at: 20) { facts, _ in facts.rhythm = .hours(3) }
    #expect(try #require(rhythm.next.nextDue) >= hour(23))
    #expect(try #require(rhythm.next.nextDue) < hour(23.4))
  }

  @Test("a feed whose document dates all stories anew is asked as often as something arrives")
  mutating func oneDate() throws {
    var requests = 0
    var asked: [Double] = []
    // A document comes each day, with the time when it was built for all its stories; 304 in
    // between.
    var (now, day) = (0.0, -1)
    while now < 24 * 21 {
      let isNew = Int(now / 24) > day
      day = Int(now / 24)
      let built = Double(day) * 24
      let items = (max(0, day - 5)...day).map { story("\($0)", at: built) }
      let decision =
        isNew
        ? try feed.visit(items, at: now, digest: "\(day)") { facts, _ in
          facts.rhythm = RefreshSchedule.rhythm(of: items.compactMap(\.date), now: hour(now))
          facts.hasOneDate = RefreshSchedule.areOfTheDocument(items.compactMap(\.date))
        } : feed.notModified(at: now)
      if now > 24 * 7 { requests += 1 }
      asked.append(now)
      now = try #require(decision.next.nextDue).timeIntervalSince(hour(0)) / 3600
    }
    #expect(requests < 14 * 4, "\(asked)")
    #expect(feed.store.items.count == 21)
  }

  @Test("tries by hand within minutes are one failure")
  mutating func impatience() throws {
    for minutes in 0..<7 { _ = feed.fail(.status(500), at: 4 + Double(minutes) / 60) }
    #expect(feed.subscription.state.failures == 1)
    let due = try #require(feed.subscription.state.nextDue)
    #expect(due.timeIntervalSince(hour(4.1)) < 20 * 60)
    #expect(feed.fail(.status(500), at: 4.4).next.failures == 2)
  }

  // MARK: Moves

  private let new = "https://new.example/feed"

  private func permanently(_ url: String) -> (inout DocumentFacts, inout FetchResponse) -> Void {
    { _, response in response.permanentURL = url }
  }

  @Test("a permanent redirect is followed at once for a feed that has nothing yet")
  mutating func moveFirst() throws {
    #expect(try feed.visit(ab, at: 3, permanently(new)).movesTo == new)
  }

  @Test("and when the new place has a story that is stored")
  mutating func moveShared() throws {
    _ = try feed.visit(ab, at: 3)
    let decision = try feed.visit([story("c", at: 3)] + ab, at: 4, permanently(new))
    #expect(decision.movesTo == new)
    #expect(decision.next.pendingMove == nil)
  }

  @Test("and when the new place has the very body that was the last one")
  mutating func moveSameBody() throws {
    _ = try feed.visit(ab, at: 3)
    #expect(try feed.decide(sameBody(from: new), nil, at: 4).movesTo == new)
  }

  private func sameBody(from url: String) throws -> FeedAnswer {
    var response = FetchResponse(status: 200, url: url)
    response.permanentURL = url
    return .document(DocumentFacts(feed: Feed(format: .rss20), digest: "digest"), response)
  }

  @Test("otherwise after three days: a captive portal does not rewrite subscriptions")
  mutating func moveStrange() throws {
    _ = try feed.visit(ab, at: 3)
    #expect(try feed.visit([story("p", at: 2)], at: 4, permanently(new)).movesTo == nil)
    #expect(try feed.visit([story("p", at: 2)], at: 5, permanently(new)).movesTo == nil)
    #expect(feed.subscription.state.pendingMove?.days == 1)
    #expect(try feed.visit([story("q", at: 3)], at: 28, permanently(new)).movesTo == nil)
    #expect(try feed.visit([story("p", at: 2)], at: 52, permanently(new)).movesTo == new)
  }

  @Test("what the new place brought itself does not prove it: stories, a body, a 304")
  mutating func moveBySelf() throws {
    _ = try feed.visit(ab, at: 3)
    _ = try feed.visit([story("p", at: 2)], at: 4, permanently(new))
    #expect(try feed.visit([story("p", at: 2)], at: 4.001, permanently(new)).movesTo == nil)
    #expect(try feed.decide(sameBody(from: new), nil, at: 4.002).movesTo == nil)
    let place = new
    #expect(feed.notModified(at: 4.003) { $0.permanentURL = place }.movesTo == nil)
    #expect(feed.notModified(at: 28) { $0.permanentURL = place }.movesTo == nil)
    #expect(feed.notModified(at: 52) { $0.permanentURL = place }.movesTo == new)
  }

  @Test("a story from before the redirect proves it at any time")
  mutating func moveProvenLater() throws {
    _ = try feed.visit(ab, at: 3)
    _ = try feed.visit([story("p", at: 2)], at: 4, permanently(new))
    let both = [story("p", at: 2), ab[1]]
    #expect(try feed.visit(both, at: 4.1, permanently(new)).movesTo == new)
  }

  @Test("a 304 proves nothing where it is the first that is seen of the redirect")
  mutating func moveNotModified() throws {
    _ = try feed.visit(ab, at: 3)
    let place = new
    #expect(feed.notModified(at: 4) { $0.permanentURL = place }.movesTo == nil)
  }

  @Test("who redirects in turn, to himself and to others, proves nothing by what he brought")
  mutating func moveAlternating() throws {
    _ = try feed.visit(ab, at: 3)
    _ = try feed.visit([story("p", at: 2)], at: 4, permanently(new))
    _ = try feed.visit(ab, at: 5)
    #expect(try feed.visit([story("p", at: 2)], at: 6, permanently(new)).movesTo == nil)
    _ = try feed.visit([story("q", at: 2)], at: 7, permanently("https://other.example/"))
    #expect(try feed.visit([story("p", at: 2)], at: 30, permanently(new)).movesTo == nil)
    #expect(feed.subscription.state.pendingMove?.days == 1)
  }

  @Test("another feed's story that a stranger hands on is not one of this feed")
  mutating func moveJoined() throws {
    try feed.store.deliver([story("c", at: 1)], of: "https://b.example/feed", at: hour(2))
    _ = try feed.visit(ab, at: 3)
    for hours in [4.0, 5.0] {
      #expect(try feed.visit([story("c", at: 1)], at: hours, permanently(new)).movesTo == nil)
    }
    #expect(feed.store["c"]?.feeds.count == 2)
  }

  @Test("an answer without the redirect starts the count anew, a failure does not")
  mutating func moveInterrupted() throws {
    _ = try feed.visit(ab, at: 3)
    _ = try feed.visit([story("p", at: 2)], at: 4, permanently(new))
    _ = feed.fail(.status(500), at: 5)
    #expect(feed.subscription.state.pendingMove?.days == 1)
    _ = feed.notModified(at: 6)
    #expect(feed.subscription.state.pendingMove?.days == 0)
    _ = try feed.visit([story("p", at: 2)], at: 7, permanently(new))
    #expect(feed.subscription.state.pendingMove?.days == 1)
  }

  @Test("never from https to http, and not to where it is")
  mutating func moveDowngrade() throws {
    #expect(try feed.visit(ab, at: 3, permanently("http://new.example/feed")).movesTo == nil)
    #expect(try feed.visit(ab, at: 4, permanently(feed.subscription.url)).movesTo == nil)
    #expect(feed.subscription.state.pendingMove == nil)
  }

  @Test("from http to https")
  mutating func moveUpgrade() throws {
    feed.subscription.url = "http://a.example/feed"
    let decision = try feed.visit(ab, at: 3, permanently("https://a.example/feed"))
    #expect(decision.movesTo == "https://a.example/feed")
  }

  @Test("a part of a document proves nothing")
  mutating func movePart() throws {
    let decision = try feed.visit(ab, at: 3) { facts, response in
      facts.feed.isComplete = false
      response.permanentURL = "https://new.example/feed"
    }
    #expect(decision.movesTo == nil)
  }
}
