/// URLs as feeds have them: read as browsers do, resolved as RFC 3986 says, handed on clean.
package enum WebURL {
  /// Bytes of the longest link that is taken.
  package static let maximumLength = 4096

  /// The absolute http or https URL that a reference means, or nil if it means none.
  ///
  /// White space around it and line breaks in it are dropped, other spaces and non-ASCII
  /// characters percent-encoded, an international host is written in ASCII, user names and
  /// passwords are removed. Without a base only an absolute reference means something; an empty
  /// one never does. A base that is not absolute (RFC 3986 §5.1) is none.
  package static func resolve(_ reference: String, against base: String?) -> String? {
    if isClean(reference) { return reference }
    guard let target = target(of: reference, against: base), target.isWeb,
      !reference.utf8.allSatisfy(isSpace), let host = host(in: target)
    else { return nil }
    return shortEnough(target.text(authority: host.text))
  }

  /// The same for a base (`xml:base`): `file:` URLs are bases too, user names stay, and an empty
  /// reference means the outer base.
  package static func resolveBase(_ reference: String, against base: String?) -> String? {
    if isClean(reference) { return reference }
    guard let target = target(of: reference, against: base) else { return nil }
    if target.scheme == "file" { return shortEnough(target.text(authority: "")) }
    guard target.isWeb, let host = host(in: target) else { return nil }
    let user = userInfo(of: target.authority ?? "").map { $0 + "@" } ?? ""
    return shortEnough(target.text(authority: encode(user) + host.text))
  }

  /// The host in lower case and ASCII, without user name and port; nil if there is none.
  package static func host(of url: String) -> String? {
    URLReference(tidy(url)).authority.flatMap(Host.init)?.name
  }

  /// Who answers for a web URL: scheme, host, and port unless it is the scheme's own; nil for others.
  package static func origin(of url: String) -> String? {
    let reference = URLReference(tidy(url))
    guard reference.isWeb, let scheme = reference.scheme,
      let host = reference.authority.flatMap(Host.init)
    else { return nil }
    let port = host.port.flatMap { $0 == (scheme == "https" ? "443" : "80") ? nil : ":\($0)" }
    return "\(scheme)://\(host.name)\(port ?? "")"
  }

  /// User name and password as the URL has them; nil without.
  package static func account(of url: String) -> String? {
    accountRange(of: url).map { String(url[$0]) }
  }

  private static func accountRange(of url: String) -> Range<String.Index>? {
    guard let colon = url[...].firstIndex(ofByte: 0x3A),
      url.utf8[colon...].starts(with: "://".utf8)
    else { return nil }
    let start = url.utf8.index(colon, offsetBy: 3)
    let authority = url.utf8[start...].prefix { ![0x2F, 0x3F, 0x23, 0x5C].contains($0) }
    return authority.lastIndex(of: 0x40).map { start..<$0 }
  }

  /// The reference resolved and its scheme known, before anything is decided about it.
  static func target(of reference: String, against base: String?) -> URLReference? {
    var parsed = URLReference(tidy(reference))
    let outer = base.map { URLReference(tidy($0)) }
    parsed.repairSlashes(base: outer)
    if parsed.scheme != nil { return parsed.removingDotSegments() }
    guard let outer, outer.scheme != nil else { return nil }
    return parsed.resolved(against: outer)
  }

  private static func host(in target: URLReference) -> Host? {
    target.authority.flatMap(Host.init)
  }

  static func userInfo(of authority: Substring) -> String? {
    authority.utf8.lastIndex(of: 0x40).map { String(authority[..<$0]) }
  }

  private static func shortEnough(_ url: String) -> String? {
    url.utf8.count <= maximumLength ? url : nil
  }
}

// Characters of Swift would do for none of this: a combining mark makes another one of the `/` or
// `@` before it, and no client sees URLs that way.
extension Substring {
  func firstIndex(ofByte byte: UInt8) -> Index? {
    // PERF: the view goes from byte to byte by calls.
    let found = utf8.withContiguousStorageIfAvailable { $0.firstIndex(of: byte) }
    guard let found else { return utf8.firstIndex(of: byte) }
    return found.map { utf8.index(startIndex, offsetBy: $0) }
  }

  /// What follows an index of an ASCII character.
  func after(_ index: Index) -> Substring {
    self[utf8.index(after: index)...]
  }
}
