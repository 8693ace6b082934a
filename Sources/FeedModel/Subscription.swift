package import System

/// A feed that the user follows.
package struct Subscription: Hashable, Sendable {
  /// An http or https URL, a `file:` URL with an absolute path, or what `CommandURL` has of a command.
  package var url: String
  /// The name that the user gave it; the feed's own title is in `state`.
  package var title: String?
  package var tags: [String] = []
  /// A command of the user's whose first line of output is the feed's password.
  package var passwordCommand: String?
  package var headers = RequestHeaders()
  /// A command of the user's that makes the feed's document of what is fetched.
  package var filter: String?
  /// The URL with which the elements of `OutlineDocument` call it, when it has moved since.
  package var listedURL: String?
  package var settings = FeedSettings()
  package var state = FeedState()

  package init(url: String, listedURL: String? = nil, title: String? = nil) {
    self.url = url
    self.listedURL = listedURL
    self.title = title
  }

  /// Has the document go through a command, or through none any more: the next fetch brings all of it.
  package mutating func filter(through command: String?) {
    guard command != filter else { return }
    filter = command
    (state.validators, state.bodyDigest) = (nil, nil)
  }

  package mutating func move(to newURL: String) {
    listedURL = listedURL ?? url
    url = newURL
  }

  /// What to call it: the user's name for it, else its own title, else its URL without password.
  package var displayTitle: String {
    title ?? state.title ?? WebURL.redacted(url)
  }
}

/// What the last fetches of a feed left behind for the next.
package struct FeedState: Hashable, Sendable {
  package var title: String?
  package var link: String?
  /// As the document has it, such as `pt-BR`.
  package var language: String?
  package var validators: CacheValidators?
  /// A digest of the last body that was parsed whole.
  package var bodyDigest: String?
  /// The size of the last body that came whole, after decompression.
  package var bodyBytes: Int?
  /// The last document broke off before its end: its whole stories are kept.
  package var isCutOff = false
  package static let cutOffWords = "the document is cut off; its whole stories are kept"
  /// The feed's server is one of the internet, by its first success, or must be for want of the
  /// reader's leave; false where it need not be, nil as long as nobody knows.
  package var isOnInternet: Bool?
  package var lastAsked: Date?
  package var lastSucceeded: Date?
  package var lastOutcome: Outcome?
  /// The last failure in words; nil after a success.
  package var lastError: String?
  package var lastStatus: Int?
  /// Failures in a row.
  package var failures = 0
  /// The host could not be reached when others could, the last time that anyone could tell.
  package var isUnreachable = false
  /// Since when the machine has seemed to be offline whenever the feed was asked.
  package var unreachedSince: Date?
  /// Not to be asked by `fetch --due` before this.
  package var nextDue: Date?
  /// Nor before this, whatever the reader wants: politeness, its server and the feed ask for that.
  package var earliestDue: Date?
  /// When the feed last came whole (a 200), so that a server that answers 304 for ever is noticed.
  package var lastUnconditional: Date?
  /// When the feed last brought a story; nil as long as nobody has looked.
  package var lastChanged: Date?
  /// The server said 410 Gone: not asked any more.
  package var isGone = false
  /// A permanent redirect that has not been believed yet.
  package var pendingMove: PendingMove?
  /// Where the feed says that it lives now, and has not been followed to.
  package var announcedMove: AnnouncedMove?
  package var hints = UpdateHints()
  /// How long to wait between two visits by the feed's own rhythm, learned from its stories' dates.
  package var rhythm: Duration?
  /// Hashes of stories that retention dropped while the feed may still carry them.
  package var evicted: [UInt64] = []
  /// Hashes of stories that the reader cleared for good while the feed may still carry them.
  package var cleared: [UInt64] = []
  /// Where the feed was before it moved, the last place last; at most `mostFormerURLs`.
  package var formerURLs: [String] = []
  package static let mostFormerURLs = 8
  /// Of stories whose pages are to be fetched, the newest first; at most `WantedPage.most`.
  package var pages: [WantedPage] = []
  /// The name of the server from which its stories come: it is not asked itself.
  package var server: String?

  package init() {}
}

/// A story's page that is to be fetched, until it has been or nobody expects it any more.
package struct WantedPage: Hashable, Sendable {
  /// The story's.
  package var id: String
  /// In how many runs it was asked for.
  package var tries: Int
  /// Of one feed, remembered and asked for in one run.
  package static let most = 100
  package static let mostOfRun = 20
  package static let mostTries = 3

  package init(id: String, tries: Int = 0) {
    self.id = id
    self.tries = tries
  }
}

/// A permanent redirect seen on some days, and not yet followed for good.
package struct PendingMove: Hashable, Sendable {
  package var url: String
  /// On how many different days in a row of answers (UTC) the server said so; 0 once it answered
  /// itself again.
  package var days: Int
  package var lastSeen: Date
  /// Since when redirects have brought stories of which nobody knows whether they are the feed's:
  /// only older ones prove anything.
  package var firstSeen: Date

  package init(url: String, days: Int, lastSeen: Date, firstSeen: Date) {
    self.url = url
    self.days = days
    self.lastSeen = lastSeen
    self.firstSeen = firstSeen
  }
}

/// Another place where a feed says that it lives (`itunes:new-feed-url`).
package struct AnnouncedMove: Hashable, Sendable {
  package var url: String
  /// When it was last looked for there; nil as long as it was not.
  package var tried: Date?

  package init(url: String, tried: Date? = nil) {
    (self.url, self.tried) = (url, tried)
  }
}

/// What a server gave to ask it later whether anything changed (RFC 9110 §8.8).
///
/// They are kept and sent back byte for byte, and only to the URL that sent them.
package struct CacheValidators: Hashable, Sendable {
  package var etag: String?
  package var lastModified: String?
  /// The URL whose answer carried them.
  package var url: String
  /// The server has sent a whole answer with the very `ETag` that it was asked with: it is asked
  /// with the time alone.
  ///
  /// Apache with `mod_deflate` adds `-gzip` to the tags that it sends, and does not know them again.
  package var isETagIgnored: Bool

  package init(etag: String?, lastModified: String?, url: String, isETagIgnored: Bool = false) {
    self.etag = etag
    self.lastModified = lastModified
    self.url = url
    self.isETagIgnored = isETagIgnored
  }
}

extension Subscription {
  /// The title, or the URL in the form for people.
  package var printableName: String { Self.printableName(title: displayTitle, url: url) }

  /// What to call a feed that has this title and URL.
  package static func printableName(title: String, url: String) -> String {
    let title = SafeText.line(title)
    return title.isEmpty || title == url ? WebURL.printable(url) : title
  }
}

extension Subscription {
  /// The URL of the feed of pages that the reader has saved.
  package static let savedURL = "saved:"

  package var isOfSavedPages: Bool { url == Self.savedURL }

  /// Whether nobody asks for it here: its stories come from a server, or the reader saves them.
  package var isNeverAsked: Bool { state.server != nil || isOfSavedPages }

  /// The feed of pages that the reader has saved, before there is one.
  package static var ofSavedPages: Subscription {
    var feed = Subscription(url: savedURL)
    feed.state.title = "Saved"
    return feed
  }
}
