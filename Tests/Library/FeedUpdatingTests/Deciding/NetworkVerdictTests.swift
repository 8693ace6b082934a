import FeedFetching
import FeedModel
import System
import TestSupport
import Testing

@testable import FeedLibrary
@testable import FeedUpdating

@Suite("NetworkVerdict: who is to blame when nothing can be reached")
struct NetworkVerdictTests {
  private func verdict(_ answers: (String?, FetchError?)...) -> NetworkVerdict {
    NetworkVerdict(answers.map { host, error in witness(host, error) })
  }

  private func witness(
    _ host: String?,
    _ error: FetchError?,
    wasUnreachable: Bool = false,
  ) -> NetworkWitness {
    NetworkWitness(
      // A name without a dot would belong to this machine's own network.
      host: host.map { $0.utf8.count == 1 ? "\($0).example" : $0 },
      failure: error.map { FeedFailure($0, hadItsTurn: true) },
      wasUnreachable: wasUnreachable,
    )
  }

  private func dead(_ host: String) -> NetworkWitness {
    witness(host, .nameNotResolved(host: host), wasUnreachable: true)
  }

  private func good(_ host: String) -> NetworkWitness {
    witness(host, .nameNotResolved(host: host))
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

  @Test("certificates of somebody else at every host are not the hosts'")
  func impostors() {
    #expect(verdict(("a", .tls(.unknownAuthority)), ("b", .tls(.wrongHost))) == .offline)
    #expect(verdict(("a", .tls(.expired)), unresolved("b")) == .offline)
    #expect(verdict(("a", .tls(.expired))) == .uncertain)
    #expect(verdict(("a", .tls(.expired)), ("b", .tls(.expired)), ("c", nil)) == .online)
    #expect(verdict(("a", .tls(.expired)), unresolved("b"), ("c", .status(511))) == .offline)
  }

  @Test("hosts in a private network, which are not asked, make nobody offline, and prove nothing")
  func privateHosts() {
    #expect(verdict(("a", .privateNetwork), ("b", .privateNetwork)) == .uncertain)
    #expect(verdict(("a", .privateNetwork), ("b", .privateNetwork), ("c", nil)) == .online)
    #expect(verdict(("a", .privateNetwork), unresolved("b")) == .uncertain)
    let refused = FeedFailure(.privateNetwork, hadItsTurn: true).judged(.offline)
    #expect(!refused.isOffline && !refused.isUnasked && refused.mayBeOffline)
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
      .tls(.authoritiesUnreadable), .stalled(.seconds(15)), .status(503),
    ],
  )
  func online(_ answer: FetchError?) {
    #expect(verdict(unresolved("a"), ("b", answer), unresolved("c")) == .online)
  }

  @Test("files prove nothing, nor do feeds that were cut off by the end of the run")
  func neutral() {
    #expect(verdict((nil, nil), unresolved("a"), unresolved("b")) == .offline)
    #expect(verdict((nil, .file(.notFound)), unresolved("a")) == .uncertain)
    for error in [
      FetchError.deadline, .resourcesExhausted, .library(.init(.curl, "x")), .cancelled,
    ] {
      #expect(verdict(unresolved("a"), unresolved("b"), ("c", error)) == .offline)
    }
    #expect(verdict((nil, nil)) == .online)
    #expect(verdict(("c", .deadline)) == .online)
    #expect(verdict() == .online)
  }

  @Test("hosts that were missing already are no witnesses, however many they are")
  func knownToBeMissing() {
    #expect(NetworkVerdict([dead("a"), dead("b"), dead("c")]) == .uncertain)
    #expect(NetworkVerdict([dead("a"), dead("b"), good("c")]) == .uncertain)
    #expect(NetworkVerdict([dead("a"), good("b"), good("c")]) == .offline)
    // One feed of the host has been asked before, the other is new: the host is missing, not the
    // network.
    #expect(NetworkVerdict([dead("a"), good("a"), good("b")]) == .uncertain)
    #expect(NetworkVerdict([dead("a"), witness("b", nil)]) == .online)
  }

  @Test("a name of which a resolver says that it has no address is the feed's own fault")
  func unknownNames() {
    let unknown = { (host: String) in (host, FetchError.nameUnknown(host: host)) }
    #expect(verdict(unknown("a"), unknown("b")) == .online)
    #expect(verdict(unknown("a"), unresolved("b")) == .uncertain)
    // The resolver may remember a name from a time when there was a network.
    #expect(verdict(unknown("a"), unresolved("b"), unresolved("c")) == .offline)
    let failure = FeedFailure(.nameUnknown(host: "a"), hadItsTurn: true)
    #expect([.offline, .uncertain].allSatisfy { failure.judged($0) == failure })
  }

  @Test(
    "what this machine or its own network answers does not prove that there is an internet",
    arguments: ["localhost", "rss.localhost", "127.0.0.1", "[::1]", "192.168.1.5", "nas.local"],
  )
  func local(_ host: String) {
    for answer in [nil, FetchError.status(500), .connectionRefused(host: host)] {
      #expect(verdict((host, answer), unresolved("a"), unresolved("b")) == .offline)
      #expect(verdict((host, answer), unresolved("a")) == .uncertain)
      #expect(verdict((host, answer)) == .online)
      #expect(verdict((host, answer), ("9.9.9.9", answer), unresolved("a")) == .online)
    }
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

  @Test("a host that has grown to days beside others keeps its wait where nobody else is asked")
  func keepsItsWait() throws {
    var feed = FeedStory()
    for visit in 0..<6 { _ = feed.fail(Self.error, at: Double(24 * visit)) }
    #expect(feed.subscription.state.isUnreachable)
    let alone = FeedFailure(Self.error, hadItsTurn: true).judged(.uncertain)
    for visit in 6..<9 {
      let now = Double(24 * visit)
      let next = feed.decide(.failed(alone, nil), nil, at: now).next
      #expect(next.failures == 6 && next.isUnreachable)
      let wait = try #require(next.nextDue).timeIntervalSince(hour(now)) / 3600
      #expect(wait >= 8 && wait < 8.8)
      #expect(next.lastAsked == hour(now))
    }
  }

  @Test("a host that answers anything is there again", arguments: [nil, FetchError.status(500)])
  func thereAgain(_ error: FetchError?) throws {
    var feed = FeedStory()
    _ = feed.fail(Self.error, at: 1)
    if let error {
      _ = feed.fail(error, at: 2)
    } else {
      _ = try feed.visit([story("a", at: 1)], at: 2)
    }
    #expect(!feed.subscription.state.isUnreachable)
  }

  @Test("beside a host that answers, it grows to days")
  func growsBesideOthers() throws {
    var feed = FeedStory()
    for visit in 0..<12 { _ = feed.fail(Self.error, at: Double(24 * visit)) }
    let due = try #require(feed.subscription.state.nextDue)
    #expect(due.timeIntervalSince(hour(24 * 11)) > 6 * 86_400)
  }
}
