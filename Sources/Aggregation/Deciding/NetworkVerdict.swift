/// What the answers of a run say about this machine's own connection (design 5).
package enum NetworkVerdict: Hashable, Sendable {
  /// Some host answered, be it with a refusal, or no host was asked.
  case online
  /// Several hosts that should be there were asked, and none was reached: no feed is to blame.
  case offline
  /// At most one host that should be there was asked, and none was reached: it may be the hosts'
  /// fault, or the machine's.
  case uncertain

  /// Judges by what asking each feed came to.
  ///
  /// Files have no part in it, nor have feeds of which nobody can say that they were asked, and
  /// names of which a resolver said that they have no address: that may be one that remembers it
  /// from when there was a network.
  package init(_ feeds: [NetworkWitness]) {
    var unreached: Set<String> = []
    var missing: Set<String> = []
    for feed in feeds {
      guard let host = feed.host else { continue }
      guard let failure = feed.failure else {
        self = .online
        return
      }
      if failure.isNetworkUnreachable {
        unreached.insert(host)
        if feed.wasUnreachable { missing.insert(host) }
      } else if !failure.provesNothing, !failure.isNameUnknown {
        self = .online
        return
      }
    }
    self =
      unreached.isEmpty ? .online : unreached.subtracting(missing).count > 1 ? .offline : .uncertain
  }
}

/// What asking one feed came to, as far as it tells of the network.
package struct NetworkWitness: Hashable, Sendable {
  /// Of the feed's URL; nil for a file.
  package let host: String?
  /// Why it failed; nil when it did not.
  package let failure: FeedFailure?
  /// Whether the host was missing already when the network was known to work
  /// (`FeedState.isUnreachable`): that it still is says nothing.
  package let wasUnreachable: Bool

  package init(host: String?, failure: FeedFailure?, wasUnreachable: Bool) {
    self.host = host
    self.failure = failure
    self.wasUnreachable = wasUnreachable
  }
}

extension FeedFailure {
  /// What the failure is when its reason may be this machine's connection.
  package func judged(_ verdict: NetworkVerdict) -> FeedFailure {
    guard isNetworkUnreachable || provesNothing else { return self }
    var failure = self
    switch verdict {
    case .online: break
    case .offline: (failure.isOffline, failure.isUnasked) = (true, true)
    case .uncertain: failure.mayBeOffline = isNetworkUnreachable
    }
    return failure
  }
}
