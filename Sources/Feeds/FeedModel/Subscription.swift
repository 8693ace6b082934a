package import System

package struct Subscription: Hashable, Sendable {
  /// An http or https URL, a `file:` URL with an absolute path, or a command's (`CommandURL`).
  package var url: String
  package var title: String?
  @TagList package var tags: [String] = []
  /// A command of the user's whose first line of output is the feed's password.
  package var passwordCommand: String?
  package var headers = RequestHeaders()
  package var route = FeedRoute()
  /// A command of the user's that makes the feed's document of what is fetched.
  package var filter: String?
  /// The URL in the elements of `OutlineDocument`, where the feed has moved since.
  package var listedURL: String?
  /// The list that brought it and may take it away (`FeedList.name`); nil for one of the user's own.
  package var list: String?
  package var settings = FeedSettings()
  package var state = FeedState()

  package init(url: String, listedURL: String? = nil, title: String? = nil) {
    self.url = url
    self.listedURL = listedURL
    self.title = title
  }

  /// True if it has something that is for its own site alone.
  package var hasSecrets: Bool {
    passwordCommand != nil || !headers.isEmpty || route.hasCertificates
  }

  package mutating func forgetSecrets() {
    (passwordCommand, headers, route) = (nil, RequestHeaders(), route.elsewhere)
  }

  /// Sets or removes the filter; the next fetch brings the whole document.
  package mutating func filter(through command: String?) {
    guard command != filter else { return }
    filter = command
    (state.validators, state.bodyDigest) = (nil, nil)
  }

  package mutating func move(to newURL: String) {
    listedURL = listedURL ?? url
    // The page did not announce another host's feed.
    if WebURL.host(of: newURL) != WebURL.host(of: url) { state.site = nil }
    url = newURL
  }

  package var displayTitle: String {
    title ?? state.title ?? WebURL.redacted(url)
  }

  /// Returns the titles of subscriptions.
  ///
  /// PERF: another module would copy each to ask for its title, and they are large.
  package static func displayTitles(_ subscriptions: [Subscription]) -> [String] {
    subscriptions.indices.map { subscriptions[$0].displayTitle }
  }
}

/// Departures from a usual request without which a server does not answer, each found out by asking
/// once more.
package struct Concessions: OptionSet, Hashable, Sendable {
  package var rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// No coding: the server has named one that it did not use.
  package static let noCoding = Concessions(rawValue: 1)
  /// HTTP/1.1: the server has broken off HTTP/2.
  package static let http1 = Concessions(rawValue: 2)
  /// Any type: the server has refused the list of those that feeds have (406).
  package static let anyType = Concessions(rawValue: 4)
  package static let all: Concessions = [.noCoding, .http1, .anyType]
}

