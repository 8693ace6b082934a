/// The parts of an http or https URL that decide where it may lead (RFC 3986 §3).
///
/// Strict about the host, so that it and libcurl never see two different ones.
struct HTTPURL: Hashable, Sendable {
  var isSecure: Bool
  /// `user:password` as written, percent-encoded.
  var userInfo: String?
  /// In lower case; IPv6 addresses in brackets.
  var host: String
  var port: Int
  /// Path and query, without the fragment; empty or beginning with `/` or `?`.
  var tail: String

  /// Reads an absolute URL; throws `invalidURL` or `unsupportedScheme`.
  init(_ text: String) throws(FetchError) {
    let (scheme, rest) = try Self.scheme(text)
    guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme }
    isSecure = scheme == "https"
    guard rest.hasPrefix("//") else { throw .invalidURL }
    let end = rest.dropFirst(2).firstIndex { "/?#".contains($0) } ?? rest.endIndex
    var authority = rest.dropFirst(2)[..<end]
    tail = String(rest[end...].prefix { $0 != "#" })
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw .invalidURL
    }
    if let at = authority.lastIndex(of: "@") {
      userInfo = String(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    (host, port) = try Self.hostAndPort(authority, isSecure: isSecure)
  }

  private static func scheme(_ text: String) throws(FetchError) -> (String, Substring) {
    guard let colon = text.firstIndex(of: ":") else { throw .invalidURL }
    let scheme = text[..<colon].lowercased()
    let isScheme = scheme.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
    }
    guard isScheme, !scheme.isEmpty else { throw .invalidURL }
    return (scheme, text[text.index(after: colon)...])
  }

  private static func hostAndPort(
    _ authority: Substring,
    isSecure: Bool,
  ) throws(FetchError) -> (String, Int) {
    var host = authority
    var port = isSecure ? 443 : 80
    let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[afterBracket...].lastIndex(of: ":") {
      host = authority[..<colon]
      let digits = authority[authority.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .invalidURL }
      if !digits.isEmpty {
        guard let number = Int(digits), (1...65_535).contains(number) else { throw .invalidURL }
        port = number
      }
    }
    guard isHost(host) else { throw .invalidURL }
    return (host.lowercased(), port)
  }

  /// A name (IDN as well), an IPv4 address, or an IPv6 address in brackets.
  private static func isHost(_ text: Substring) -> Bool {
    if text.hasPrefix("["), text.hasSuffix("]") {
      return text.dropFirst().dropLast().utf8.allSatisfy { byte in
        (0x30...0x3A).contains(byte) || (0x61...0x66).contains(byte)
          || (0x41...0x46).contains(byte) || byte == 0x2E || byte == 0x25
      }
    }
    return !text.isEmpty
      && text.utf8.allSatisfy { byte in
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
          || (0x41...0x5A).contains(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
      }
  }

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

  /// Host, and port unless it is the scheme's own: those who share it share limits and patience.
  var hostKey: String {
    port == (isSecure ? 443 : 80) ? host : "\(host):\(port)"
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
