/// What the answers of a run say about this machine's own connection (design 5).
package enum NetworkVerdict: Hashable, Sendable {
  /// Some host answered, be it with a refusal, or no host was asked.
  case online
  /// Several hosts were asked, and none was reached: no feed is to blame.
  case offline
  /// The only host that was asked was not reached: it may be the host's fault, or the machine's.
  case uncertain

  /// Judges by what asking each feed came to.
  ///
  /// Files have no part in it, nor have feeds of which nobody can say that they were asked.
  /// - Parameter answers: for each feed the host of its URL, nil for a file, and why it failed.
  package init(_ answers: [(host: String?, failure: FeedFailure?)]) {
    var unreached: Set<String> = []
    for answer in answers {
      guard let host = answer.host else { continue }
      guard let failure = answer.failure else {
        self = .online
        return
      }
      if failure.isNetworkUnreachable {
        unreached.insert(host)
      } else if !failure.provesNothing {
        self = .online
        return
      }
    }
    self = unreached.isEmpty ? .online : unreached.count == 1 ? .uncertain : .offline
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
