/// The redirects of one request so far, and the decision on the next one.
///
/// Pure: the transfer tells what came, the chain decides.
struct RedirectChain: Hashable, Sendable {
  let start: HTTPURL
  private(set) var url: HTTPURL
  /// The end of the 301s and 308s that began with the request and have not been interrupted; nil
  /// where the chain ends where it began.
  var permanent: HTTPURL? { url == start ? nil : lastPermanent }
  private var lastPermanent: HTTPURL?
  private var isPermanentSoFar = true
  private var seen: Set<Step>
  private let maximum: Int

  /// A URL with the cookies that were sent: some servers redirect to the same URL after setting
  /// one.
  private struct Step: Hashable {
    let url: HTTPURL
    var cookies: Set<[String]> = []
  }

  /// The keys of wishes that concern the server that the chain has reached: its own, and those that
  /// it told to redirects from the chain's first server.
  ///
  /// Anyone can redirect to where 429 is the answer, and must not hold the feeds of others by that.
  var servers: [String] { [url.origin, "\(start.origin) \(url.origin)"] }
  /// The key of a wish of that server: after a redirect from another server it concerns that one's
  /// redirects alone.
  var server: String { servers[url.origin == start.origin ? 0 : 1] }

  init(url: HTTPURL, maximum: Int) {
    start = url
    self.url = url
    self.maximum = maximum
    seen = [Step(url: url)]
  }

  var hops: Int { seen.count - 1 }

  /// Returns true for a status that sends the client elsewhere; 300 and 305 do not say where for
  /// sure.
  static func isRedirect(_ status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }

  mutating func follow(
    status: Int,
    location: String?,
    with cookies: CookieJar = CookieJar(),
  ) throws(FetchError) {
    guard let location, !location.isEmpty else { throw .redirectWithoutLocation(status: status) }
    var next = try HTTPURL(location, from: url)
    guard next.isSecure || !url.isSecure else { throw .redirectDowngrade }
    next.userInfo = url.sharesCredentials(with: next) ? url.userInfo : nil
    guard hops < maximum else { throw .tooManyRedirects(maximum: maximum) }
    let step = Step(url: next, cookies: cookies.values)
    guard seen.insert(step).inserted else { throw .redirectLoop }
    isPermanentSoFar = isPermanentSoFar && (status == 301 || status == 308)
    if isPermanentSoFar { lastPermanent = next }
    url = next
  }
}
