package import FeedModel
package import System

/// The permissions of a request, by who chose where it leads: the reader, or somebody else.
///
/// The one place that decides on private networks and on passwords. Pure: the transfer tells what
/// came, this decides.
package struct RequestTrust: Hashable, Sendable {
  package private(set) var reachesPrivateNetworks: Bool
  package private(set) var givesPasswords: Bool

  package static let reader = RequestTrust(reachesPrivateNetworks: true, givesPasswords: true)
  /// The trust for a feed of the internet: a name that leads into a private network all the same
  /// leads there for somebody else's sake (DNS rebinding).
  package static let internet = RequestTrust(reachesPrivateNetworks: false, givesPasswords: true)

  package init(_ subscription: Subscription) {
    self = subscription.state.isOnInternet == true ? .internet : .reader
  }

  private init(reachesPrivateNetworks: Bool, givesPasswords: Bool) {
    self.reachesPrivateNetworks = reachesPrivateNetworks
    self.givesPasswords = givesPasswords
  }

  /// Returns true if both URLs are of one site, so that a password for one may go to the other.
  package static func isOneSite(_ url: String, _ other: String) -> Bool {
    // A file has no site.
    guard let url = try? HTTPURL(url), let other = try? HTTPURL(other) else { return false }
    return url.sharesCredentials(with: other)
  }

  package var reachingPrivateNetworks: RequestTrust {
    RequestTrust(reachesPrivateNetworks: true, givesPasswords: givesPasswords)
  }

  func limited(to other: RequestTrust) -> RequestTrust {
    RequestTrust(
      reachesPrivateNetworks: reachesPrivateNetworks && other.reachesPrivateNetworks,
      givesPasswords: givesPasswords && other.givesPasswords,
    )
  }

  // MARK: - What others choose

  mutating func follow(from url: HTTPURL, to next: HTTPURL, isOnInternet: Bool) {
    if isOnInternet { reachesPrivateNetworks = false }
    if !url.sharesCredentials(with: next) { givesPasswords = false }
  }

  /// Returns the trust of the page that announces a feed, and no more; `asked` is the URL that the
  /// page was asked for by.
  package static func announced(
    _ url: String,
    by page: FetchResponse,
    asked: String,
  ) -> RequestTrust {
    var trust = page.trust
    if !isOneSite(page.url, url) { trust.givesPasswords = false }
    if !mayLeadInside(asked, to: url) { trust.reachesPrivateNetworks = false }
    return trust
  }

  /// Returns the trust for a URL that a story names, such as its page and its enclosure.
  ///
  /// Any of its feeds may have named it; nil stands for one that is followed no more.
  package static func part(_ url: String, of feeds: [Subscription?]) -> RequestTrust {
    let isPrivate = feeds.allSatisfy { feed in
      guard let feed else { return false }
      return feed.state.isOnInternet.map { !$0 } ?? mayLeadInside(feed.url, to: url)
    }
    let isOneSite = feeds.contains { $0.map { Self.isOneSite($0.url, url) } ?? false }
    return RequestTrust(
      reachesPrivateNetworks: isPrivate && !feeds.isEmpty,
      givesPasswords: isOneSite,
    )
  }

  // MARK: - Private networks

  /// Returns true if whoever answers at a URL may name another one in a private network: the first
  /// one's host is local by name, or it is on the same site.
  ///
  /// The user typed the first. Where its server is, only the process knows that asked it, and that
  /// may have been taken over.
  package static func mayLeadInside(_ url: String, to other: String) -> Bool {
    isLocal(url) || isOneSite(url, other)
  }

  /// Returns true if a feed may move for good to a URL that its server or document names.
  package static func mayMove(from url: String, to other: String) -> Bool {
    !isLocal(other) || mayLeadInside(url, to: other)
  }

  private static func isLocal(_ url: String) -> Bool {
    WebURL.host(of: url).map(LocalHost.contains) ?? false
  }

  /// Decides by a server's address, or behind a proxy, whose address says nothing of it, by its
  /// name.
  static func isOnInternet(_ url: HTTPURL, address: String, isProxied: Bool) -> Bool {
    isProxied ? !LocalHost.contains(url.host) : !PrivateAddress.contains(address)
  }

  func mayAskProxy(for url: HTTPURL) -> Bool {
    reachesPrivateNetworks || !LocalHost.contains(url.host)
  }

  func mayConnect(to address: [UInt8]) -> Bool {
    reachesPrivateNetworks || !PrivateAddress.contains(bytes: address)
  }

  // MARK: - Passwords

  /// Returns the credentials to send to `url`; nil where there are none, or none may be sent.
  ///
  /// A user and a password in the URL are the reader's own words: a redirect to another site has
  /// taken them away. A password that is kept elsewhere goes over https alone, or to the user whom
  /// the URL names. `password` is the output of the feed's own command, and `kept` has the entries
  /// of `~/.netrc` for the host.
  func credentials(
    for url: HTTPURL,
    password: String?,
    kept: [NetrcEntry],
  ) -> Credentials? {
    let user = url.user
    guard givesPasswords, !url.hasPassword, url.isSecure || user != nil else {
      return url.userInfo == nil ? nil : .ofURL
    }
    if let password { return user.map { .password(user: $0, password) } ?? .token(password) }
    if let entry = kept.entry(of: user) { return .password(user: entry.user, entry.password) }
    return user == nil ? nil : .ofURL
  }
}

extension RequestTrust {
  /// Replaces our lines by the reader's own fields of the same names.
  func adding(_ fields: [RequestHeader], to lines: [String]) -> [String] {
    guard givesPasswords, !fields.isEmpty else { return lines }
    let others = lines.filter { line in
      !fields.contains { line.lowercased().hasPrefix("\($0.name.lowercased()):") }
    }
    return others + fields.map(\.line)
  }
}

enum Credentials: Hashable, Sendable {
  case ofURL
  case password(user: String, String)
  /// A bearer token (RFC 6750).
  case token(String)
}

extension RequestTrust: RecordValue {
  package static let blank = RequestTrust(reachesPrivateNetworks: false, givesPasswords: false)

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&reachesPrivateNetworks)
    coder.code(&givesPasswords)
  }
}
