import FeedFetching
import FeedModel
import System

/// What the answers of a run say about this machine's own connection.
enum NetworkVerdict: Hashable, Sendable {
  /// Some host answered, be it with a refusal, or no host was asked.
  case online
  /// Several hosts that should be there were asked, and none was reached, or none with a certificate
  /// of its own (a network that wants a login first): no feed is to blame.
  case offline
  /// At most one host that should be there was asked, and none was reached: it may be the hosts'
  /// fault, or the machine's.
  case uncertain

  /// Files have no part in it, nor have feeds of which nobody can say that they were asked, pages in
  /// place of feeds that came without TLS while no host was reached with it, and names of which a
  /// resolver said that they have no address: that may be one that remembers it from when there was a
  /// network.
  ///
  /// Nor does an answer from this machine itself or its own network say that there is a way out of it,
  /// nor a name that leads into it: that may be a captive portal's resolver.
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

/// What asking one feed came to, as far as it tells of the network.
struct NetworkWitness: Hashable, Sendable {
  /// Of the feed's URL; nil for a file.
  let host: String?
  let failure: FeedFailure?
  /// Whether the host was missing already when the network was known to work, or for days
  /// (`FeedState.wasUnreachable`): that it still is says nothing.
  let wasUnreachable: Bool
}

extension FeedState {
  /// Nobody is offline for ever: after three days it is the hosts that are dead.
  func wasUnreachable(now: Date) -> Bool {
    isUnreachable || (unreachedSince.map { now.timeIntervalSince($0) > 3 * 86_400 } ?? false)
  }
}

extension FeedFailure {
  /// What the failure is when its reason may be this machine's connection.
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
