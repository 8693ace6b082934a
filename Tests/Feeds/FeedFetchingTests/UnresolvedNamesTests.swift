import Synchronization
import Testing

@testable import FeedFetching

@Suite("Names that could not be resolved are asked about once more")
struct UnresolvedNamesTests {
  /// A resolver that knows which names have no address, and whose answers move its clock on.
  private final class Resolver: Sendable {
    private let state = Mutex((asked: [String](), now: ContinuousClock.now))

    var asked: [String] { state.withLock { $0.asked } }
    var now: ContinuousClock.Instant { state.withLock { $0.now } }

    func hasNoAddress(_ name: String) -> Bool {
      state.withLock { state in
        state.asked.append(name)
        state.now += name.contains("slow.") ? .seconds(1.1) : .milliseconds(1)
      }
      return name.hasPrefix("no.")
    }
  }

  private let resolver = Resolver()
  private let names: UnresolvedNames

  init() {
    let resolver = resolver
    names = UnresolvedNames(hasNoAddress: { resolver.hasNoAddress($0) }, now: { resolver.now })
  }

  private func isUnknown(_ host: String) -> Bool {
    names.failure(of: host) == .nameUnknown(host: host)
  }

  @Test("one without an address is told from one that nobody could look up, each asked once")
  func kinds() {
    for _ in 0..<2 {
      #expect(isUnknown("no.example") && !isUnknown("a.example"))
    }
    #expect(resolver.asked == ["no.example", "a.example"])
    #expect(names.failure(of: "a.example") == .nameNotResolved(host: "a.example"))
  }

  @Test("a resolver that was waited for in vain is asked no more; what it said before stands")
  func patience() {
    #expect(isUnknown("no.example") && !isUnknown("slow.example"))
    #expect(!isUnknown("no.other.example") && isUnknown("no.example"))
    #expect(resolver.asked == ["no.example", "slow.example"])
  }

  @Test("name servers that are slow to say no are not waited for one after the other")
  func slowNo() {
    #expect(isUnknown("no.slow.example") && !isUnknown("no.slow.other.example"))
    #expect(resolver.asked == ["no.slow.example"])
  }

  @Test("hidden services are nothing for name servers")
  func onion() {
    #expect(!isUnknown("no.abc.onion"))
    #expect(resolver.asked.isEmpty)
  }
}
