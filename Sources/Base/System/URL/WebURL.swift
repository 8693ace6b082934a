/// URLs as feeds have them: read as browsers do, resolved by RFC 3986, handed on clean.
package enum WebURL {
  package static let maximumLength = 4096

  /// Returns the absolute http or https URL that a reference means, or nil if it means none.
  ///
  /// White space around it and line breaks in it are dropped, other spaces and non-ASCII characters
  /// percent-encoded, an international host is written in ASCII, user names and passwords are
  /// removed. Without a base only an absolute reference means something; an empty one never does. A
  /// base that is not absolute (RFC 3986 §5.1) is none.
  package static func resolve(_ reference: String, against base: String?) -> String? {
    if isClean(reference) { return reference }
    guard let target = target(of: reference, against: base), target.isWeb,
      !reference.utf8.allSatisfy({ $0 <= 0x20 }), let host = target.host
    else { return nil }
    return shortEnough(target.text(authority: host.text))
  }

  /// Resolves a base (`xml:base`): it may be a `file:` URL, keeps user names, and if empty means
  /// the outer base.
  package static func resolveBase(_ reference: String, against base: String?) -> String? {
    if isClean(reference) { return reference }
    guard let target = target(of: reference, against: base) else { return nil }
    if target.scheme == "file" { return shortEnough(target.text(authority: "")) }
    guard target.isWeb, let host = target.host else { return nil }
    let user = target.userInfo.map { $0 + "@" } ?? ""
    return shortEnough(target.text(authority: encode(user) + host.text))
  }

  /// Returns true for an absolute http or https URL with a host and without an account.
  static func isPublic(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // PERF: of nearly all URLs no string is made.
    if isClean(bytes, orHasPort: true) { return true }
    let url = String(decoding: bytes, as: UTF8.self)
    return SafeLink.isSafe(url) && host(of: url) != nil && account(of: url) == nil
  }

  /// Tells a relative reference (RFC 3986 §4.2) from a phrase.
  package static func isRelative(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 2048, !text.hasPrefix("//") else { return false }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: ":"): return false
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
        return !text.utf8.contains(UInt8(ascii: " "))
      case UInt8(ascii: " "): return false
      default: break
      }
    }
    return true
  }

  package static func isWeb(_ url: String) -> Bool {
    URLReference(url).isWeb
  }

  /// Returns true for a `mailto` URL with an address, in printable ASCII without spaces.
  package static func isMail(_ url: String) -> Bool {
    url.utf8.count <= 1024 && url.prefix(7).lowercased() == "mailto:"
      && url.utf8.contains(UInt8(ascii: "@")) && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  package static func host(of url: String) -> String? {
    URLReference(tidy(url)).host?.name
  }

  /// Returns scheme, host, and the port unless it is the scheme's own; nil for other URLs.
  package static func origin(of url: String) -> String? {
    let reference = URLReference(tidy(url))
    guard reference.isWeb, let scheme = reference.scheme, let host = reference.host else {
      return nil
    }
    return "\(scheme)://\(host.text(forScheme: scheme))"
  }

  package static func account(of url: String) -> String? {
    let reference = URLReference(tidy(url))
    return reference.scheme == nil ? nil : reference.userInfo
  }

  package static func user(of url: String) -> String? {
    account(of: url).flatMap { account in
      let user = account.prefix { $0 != ":" }
      return user.isEmpty ? nil : String(user)
    }
  }

  package static func hasPassword(_ url: String) -> Bool {
    account(of: url)?.contains(":") ?? false
  }

  static func target(of reference: String, against base: String?) -> URLReference? {
    var parsed = URLReference(tidy(reference))
    let outer = base.map { URLReference(tidy($0)) }
    parsed.repairSlashes(base: outer)
    if parsed.scheme != nil { return parsed.removingDotSegments() }
    guard let outer, outer.scheme != nil else { return nil }
    return parsed.resolved(against: outer)
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

  func after(_ index: Index) -> Substring {
    self[utf8.index(after: index)...]
  }
}
