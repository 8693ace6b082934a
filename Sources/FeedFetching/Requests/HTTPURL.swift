import FeedModel
import System

/// The parts of an http or https URL that decide where it may lead (RFC 3986 §3).
///
/// Made of what `WebURL` has cleaned, so that it is ASCII, its host is one that clients agree on,
/// and libcurl cannot read it in another way.
struct HTTPURL: Hashable, Sendable {
  let isSecure: Bool
  /// `user:password`, percent-encoded.
  var userInfo: String?
  /// In lower case and ASCII; IPv6 addresses in brackets.
  let host: String
  let port: Int
  /// Path and query, without the fragment; empty or beginning with `/` or `?`.
  let tail: String

  /// Reads an absolute URL; throws `invalidURL` or `unsupportedScheme`.
  init(_ text: String) throws(FetchError) {
    guard let clean = WebURL.resolveBase(text, against: nil) else {
      if let fault = InternationalName.fault(of: text) { throw .library(fault) }
      let reference = URLReference(text)
      throw reference.scheme == nil || reference.isWeb ? .invalidURL : .unsupportedScheme
    }
    try self.init(clean: clean)
  }

  /// Reads where a reference leads from here, without the user and password that it brings along.
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

  /// The user, decoded; nil where the URL names none.
  var user: String? {
    userInfo.map { info in
      let user = info.prefix { $0 != ":" }
      return String(validating: user.utf8.percentDecoded(), as: UTF8.self) ?? String(user)
    }
  }

  var hasPassword: Bool { userInfo?.contains(":") ?? false }

  // MARK: - In words

  /// With user and password: for libcurl, and for the caller's own request.
  var text: String {
    text(userInfo: userInfo)
  }

  /// Without user and password: for everyone else.
  var publicText: String {
    text(userInfo: nil)
  }

  private func text(userInfo: String?) -> String {
    "\(isSecure ? "https" : "http")://\(userInfo.map { $0 + "@" } ?? "")\(hostKey)\(tail)"
  }

  /// Scheme, host and port: those who share it share a server's wishes.
  var origin: String { "\(isSecure ? "https" : "http")://\(hostKey)" }

  /// Host, and port unless it is the scheme's own: those who share it share limits.
  var hostKey: String {
    port == (isSecure ? 443 : 80) ? host : "\(host):\(port)"
  }

  /// The host as libcurl names it: an IPv6 address without its brackets, a name without a last dot.
  var bareHost: String {
    if host.hasPrefix("[") { return String(host.dropFirst().dropLast()) }
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }

  /// Whether user and password for this URL may go to `other` too.
  ///
  /// The same host and port over the same scheme, or the usual move from http to https.
  func sharesCredentials(with other: HTTPURL) -> Bool {
    guard host == other.host else { return false }
    if isSecure == other.isSecure { return port == other.port }
    return !isSecure && port == 80 && other.port == 443
  }
}
