package import FeedModel

extension Subscription {
  package mutating func noteFormerURLs(_ urls: [String]) {
    let all = state.formerURLs.filter { !urls.contains($0) } + urls
    state.formerURLs = all.suffix(FeedState.mostFormerURLs)
  }
}

extension FeedState {
  /// Forgets the facts of the old URL; the next fetch asks the new one at once.
  package mutating func forgetURL() {
    validators = nil
    bodyDigest = nil
    lastUnconditional = nil
    lastChanged = nil
    lastStatus = nil
    lastError = nil
    if lastOutcome == .failed { lastOutcome = nil }
    failures = 0
    isUnreachable = false
    nextDue = nil
    earliestDue = nil
    isGone = false
    pendingMove = nil
    announcedMove = nil
    newAddress = nil
    siteAsked = nil
  }
}