package struct FeedState: Hashable, Sendable {
  package var title: String?
  package var link: String?
  package var language: String?
  /// The URL of the picture that its document names, and the time when its icon was asked for.
  package var icon: String?
  package var iconAsked: Date?
  package var validators: CacheValidators?
  /// A digest of the last body that was parsed whole.
  package var bodyDigest: String?
  /// Bytes of the last whole body, after decompression.
  package var bodyBytes: Int?
  package var isCutOff = false
  package static let cutOffWords = "the document is cut off; its whole stories are kept"
  /// True where the server must be one of the internet, false where it need not; nil while unknown.
  ///
  /// The first success decides, or an import without the reader's leave for private networks.
  package var isOnInternet: Bool?
  package var concessions: Concessions = []
  package var lastAsked: Date?
  package var lastSucceeded: Date?
  /// The last fetch that failed, and brought stories before it did.
  package var lastPart: Date?
  package var lastOutcome: Outcome?
  package var lastError: String?
  package var lastStatus: Int?
  package var failures = 0
  /// True where the host could not be reached when others could, the last time that could be told.
  package var isUnreachable = false
  /// The time since which the machine has seemed offline at each try.
  package var unreachedSince: Date?
  /// The time before which `fetch --due` does not ask.
  package var nextDue: Date?
  /// The time before which nothing asks, whatever the reader sets: politeness, the server, the
  /// feed.
  package var earliestDue: Date?
  /// The last whole answer (200), so that a server which answers 304 for ever is noticed.
  package var lastUnconditional: Date?
  /// The last fetch that brought a story; nil as long as nobody has looked.
  package var lastChanged: Date?
  /// True after 410 Gone: the feed is not asked any more.
  package var isGone = false
  package var isFailing: Bool { lastOutcome == .failed || isGone }
  package var pendingMove: PendingMove?
  package var announcedMove: AnnouncedMove?
  /// The feed that its site names since it fails, and the time when the site was asked.
  package var newAddress: String?
  package var siteAsked: Date?
  package var hints = UpdateHints()
  /// The time between two visits that was learned from the dates of its stories.
  package var rhythm: Duration?
  /// Hashes of stories that retention evicted while the feed may still carry them.
  package var evicted: [UInt64] = []
  /// Hashes of stories that the reader cleared for good while the feed may still carry them.
  package var cleared: [UInt64] = []
  /// Former URLs, the last one last; at most `mostFormerURLs`.
  package var formerURLs: [String] = []
  package static let mostFormerURLs = 8
  /// Stories whose pages are to be fetched, the newest first; at most `WantedPage.most`.
  package var pages: [WantedPage] = []
  /// The way back through its older stories; nil unless the user has asked for them.
  package var older: OlderPages?
  /// The name of the server that brings its stories; the feed itself is not asked.
  package var server: String?
  /// The site (`StoryWords.site`) whose page the user subscribed to and that announced the feed.
  ///
  /// It stays on this machine: others could claim it.
  package var site: String?

  package init() {}
}

package struct WantedPage: Hashable, Sendable {
  package var id: String
  package var tries: Int
  package static let most = 100
  package static let mostOfRun = 20
  package static let mostTries = 3

  package init(id: String, tries: Int = 0) {
    self.id = id
    self.tries = tries
  }
}

package struct PendingMove: Hashable, Sendable {
  package var url: String
  /// Days in a row of answers (UTC) with the redirect; 0 once the server answered itself again.
  package var days: Int
  package var lastSeen: Date
  /// The time since which redirects may have brought stories of another feed.
  ///
  /// Only older stories prove that it is the same feed.
  package var firstSeen: Date

  package init(url: String, days: Int, lastSeen: Date, firstSeen: Date) {
    self.url = url
    self.days = days
    self.lastSeen = lastSeen
    self.firstSeen = firstSeen
  }
}

/// A new URL that the feed itself gives (`itunes:new-feed-url`).
package struct AnnouncedMove: Hashable, Sendable {
  package var url: String
  package var tried: Date?

  package init(url: String, tried: Date? = nil) {
    (self.url, self.tried) = (url, tried)
  }
}

/// Validators of a server's last answer (RFC 9110 §8.8).
///
/// They are kept and sent back byte for byte, and only to the URL that sent them.
package struct CacheValidators: Hashable, Sendable {
  package var etag: String?
  package var lastModified: String?
  package var url: String
  /// True where the server sent a whole answer with the very `ETag` that it was asked with.
  ///
  /// It is then asked with the time alone. Apache with `mod_deflate` adds `-gzip` to the tags that
  /// it sends, and does not recognize them.
  package var isETagIgnored: Bool

  package init(etag: String?, lastModified: String?, url: String, isETagIgnored: Bool = false) {
    self.etag = etag
    self.lastModified = lastModified
    self.url = url
    self.isETagIgnored = isETagIgnored
  }
}

extension Subscription {
  package var printableName: String { Self.printableName(title: displayTitle, url: url) }

  package static func printableName(title: String, url: String) -> String {
    let title = SafeText.line(title)
    return title.isEmpty || title == url ? WebURL.printable(url) : title
  }
}

extension Subscription {
  package static let savedURL = "saved:"

  package var isOfSavedPages: Bool { url == Self.savedURL }

  package var isNeverAsked: Bool { state.server != nil || isOfSavedPages }

  package static var ofSavedPages: Subscription {
    var feed = Subscription(url: savedURL)
    feed.state.title = "Saved"
    return feed
  }
}
