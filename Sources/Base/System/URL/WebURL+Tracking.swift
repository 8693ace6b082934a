extension WebURL {
  /// Returns a link without the parameters that tell a site who comes, and from where.
  ///
  /// All else stays byte for byte: other parameters, their order and escapes, and the fragment. What
  /// `SafeLink` would not open stays as it is, as does what needs all that it has (`isWhole`).
  package static func withoutTracking(_ url: String) -> String {
    // PERF: most links have neither a query nor a fragment.
    guard hasTail(url), url.utf8.count <= SafeLink.maximumBytes else { return url }
    var rest = url[...]
    let fragment = URLReference.cutTail(of: &rest, at: 0x23)
    let query = URLReference.cutTail(of: &rest, at: 0x3F)
    guard !rest.hasSuffix("//") else { return url }
    let (newQuery, newFragment) = (query.flatMap(cleaned), fragment.flatMap(cleanedFragment))
    // Archives and the proxies of mail know a page by its whole address, which stands in their path
    // (web.archive.org, urldefense.com: AdGuardFilters issue 89618).
    guard newQuery != nil || newFragment != nil, SafeLink.isSafe(url),
      !holdsURL(rest.dropFirst("https://".utf8.count)), !isWhole(url)
    else { return url }
    return rest + tail("?", newQuery, query) + tail("#", newFragment, fragment)
  }

  /// Returns true for a link that leads nowhere without its trackers.
  ///
  /// A letter in the browser and its unsubscription go by the recipient's `mkt_tok` (brave-browser
  /// issue 9018). A signature is one of all parameters (AWS Signature Version 4, CloudFront, Google
  /// Cloud Storage).
  private static func isWhole(_ url: String) -> Bool {
    let url = url.lowercased()
    return ["unsubscribe", "emailwebview", "signature="].contains { url.contains($0) }
  }

  static func holdsURL(_ text: Substring) -> Bool {
    text.utf8.contains(0x3A) && text.contains("://")
  }

  static func hasTail(_ url: String) -> Bool {
    var url = url
    return url.withUTF8 { text in
      let bytes = UnsafeRawBufferPointer(text)
      return ByteScan.first(0x3F, in: bytes, from: 0) != nil
        || ByteScan.first(0x23, in: bytes, from: 0) != nil
    }
  }

  /// Returns a query or a fragment behind its sign; nothing where all of it was left out.
  private static func tail(_ sign: String, _ new: String?, _ old: Substring?) -> String {
    guard let text = new ?? old.map(String.init), new?.isEmpty != true else { return "" }
    return sign + text
  }

  /// Returns a query without trackers; nil where it has none.
  private static func cleaned(_ query: Substring) -> String? {
    let parameters = parameters(of: query)
    let kept = parameters.filter { !isTracker($0.text) }
    guard kept.count < parameters.count else { return nil }
    let shown = kept.drop(while: \.text.isEmpty)
    return shown.enumerated().map { ($0 > 0 ? $1.sign : "") + $1.text }.joined()
  }

  /// Returns a fragment without trackers, behind a `?` of its own or alone; nil where it has none.
  private static func cleanedFragment(_ fragment: Substring) -> String? {
    guard fragment.utf8.contains(0x3D) else { return nil }
    guard let mark = fragment.utf8.lastIndex(of: 0x3F) else { return cleaned(fragment) }
    return cleaned(fragment.after(mark)).map { query in
      query.isEmpty ? String(fragment[..<mark]) : fragment[...mark] + query
    }
  }

  /// Splits a query at `&` and `;`, at `&amp;` of a link that was escaped twice, and at the second
  /// `?` of one to which somebody added trackers without looking.
  ///
  /// Behind the address of another page nobody knows whose parameters are whose: all of it is one.
  private static func parameters(of query: Substring) -> [(sign: Substring, text: Substring)] {
    var all: [(sign: Substring, text: Substring)] = []
    var (sign, rest) = (query.prefix(0), query)
    while let end = rest.utf8.firstIndex(where: { [0x26, 0x3B, 0x3F].contains($0) }) {
      if holdsURL(rest[..<end]), !isTracker(rest[..<end]) { break }
      all.append((sign, rest[..<end]))
      let length = rest[end...].utf8.starts(with: "&amp;".utf8) ? 5 : 1
      let next = rest.utf8.index(end, offsetBy: length)
      (sign, rest) = (rest[end..<next], rest[next...])
    }
    return all + [(sign, rest)]
  }

  private static func isTracker(_ parameter: Substring) -> Bool {
    // PERF: of links with trackers nearly all have these, and none of them has a copy made of it.
    if parameter.utf8.starts(with: "utm_".utf8) { return true }
    let parameter = Substring(unescaped(String(parameter)))
    let end = parameter.firstIndex(ofByte: 0x3D) ?? parameter.endIndex
    let name = parameter[..<end].lowercased()
    return trackers.contains(name) || trackerPrefixes.contains(where: name.hasPrefix)
      || saysOnlyOfFeeds(parameter)
  }

  /// Returns true for `source=rss-1`, and for `ref=rss`, but not for a branch (`ref=rss-support`)
  /// and a file (`src=rss/icon.png`): a missed tracker is better than another page.
  private static func saysOnlyOfFeeds(_ parameter: Substring) -> Bool {
    guard saysOfFeeds(parameter) else { return false }
    let parameter = parameter.lowercased()
    let namesMore = ["ref=", "src=", "from="].contains(where: parameter.hasPrefix)
    return !namesMore || parameter.hasSuffix("=rss") || parameter.hasSuffix("feed")
  }

  /// Parameters that name a campaign, a click or a recipient, and never a page.
  ///
  /// In brackets who else leaves them out: B Brave (query_filter/utils.cc), C the global rules of
  /// ClearURLs (data.min.json), F the strip list of Firefox (`privacy.query_stripping.strip_list`),
  /// M Miniflux (urlcleaner.go); I the identity of stories (`canonical`), which has a table of its
  /// own: that one never changes. Names that sites have for themselves too (`ref`, `mc`, `spm`,
  /// `campaign_id`, `vn_…`) stay, as do `fb_comment_id`, which leads to a comment, and `__s`, by
  /// which UnivIS knows its pages (AdGuardFilters issue 128631).
  private static let trackers: Set<String> = [
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
  ]

  /// Google's campaigns (C M I), Matomo's (M I), HubSpot's ads (M I), Piano's (I: the BBC's feeds).
  private static let trackerPrefixes = [
    "utm_", "mtm_", "matomo_", "hsa_", "at_medium", "at_campaign", "at_custom", "at_link",
    "at_format", "at_bbc_team", "at_ptr_name",
  ]
}
