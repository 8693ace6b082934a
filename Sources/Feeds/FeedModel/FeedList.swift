package import System

/// A list of feeds on the web (OPML) whose feeds come and go with it.
package struct FeedList: Hashable, Sendable {
  /// The list's URL, tag, route and leave, and what its last answer left, as a feed has them.
  package var source: Subscription
  /// The URLs of the feeds that it had when it was taken last.
  ///
  /// One of them that is not followed was ended by the user, and stays so.
  package var feeds: [String] = []
  /// The numbers of feeds that it would bring and take away, if they are too many to change unasked.
  package var bringing = 0
  package var taking = 0

  package static let pause = 7 * 86_400.0
  package static let pauseAfterFailure = 86_400.0

  package init(source: Subscription) { self.source = source }

  package var url: String { source.url }

  /// The URL by which its feeds name it.
  package var name: String { Self.name(of: url) }

  /// Returns a list's URL without a password; its user stays, as two users may have two lists there.
  package static func name(of url: String) -> String {
    // PERF: nearly no URL has an account.
    guard url.utf8.contains(UInt8(ascii: "@")) else { return url }
    let bare = WebURL.withoutPassword(url)
    guard bare != url, let user = WebURL.user(of: url) else { return bare }
    return WebURL.adding(account: user, to: bare)
  }

  /// Takes the password of a URL that was typed for this list.
  package mutating func takePassword(of url: String) {
    guard let account = WebURL.account(of: url), account.contains(":"),
      WebURL.origin(of: url) == WebURL.origin(of: self.url)
    else { return }
    source.url = WebURL.adding(account: account, to: WebURL.withoutAccount(self.url))
  }

  /// The tag of its feeds, by which it is called.
  package var tag: String { source.tags.first ?? WebURL.redacted(url) }

  package var isWaiting: Bool { bringing + taking > 0 }

  package func isDue(at now: Date) -> Bool {
    guard let due = source.state.nextDue else { return true }
    // A wrong clock that was put right must not keep it for ever.
    return due <= now || due > now.addingTimeInterval(Self.pause)
  }

  package mutating func succeed(at now: Date) {
    (source.state.lastAsked, source.state.lastSucceeded) = (now, now)
    (source.state.lastOutcome, source.state.lastError) = (.noData, nil)
    source.state.nextDue = now.addingTimeInterval(Self.pause)
  }

  package mutating func fail(_ reason: String, at now: Date) {
    source.state.lastAsked = now
    source.state.lastOutcome = .failed
    source.state.lastError = reason
    source.state.nextDue = now.addingTimeInterval(Self.pauseAfterFailure)
  }
}
