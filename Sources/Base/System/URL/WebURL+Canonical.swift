extension WebURL {
  /// Returns a spelling in which links to the same page are equal, whichever feed they come from.
  ///
  /// https for http, the host in lower case, no default port, no user name, no tracking parameters,
  /// no fragment (but for `#!` and `#/`, behind which some sites keep their pages), escapes as in
  /// RFC 3986 §6.2.2. Other texts are returned as they are. It is part of the identity of stories:
  /// a change here would duplicate every user's.
  package static func canonical(_ url: String) -> String {
    canonical(url, fragment: .onlyOfPages)
  }

  package enum FragmentRule {
    case onlyOfPages
    /// Within a feed a fragment may be all that tells two stories of one page apart.
    case allButTracking
  }

  package static func canonical(_ url: String, fragment rule: FragmentRule) -> String {
    if isCanonical(url) { return url }
    var parsed = URLReference(tidy(url))
    guard parsed.isWeb, let host = parsed.host else { return url }
    parsed.path = Substring(unescaped(encode(parsed.path)))
    var text = "https://" + host.text(forScheme: parsed.scheme)
    text += parsed.path.isEmpty ? "/" : String(parsed.removingDotSegments().path)
    if let query = parsed.query.flatMap(withoutTracking) { text += "?" + unescaped(encode(query)) }
    if let fragment = kept(parsed.fragment, by: rule) { text += "#" + unescaped(encode(fragment)) }
    return text
  }

  /// Returns true for most links without a query: they need no work.
  package static func isCanonical(_ url: String) -> Bool {
    // PERF: the bytes themselves; a view of a substring takes ten times as long.
    url.utf8.withContiguousStorageIfAvailable { bytes in
      guard isClean(bytes), bytes[4] == 0x73 else { return false }
      let rest = bytes[8...]
      return rest.contains(slash) && !rest.contains { $0 == 0x3F || $0 == 0x23 || $0 == 0x25 }
    } ?? false
  }

  private static func kept(_ fragment: Substring?, by rule: FragmentRule) -> String? {
    guard let fragment, fragment.utf8.first != 0x21, fragment.utf8.first != slash else {
      return fragment.map(String.init)
    }
    switch rule {
    case .onlyOfPages: return nil
    case .allButTracking: return withoutTracking(fragment)
    }
  }

  private static func withoutTracking(_ query: Substring) -> String? {
    let parameters = query.utf8.split(separator: 0x26).map(Substring.init)
    let kept = parameters.filter { !isTracking($0) }
    return kept.isEmpty ? nil : kept.joined(separator: "&")
  }

  private static func isTracking(_ parameter: Substring) -> Bool {
    let equals = parameter.firstIndex(ofByte: 0x3D)
    let name = parameter[..<(equals ?? parameter.endIndex)].lowercased()
    if trackingNames.contains(name) { return true }
    return trackingPrefixes.contains { name.utf8.starts(with: $0.utf8) } || saysOfFeeds(parameter)
  }

  /// Returns true for a parameter that says nothing but that a feed was read: `source=rss-1`.
  static func saysOfFeeds(_ parameter: Substring) -> Bool {
    guard let equals = parameter.firstIndex(ofByte: 0x3D),
      sourceNames.contains(parameter[..<equals].lowercased())
    else { return false }
    return parameter.after(equals).lowercased().utf8.starts(with: "rss".utf8)
  }

  /// Parameters that say where a reader came from and never which page is meant.
  private static let trackingNames: Set<String> = [
    "fbclid", "gclid", "gclsrc", "dclid", "wbraid", "gbraid", "msclkid", "twclid", "ttclid",
    "yclid", "ysclid", "li_fat_id", "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok", "_hsenc",
    "_hsmi", "__hstc", "__hssc", "__hsfp", "hsctatracking", "oly_enc_id", "oly_anon_id", "vero_id",
    "vero_conv", "wickedid", "_openstat", "xtor", "cmpid", "wt.mc_id", "wt_mc", "s_cid",
    "guccounter", "guce_referrer", "guce_referrer_sig", "__twitter_impression", "rb_clickid",
  ]

  private static let trackingPrefixes = [
    "utm_", "pk_", "piwik_", "mtm_", "matomo_", "hsa_", "at_medium", "at_campaign", "at_custom",
    "at_link", "at_format", "at_bbc_team", "at_ptr_name",
  ]

  /// Parameters that may matter, but not when they only say that a feed was read.
  private static let sourceNames: Set<String> = [
    "source", "src", "ref", "from", "partner", "medium",
  ]

  /// Makes escapes upper case, and drops those that are not needed (RFC 3986 §6.2.2.2).
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(0x25) else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x25, rest.count >= 2, let high = rest.first?.hexadecimalValue,
        let low = rest.dropFirst().first?.hexadecimalValue
      else {
        bytes.append(byte)
        continue
      }
      rest = rest.dropFirst(2)
      let value = high << 4 | low
      // Behind a `%` that escapes nothing it would become the digit of an escape.
      let isSafe = value.isUnreservedInURL && !bytes.suffix(2).contains(0x25)
      bytes += isSafe ? [value] : value.percentEscape
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
