import FeedFetching
import FeedModel
import Testing

@testable import Aggregation

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("NetworkVerdict: who is to blame when nothing can be reached")
struct NetworkVerdictTests {
  private func verdict(_ answers: (String?, FetchError?)...) -> NetworkVerdict {
    NetworkVerdict(
      answers.map { host, error in
        (host, error.map { FeedFailure($0, hadItsTurn: true) })
      }
    )
  }

  private func unresolved(_ host: String) -> (String?, FetchError?) {
    (host, .nameNotResolved(host: host))
  }

  @Test("several hosts, none reached: this machine is offline, in whatever way they fail")
  func offline() {
    #expect(verdict(unresolved("a"), unresolved("b")) == .offline)
    #expect(verdict(unresolved("a"), ("b", .networkUnreachable(host: "b"))) == .offline)
    let late = FetchError.connectTimeout(.seconds(10), host: "b")
    #expect(verdict(unresolved("a"), ("b", late)) == .offline)
  }

  @Test("one host, however many feeds it has, says nothing about this machine")
  func uncertain() {
    #expect(verdict(unresolved("a")) == .uncertain)
    #expect(verdict(unresolved("a"), unresolved("a"), unresolved("a")) == .uncertain)
    #expect(verdict(("a", .networkUnreachable(host: "a"))) == .uncertain)
  }

  @Test(
    "a host that answers, be it with a refusal or an error, proves that there is a network",
    arguments: [
      nil, FetchError.connectionRefused(host: "b"), .status(500), .connectionClosed,
      .tls(.expired), .stalled(.seconds(15)), .busy(status: 503, retryAfter: nil),
    ],
  )
  func online(_ answer: FetchError?) {
    #expect(verdict(unresolved("a"), ("b", answer), unresolved("c")) == .online)
  }

  @Test("files prove nothing, nor do feeds that were cut off by the end of the run")
  func neutral() {
    #expect(verdict((nil, nil), unresolved("a"), unresolved("b")) == .offline)
    #expect(verdict((nil, .file(.notFound)), unresolved("a")) == .uncertain)
    #expect(verdict(unresolved("a"), unresolved("b"), ("c", .deadline)) == .offline)
    #expect(verdict((nil, nil)) == .online)
    #expect(verdict(("c", .deadline)) == .online)
    #expect(verdict() == .online)
  }

  private static let error = FetchError.nameNotResolved(host: "a.example")

  @Test("the back-off of a lone dead host grows, up to the time that a success would wait")
  func grows() throws {
    var feed = FeedStory()
    _ = try feed.visit([story("a", at: 1)], at: 2) { facts, _ in facts.rhythm = .hours(6) }
    var waits: [Double] = []
    for visit in 0..<8 {
      let now = Double(10 + 24 * visit)
      let failure = FeedFailure(Self.error, hadItsTurn: true).judged(.uncertain)
      let next = feed.decide(.failed(failure, nil), nil, at: now).next
      waits.append(try #require(next.nextDue).timeIntervalSince(hour(now)) / 3600)
      #expect(next.failures == visit + 1)
    }
    #expect(waits[0] < 0.3)
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(waits[7] >= 6 && waits[7] < 6.6)
  }

  @Test("beside a host that answers, it grows to days")
  func growsBesideOthers() throws {
    var feed = FeedStory()
    for visit in 0..<12 { _ = feed.fail(Self.error, at: Double(24 * visit)) }
    let due = try #require(feed.subscription.state.nextDue)
    #expect(due.timeIntervalSince(hour(24 * 11)) > 6 * 86_400)
  }
}
