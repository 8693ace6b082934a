package import FeedModel

extension Subscription {
  package mutating func noteFormerURLs(_ urls: [String]) {
    let all = state.formerURLs.filter { !urls.contains($0) } + urls
    state.formerURLs = all.suffix(FeedState.mostFormerURLs)
  }

  /// Takes over what is to hold of a feed that becomes one with this.
  package mutating func join(_ other: Subscription) {
    noteFormerURLs(other.state.formerURLs + [other.url])
    state.cleared += other.state.cleared
    // A feed of the user's own stays so.
    if other.list == nil { list = nil }
    state.older = state.older ?? other.state.older?.atAnotherURL
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
    older = older?.atAnotherURL
  }
}
