/// The five components of a URI reference (RFC 3986 §3), and its resolution (§5.2).
package struct URLReference {
  package var scheme: String?
  package var authority: Substring?
  package var path: Substring
  package var query: Substring?
  var fragment: Substring?

  /// Parses any text by appendix B.
  package init(_ text: String) {
    var rest = text[...]
    fragment = Self.cutTail(of: &rest, at: 0x23)
    query = Self.cutTail(of: &rest, at: 0x3F)
    scheme = Self.cutScheme(of: &rest)
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let end = rest.firstIndex(ofByte: WebURL.slash) ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    path = rest
  }

  package var isWeb: Bool { scheme == "http" || scheme == "https" }

  package var host: Host? { authority.flatMap(Host.init) }

  package var userInfo: String? {
    authority.flatMap { text in text.utf8.lastIndex(of: 0x40).map { String(text[..<$0]) } }
  }

  func text(authority: String) -> String {
    var text = "\(scheme ?? "http")://\(authority)\(WebURL.encode(path))"
    if let query { text += "?" + WebURL.encode(query) }
    if let fragment { text += "#" + WebURL.encode(fragment) }
    return text
  }

  /// Resolves the reference against an absolute base, by §5.2.2 for strict parsers.
  func resolved(against base: URLReference) -> URLReference {
    var target = self
    target.scheme = base.scheme
    guard authority == nil else { return target.removingDotSegments() }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      if query == nil { target.query = base.query }
      return target
    }
    if path.utf8.first != WebURL.slash { target.path = Self.merge(path, with: base) }
    return target.removingDotSegments()
  }

  /// §5.2.4, on whole segments.
  func removingDotSegments() -> URLReference {
    guard path.firstIndex(ofByte: WebURL.dot) != nil else { return self }
    let bytes = Array(path.utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == WebURL.slash {
      let isDots = end - start <= 2 && bytes[start..<end].allSatisfy { $0 == WebURL.dot }
      switch isDots ? end - start : 0 {
      case 0: for byte in bytes[start..<min(end + 1, bytes.count)] { kept.append(byte) }
      case 1: break
      default:
        // The first segment is what stands before the leading slash.
        if let slash = kept.dropLast().lastIndex(of: WebURL.slash) {
          kept.removeSubrange((slash + 1)...)
        }
      }
      start = end + 1
    }
    var clean = self
    clean.path = Substring(decoding: kept, as: UTF8.self)
    return clean
  }

  /// Repairs a wrong number of slashes, as browsers do: `http:/host/x`, `http:///host/x`.
  ///
  /// `https:x` is relative to a base of the same scheme.
  mutating func repairSlashes(base: URLReference?) {
    guard isWeb, authority?.isEmpty ?? true else { return }
    if authority == nil, let base, base.scheme == scheme {
      scheme = nil
      return
    }
    let rest = Substring(path.utf8.drop { $0 == WebURL.slash })
    let end = rest.firstIndex(ofByte: WebURL.slash) ?? rest.endIndex
    authority = rest[..<end]
    path = rest[end...]
  }

  static func cutTail(of text: inout Substring, at mark: UInt8) -> Substring? {
    guard let index = text.firstIndex(ofByte: mark) else { return nil }
    defer { text = text[..<index] }
    return text.after(index)
  }

  private static func cutScheme(of text: inout Substring) -> String? {
    guard let colon = text.firstIndex(ofByte: 0x3A), let first = text.utf8.first,
      first.isASCIILetter
    else { return nil }
    let scheme = text[..<colon]
    guard scheme.utf8.allSatisfy(isSchemePart) else { return nil }
    text = text.after(colon)
    return scheme.lowercased()
  }

  private static func isSchemePart(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || byte == 0x2B || byte == 0x2D || byte == 0x2E
  }

  private static func merge(_ path: Substring, with base: URLReference) -> Substring {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.utf8.lastIndex(of: WebURL.slash) else { return path }
    return base.path[...slash] + path
  }
}
