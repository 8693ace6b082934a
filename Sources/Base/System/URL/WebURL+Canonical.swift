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
    let clean = url.utf8.withContiguousStorageIfAvailable { canonical(ofClean: $0, rule) }
    return clean.flatMap(\.self) ?? canonical(ofAny: url, rule)
  }

  /// Returns true for most links without a query: they need no work.
  private static func isCanonical(_ url: String) -> Bool {
    // PERF: the bytes themselves; a view of a substring takes ten times as long.
    url.utf8.withContiguousStorageIfAvailable { bytes in
      let utf8 = UnsafeRawBufferPointer(bytes)
      return bytes.count > 8 && bytes[4] == 0x73
        && ByteScan.first(of: (0x3F, 0x23, 0x25), in: utf8, from: 8) == bytes.count
        && ByteScan.first(slash, in: utf8, from: 8) != nil && isClean(bytes)
    } ?? false
  }

  static func canonical(ofAny url: String, _ rule: FragmentRule) -> String {
    var parsed = URLReference(tidy(url))
    guard parsed.isWeb, let host = parsed.host else { return url }
    parsed.path = Substring(unescaped(encode(parsed.path)))
    var text = "https://" + host.text(forScheme: parsed.scheme)
    text += parsed.path.isEmpty ? "/" : String(parsed.removingDotSegments().path)
    if let query = parsed.query.flatMap(withoutTracking) { text += "?" + unescaped(encode(query)) }
    if let fragment = kept(parsed.fragment, by: rule) { text += "#" + unescaped(encode(fragment)) }
    return text
  }

  /// Returns what `canonical(ofAny:_:)` does for a clean URL without escapes; nil for any other.
  ///
  /// PERF: no part of it is made a text, in a twentieth of the time.
  private static func canonical(
    ofClean url: UnsafeBufferPointer<UInt8>,
    _ rule: FragmentRule,
  ) -> String? {
    let bytes = UnsafeRawBufferPointer(url)
    guard isClean(url), ByteScan.first(0x25, in: bytes, from: 0) == nil else { return nil }
    let host = bytes[4] == 0x73 ? 8 : 7
    let fragment = ByteScan.first(0x23, in: bytes, from: host) ?? bytes.count
    let query = bytes[host..<fragment].firstIndex(of: 0x3F) ?? fragment
    var text = Array("https://".utf8)
    text.reserveCapacity(bytes.count + 2)
    text += bytes[host..<query]
    if !bytes[host..<query].contains(slash) { text.append(slash) }
    appendParameters(of: bytes[query..<fragment], to: &text)
    if fragment + 1 < bytes.count, [0x21, slash].contains(bytes[fragment + 1]) {
      text += bytes[fragment...]
    } else if rule == .allButTracking {
      appendParameters(of: bytes[fragment...], to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the sign of a query or a fragment with all but its trackers; nothing without any.
  private static func appendParameters(
    of tail: Slice<UnsafeRawBufferPointer>,
    to text: inout [UInt8],
  ) {
    guard var sign = tail.first else { return }
    for parameter in tail.dropFirst().split(separator: 0x26)
    where !isTracking(UnsafeRawBufferPointer(rebasing: parameter)) {
      text.append(sign)
      text += parameter
      sign = 0x26
    }
  }

  private static func kept(_ fragment: Substring?, by rule: FragmentRule) -> String? {
    guard let fragment, fragment.utf8.first != 0x21, fragment.utf8.first != slash else {
      return fragment.map(String.init)
    }
    return rule == .onlyOfPages ? nil : withoutTracking(fragment)
  }

  private static func withoutTracking(_ query: Substring) -> String? {
    let parameters = query.utf8.split(separator: 0x26).map(Substring.init)
    let kept = parameters.filter { parameter in
      var parameter = parameter.lowercased()
      return parameter.withUTF8 { !isTracking(UnsafeRawBufferPointer($0)) }
    }
    return kept.isEmpty ? nil : kept.joined(separator: "&")
  }

  private static func isTracking(_ parameter: UnsafeRawBufferPointer) -> Bool {
    trackingNames.contains(nameOf: parameter) || saysOfFeeds(parameter)
  }

  /// Returns true for a parameter that says nothing but that a feed was read: `source=rss-1`.
  static func saysOfFeeds(_ parameter: UnsafeRawBufferPointer) -> Bool {
    guard sourceNames.contains(nameOf: parameter),
      let equals = ByteScan.first(0x3D, in: parameter, from: 0)
    else { return false }
    return parameter.hasASCII("rss", at: equals + 1)
  }

  /// Parameters that say where a reader came from and never which page is meant.
  private static let trackingNames = ParameterNames(
    [
      "fbclid", "gclid", "gclsrc", "dclid", "wbraid", "gbraid", "msclkid", "twclid", "ttclid",
      "yclid", "ysclid", "li_fat_id", "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok", "_hsenc",
      "_hsmi", "__hstc", "__hssc", "__hsfp", "hsctatracking", "oly_enc_id", "oly_anon_id",
      "vero_id", "vero_conv", "wickedid", "_openstat", "xtor", "cmpid", "wt.mc_id", "wt_mc",
      "s_cid", "guccounter", "guce_referrer", "guce_referrer_sig", "__twitter_impression",
      "rb_clickid",
    ],
    prefixes: [
      "utm_", "pk_", "piwik_", "mtm_", "matomo_", "hsa_", "at_medium", "at_campaign", "at_custom",
      "at_link", "at_format", "at_bbc_team", "at_ptr_name",
    ],
  )

  /// Parameters that may matter, but not when they only say that a feed was read.
  static let sourceNames = ParameterNames(["source", "src", "ref", "from", "partner", "medium"])

  /// Makes escapes upper case, and drops those that are not needed (RFC 3986 §6.2.2.2).
  private static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(0x25) else { return text }
    return String(decoding: unescaped(Array(text.utf8)[...]), as: UTF8.self)
  }

  static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
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
    return bytes
  }
}
