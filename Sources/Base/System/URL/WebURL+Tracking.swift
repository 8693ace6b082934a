extension WebURL {
  /// Returns a link without the parameters that tell a site who comes, and from where.
  ///
  /// All else stays byte for byte: other parameters, their order and escapes, and the fragment. What
  /// `SafeLink` would not open stays as it is, as does what needs all that it has (`isWhole`).
  package static func withoutTracking(_ url: String) -> String {
    // PERF: most links have no parameter of a name that has to be looked at.
    guard mayHaveTrackers(url), SafeLink.isSafe(url), !isWhole(url) else { return url }
    let bytes = Array(url.utf8)
    let fragment = bytes.firstIndex(of: 0x23) ?? bytes.count
    let query = bytes[..<fragment].firstIndex(of: 0x3F) ?? fragment
    // Archives and the proxies of mail know a page by its whole address, which stands in their path
    // (web.archive.org, urldefense.com: AdGuardFilters issue 89618).
    guard !bytes[..<query].suffix(2).elementsEqual("//".utf8),
      !holdsURL(bytes[..<query].dropFirst("https://".utf8.count))
    else { return url }
    return String(
      decoding: bytes[..<query] + cleaned(bytes[query..<fragment], cleaned)
        + cleaned(bytes[fragment...], cleanedFragment),
      as: UTF8.self,
    )
  }

  /// Returns false for a link of which no parameter has a tracker's name, or escapes in its name.
  private static func mayHaveTrackers(_ url: String) -> Bool {
    var url = url
    return url.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      let tail = ByteScan.first(of: (0x3F, 0x23, 0x23), in: bytes, from: 0)
      return bytes[tail...].split(whereSeparator: { isSeparator($0) || $0 == 0x23 }).contains {
        let parameter = UnsafeRawBufferPointer(rebasing: $0)
        return trackers.contains(nameOf: parameter) || sourceNames.contains(nameOf: parameter)
          || parameter.prefix { $0 != 0x3D }.contains(0x25)
      }
    }
  }

  /// Returns true for a link that leads nowhere without its trackers.
  ///
  /// A letter in the browser and its unsubscription go by the recipient's `mkt_tok` (brave-browser
  /// issue 9018). A signature is one of all parameters (AWS Signature Version 4, CloudFront, Google
  /// Cloud Storage).
  private static func isWhole(_ url: String) -> Bool {
    var url = url.lowercased()
    return url.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      let marks: [StaticString] = ["unsubscribe", "emailwebview", "signature="]
      return marks.contains { ByteScan.first($0, in: bytes, from: 0) != nil }
    }
  }

  private static func holdsURL(_ text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBytes { ByteScan.first("://", in: $0, from: 0) != nil }
  }

  /// Returns a query or a fragment with its sign, cleaned; nothing where all of it is left out.
  private static func cleaned(
    _ tail: ArraySlice<UInt8>,
    _ clean: (ArraySlice<UInt8>) -> [UInt8]?,
  ) -> [UInt8] {
    guard let text = clean(tail.dropFirst()) else { return Array(tail) }
    return text.isEmpty ? [] : tail.prefix(1) + text
  }

  /// Returns a query without trackers; nil where it has none.
  private static func cleaned(_ query: ArraySlice<UInt8>) -> [UInt8]? {
    let parameters = parameters(of: query)
    let kept = parameters.filter { !isTracker($0.text) }
    guard kept.count < parameters.count else { return nil }
    var text: [UInt8] = []
    for parameter in kept.drop(while: { $0.text.isEmpty }) {
      if !text.isEmpty { text += parameter.sign }
      text += parameter.text
    }
    return text
  }

  /// Returns a fragment without trackers, behind a `?` of its own or alone; nil where it has none.
  private static func cleanedFragment(_ fragment: ArraySlice<UInt8>) -> [UInt8]? {
    guard fragment.contains(0x3D) else { return nil }
    guard let mark = fragment.lastIndex(of: 0x3F) else { return cleaned(fragment) }
    return cleaned(fragment[(mark + 1)...]).map { query in
      query.isEmpty ? Array(fragment[..<mark]) : fragment[...mark] + query
    }
  }

  private struct Parameter {
    let sign: ArraySlice<UInt8>
    let text: ArraySlice<UInt8>
  }

  /// Splits a query at `&` and `;`, at `&amp;` of a link that was escaped twice, and at the second
  /// `?` of one to which somebody added trackers without looking.
  ///
  /// Behind the address of another page nobody knows whose parameters are whose: all of it is one.
  private static func parameters(of query: ArraySlice<UInt8>) -> [Parameter] {
    var all: [Parameter] = []
    var (sign, rest) = (query.prefix(0), query)
    while let end = rest.firstIndex(where: isSeparator) {
      if holdsURL(rest[..<end]), !isTracker(rest[..<end]) { break }
      all.append(Parameter(sign: sign, text: rest[..<end]))
      let length = rest[end...].starts(with: "&amp;".utf8) ? 5 : 1
      (sign, rest) = (rest[end...].prefix(length), rest[(end + length)...])
    }
    return all + [Parameter(sign: sign, text: rest)]
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == 0x26 || byte == 0x3B || byte == 0x3F
  }

  private static func isTracker(_ parameter: ArraySlice<UInt8>) -> Bool {
    let parameter = parameter.contains(0x25) ? unescaped(parameter)[...] : parameter
    return parameter.withUnsafeBytes { trackers.contains(nameOf: $0) || saysOnlyOfFeeds($0) }
  }

  /// Returns true for `source=rss-1`, and for `ref=rss`, but not for a branch (`ref=rss-support`)
  /// and a file (`src=rss/icon.png`): a missed tracker is better than another page.
  private static func saysOnlyOfFeeds(_ parameter: UnsafeRawBufferPointer) -> Bool {
    guard saysOfFeeds(parameter) else { return false }
    let starts: [StaticString] = ["ref=", "src=", "from="]
    let ends: [StaticString] = ["=rss", "feed"]
    return !starts.contains { parameter.hasASCII($0, at: 0) }
      || ends.contains { parameter.hasASCII($0, at: parameter.count - 4) }
  }

  /// Parameters that name a campaign, a click or a recipient, and never a page.
  ///
  /// In brackets who else leaves them out: B Brave (query_filter/utils.cc), C the global rules of
  /// ClearURLs (data.min.json), F the strip list of Firefox (`privacy.query_stripping.strip_list`),
  /// M Miniflux (urlcleaner.go); I the identity of stories (`canonical`), which has a table of its
  /// own: that one never changes. Names that sites have for themselves too (`ref`, `mc`, `spm`,
  /// `campaign_id`, `vn_…`) stay, as do `fb_comment_id`, which leads to a comment, and `__s`, by
  /// which UnivIS knows its pages (AdGuardFilters issue 128631).
  private static let trackers = ParameterNames(
    [
      // Google Ads and Analytics (C F M I; gad_… Matomo, which counts no page by them)
      "gclid", "gclsrc", "dclid", "wbraid", "gbraid", "srsltid", "_ga", "_gl", "ga_source",
      "ga_medium", "ga_term", "ga_content", "ga_campaign", "ga_place", "gad_source",
      "gad_campaignid",
      // Facebook, Instagram (C F M I)
      "fbclid", "fb_action_ids", "fb_action_types", "fb_ref", "fb_source", "igshid", "igsh",
      // Microsoft, Twitter, TikTok, LinkedIn, Yandex (C F M I)
      "msclkid", "twclid", "__twitter_impression", "ttclid", "li_fat_id", "yclid", "ysclid",
      "_openstat",
      // Mailchimp, MailerLite, Beehiiv (C F M I)
      "mc_cid", "mc_eid", "mc_tc", "ml_subscriber", "ml_subscriber_hash", "_bhlid",
      // Klaviyo, Piano's letters, Blueshift, Emarsys, Squarespace, Impact, Adjust and others (B)
      "_kx", "at_recipient_id", "at_recipient_list", "bbeml", "bsft_clkid", "bsft_uid", "et_rid",
      "ss_email_id", "irclickid", "unicorn_click_id", "vgo_ee", "ymclid",
      // HubSpot, Marketo (C F M I)
      "_hsenc", "_hsmi", "__hstc", "__hssc", "__hsfp", "hsctatracking", "mkt_tok",
      // Omeda, Vero, Wicked Reports (C F M I)
      "oly_enc_id", "oly_anon_id", "rb_clickid", "oft_c", "oft_ck", "oft_d", "oft_id", "oft_ids",
      "oft_k", "oft_lk", "oft_sk", "vero_id", "vero_conv", "wickedid",
      // Adobe, Webtrekk, AT Internet, Echobox, Branch, Readwise, Humble Bundle (C F M I)
      "s_cid", "sc_cid", "cmpid", "wt_mc", "wt_zmc", "wt.mc_id", "wtrid", "xtor", "echobox",
      "_branch_match_id", "_branch_referrer", "__readwiselocation", "hmb_campaign", "hmb_medium",
      "hmb_source", "itm_campaign", "itm_medium", "itm_source", "os_ehash", "tracking_source",
      // Yahoo's page of consent (I)
      "guccounter", "guce_referrer", "guce_referrer_sig",
      // Matomo, in the words of its first name (C I)
      "pk_campaign", "pk_cpn", "pk_kwd", "pk_keyword", "pk_source", "pk_medium", "pk_content",
      "pk_cid", "piwik_campaign", "piwik_cpn", "piwik_kwd", "piwik_keyword", "piwik_source",
      "piwik_medium", "piwik_content", "piwik_cid",
    ],
    // Google's campaigns (C M I), Matomo's (M I), HubSpot's ads (M I), Piano's (I: the BBC's feeds).
    prefixes: [
      "utm_", "mtm_", "matomo_", "hsa_", "at_medium", "at_campaign", "at_custom", "at_link",
      "at_format", "at_bbc_team", "at_ptr_name",
    ],
  )
}
