import FeedFetching
import FeedModel
import System

/// The state of this machine's own connection, as the answers of a run show it.
enum NetworkVerdict: Hashable, Sendable {
  /// Some host answered, even with a refusal, or no host was asked.
  case online
  /// Several hosts that should be there were asked, and none was reached, or none with its own
  /// certificate (as in a network that wants a log-in first).
  ///
  /// No feed is to blame.
  case offline
  /// At most one host that should be there was asked, and none was reached.
  ///
  /// The fault may be the hosts' or the machine's.
  case uncertain

  /// Judges the answers of a run.
  ///
  /// These prove nothing: files; feeds that were perhaps not asked; pages in place of feeds that
  /// came without TLS; and names without an address, which a resolver may remember from when there
  /// was a network. An answer from this machine or its own network does not prove a way out of it.
  /// Nor does a name that leads into it, which may come from a captive portal's resolver.
  init(_ feeds: [NetworkWitness]) {
    var unreached: Set<String> = []
    var missing: Set<String> = []
    var isAnyPrivate = false
    for feed in feeds {
      guard let host = feed.host else { continue }
      let failure = feed.failure
      if let failure, failure.isNetworkUnreachable {
        unreached.insert(host)
        if feed.wasUnreachable { missing.insert(host) }
      } else if failure?.isInPrivateNetwork == true {
        isAnyPrivate = true
      } else if failure.map({ !$0.provesNothing && !$0.isNameUnknown && !$0.mayBePortal }) ?? true,
        !LocalHost.contains(host)
      {
        self = .online
        return
      }
    }
    if unreached.isEmpty {
      self = isAnyPrivate ? .uncertain : .online
    } else {
      self = unreached.subtracting(missing).count > 1 ? .offline : .uncertain
    }
  }
}

struct NetworkWitness: Hashable, Sendable {
  let host: String?
  let failure: FeedFailure?
  /// True if the host was missing while the network worked, or for days
  /// (`FeedState.wasUnreachable`): that it still is says nothing.
  let wasUnreachable: Bool
}

extension FeedState {
  /// Returns true after three days, too: nobody is offline for ever, so the hosts are dead.
  func wasUnreachable(now: Date) -> Bool {
    isUnreachable || (unreachedSince.map { now.timeIntervalSince($0) > 3 * 86_400 } ?? false)
  }
}

extension FeedFailure {
  /// The failure, adjusted if its reason may be this machine's connection.
  func judged(_ verdict: NetworkVerdict) -> FeedFailure {
    guard isNetworkUnreachable || provesNothing || mayBePortal || isInPrivateNetwork else {
      return self
    }
    var failure = self
    switch verdict {
    case .online: break
    case _ where isInPrivateNetwork: failure.mayBeOffline = true
    case .offline: (failure.isOffline, failure.isUnasked) = (true, true)
    case .uncertain: failure.mayBeOffline = isNetworkUnreachable
    }
    return failure
  }
}
