import Synchronization
import System

/// Asks the system again about names that libcurl could not resolve.
///
/// libcurl does not tell a name without an address, which is its owner's fault, from a resolver
/// that does not answer, which is this machine's or its network's.
final class UnresolvedNames: Sendable {
  private struct State {
    var unknown: [String: Bool] = [:]
    /// The time spent in vain on the resolver, or on names whose servers are slow to say no.
    var wasted = Duration.zero
  }

  private let state = Mutex(State())
  private let hasNoAddress: @Sendable (String) -> Bool
  private let now: @Sendable () -> ContinuousClock.Instant

  /// The limit of wasted time: a resolver that hangs now has answered libcurl just before, so that
  /// one wait for it is enough.
  private static let timeout = Duration.seconds(1)
  private static let usualWait = Duration.milliseconds(100)

  init(
    hasNoAddress: @escaping @Sendable (String) -> Bool = { POSIX.hasNoAddress($0) },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
  ) {
    self.hasNoAddress = hasNoAddress
    self.now = now
  }

  /// Returns the failure of a host, after the system's resolver has answered, however long that
  /// takes.
  func failure(of host: String) -> FetchError {
    isUnknown(host) ? .nameUnknown(host: host) : .nameNotResolved(host: host)
  }

  private func isUnknown(_ host: String) -> Bool {
    // Names of hidden services are not for name servers (RFC 7686).
    if host.hasSuffix(".onion") { return false }
    let known = state.withLock { state in
      state.unknown[host] ?? (state.wasted < Self.timeout ? nil : false)
    }
    if let known { return known }
    let started = now()
    let isUnknown = hasNoAddress(host)
    let wait = started.duration(to: now())
    state.withLock { state in
      state.unknown[host] = isUnknown
      state.wasted += isUnknown ? max(wait - Self.usualWait, .zero) : wait
    }
    return isUnknown
  }
}
