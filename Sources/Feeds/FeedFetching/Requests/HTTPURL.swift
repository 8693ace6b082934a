import System

/// The parts of an http or https URL that decide where it may lead (RFC 3986 §3).
///
/// Made from a text that `WebURL` has cleaned, so that it is ASCII, its host is one that clients
/// agree on, and libcurl cannot read it in another way. `userInfo` is percent-encoded; `host` is in
/// lower case, IPv6 addresses in brackets; `tail` is path and query, without the fragment, and
/// empty or beginning with `/` or `?`.
struct HTTPURL: Hashable, Sendable {
  let isSecure: Bool
  var userInfo: String?
  let host: String
  let port: Int
  let tail: String

  init(_ text: String) throws(FetchError) {
    guard let clean = WebURL.resolveBase(text, against: nil) else {
      if let fault = InternationalName.fault(of: text) { throw .library(fault) }
      let reference = URLReference(text)
      throw reference.scheme == nil || reference.isWeb ? .invalidURL : .unsupportedScheme
    }
    try self.init(clean: clean)
  }

  /// Resolves a reference, without the user and password that it brings along.
  init(_ reference: String, from base: HTTPURL) throws(FetchError) {
    guard let clean = WebURL.resolve(reference, against: base.publicText) else {
      throw .redirectUnsupported
    }
    try self.init(clean: clean)
    userInfo = nil
  }

  private init(clean: String) throws(FetchError) {
    let reference = URLReference(clean)
    guard reference.isWeb, let host = reference.host else { throw .unsupportedScheme }
    isSecure = reference.scheme == "https"
    userInfo = reference.userInfo
    self.host = host.name
    port = host.port.flatMap { Int($0) } ?? (isSecure ? 443 : 80)
    tail = reference.path + (reference.query.map { "?" + $0 } ?? "")
  }

  var user: String? {
    userInfo.map { info in
      let user = info.prefix { $0 != ":" }
      return String(validating: user.utf8.percentDecoded(), as: UTF8.self) ?? String(user)
    }
  }

  var hasPassword: Bool { userInfo?.contains(":") ?? false }

  // MARK: - In words

  /// The URL with user and password, for libcurl and for the caller's own request; all others get
  /// `publicText`.
  var text: String {
    "\(isSecure ? "https" : "http")://\(userInfo.map { $0 + "@" } ?? "")\(hostKey)\(tail)"
  }

  var publicText: String { origin + tail }

  /// The scheme, host and port; URLs that share them share the wishes of a server.
  var origin: String { "\(isSecure ? "https" : "http")://\(hostKey)" }

  /// The host, and the port unless it is the scheme's own; URLs that share it share the limits of a
  /// host.
  var hostKey: String {
    port == (isSecure ? 443 : 80) ? host : "\(host):\(port)"
  }

  /// The host as libcurl names it: an IPv6 address without its brackets, a name without a last dot.
  var bareHost: String {
    if host.hasPrefix("[") { return String(host.dropFirst().dropLast()) }
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }

  /// Returns true if user and password for this URL may go to `other` too.
  ///
  /// That is so for the same host and port over the same scheme, or for the usual move from http to
  /// https.
  func sharesCredentials(with other: HTTPURL) -> Bool {
    guard host == other.host else { return false }
    if isSecure == other.isSecure { return port == other.port }
    return !isSecure && port == 80 && other.port == 443
  }
}
