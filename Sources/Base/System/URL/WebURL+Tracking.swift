extension WebURL {
  private typealias Part = Slice<UnsafeRawBufferPointer>

  /// Returns a link without the parameters that tell a site who comes, and from where.
  ///
  /// All else stays byte for byte: other parameters, their order and escapes, and the fragment. What
  /// `SafeLink` would not open stays as it is, as does what needs all that it has (`isWhole`).
  package static func withoutTracking(_ url: String) -> String {
    var text = url
    return text.withUTF8 { clean(UnsafeRawBufferPointer($0)) } ?? url
  }

  /// Returns nil for a link that stays as it is.
  private static func clean(_ url: UnsafeRawBufferPointer) -> String? {
    // PERF: most links have no parameter of a name that has to be looked at.
    guard mayHaveTrackers(url), SafeLink.isSafe(url), !isWhole(url) else { return nil }
    let query = ByteScan.first(of: (0x3F, 0x23, 0x23), in: url, from: 0)
    let fragment = ByteScan.first(0x23, in: url, from: query) ?? url.count
    // Archives and the proxies of mail know a page by its whole address, which stands in their path
    // (web.archive.org, urldefense.com: AdGuardFilters issue 89618).
    guard !url[..<query].suffix(2).elementsEqual("//".utf8),
      !holdsURL(url[..<query].dropFirst("https://".utf8.count))
    else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(url.count)
    text += url[..<query]
    appendCleaned(url[query..<fragment], to: &text)
    appendCleaned(fragment: url[fragment...], to: &text)
    return text.count < url.count ? String(decoding: text, as: UTF8.self) : nil
  }

  /// Returns false for a link of which no parameter has a tracker's name, or escapes in its name.
  private static func mayHaveTrackers(_ url: UnsafeRawBufferPointer) -> Bool {
    var start = ByteScan.first(of: (0x3F, 0x23, 0x23), in: url, from: 0)
    while start < url.count {
      let rest = url[(start + 1)...]
      let end = rest.firstIndex { isSeparator($0) || $0 == 0x23 } ?? url.count
      let parameter = UnsafeRawBufferPointer(rebasing: rest[..<end])
      if trackers.contains(nameOf: parameter) || sourceNames.contains(nameOf: parameter)
        || parameter.prefix(while: { $0 != 0x3D }).contains(0x25)
      {
        return true
      }
      start = end
    }
    return false
  }

  /// Returns true for a link that leads nowhere without its trackers.
  ///
  /// A letter in the browser and its unsubscription go by the recipient's `mkt_tok` (brave-browser
  /// issue 9018). A signature is one of all parameters (AWS Signature Version 4, CloudFront, Google
  /// Cloud Storage).
  private static func isWhole(_ url: UnsafeRawBufferPointer) -> Bool {
    let marks: [StaticString] = [
      "unsubscribe", "Unsubscribe", "emailwebview", "Emailwebview", "signature=", "Signature=",
    ]
    return marks.contains { ByteScan.first($0, in: url, from: 0) != nil }
  }

  private static func holdsURL(_ text: Part) -> Bool {
    ByteScan.first("://", in: UnsafeRawBufferPointer(rebasing: text), from: 0) != nil
  }

  /// Appends a query with its sign, without trackers; nothing where it has nothing else.
  ///
  /// It is split at `&` and `;`, at `&amp;` of a link that was escaped twice, and at the second `?`
  /// of one to which somebody added trackers without looking.
  private static func appendCleaned(_ query: Part, to text: inout [UInt8]) {
    let start = text.count
    var hasTrackers = false
    var (sign, rest) = (query.prefix(1), query.dropFirst())
    while true {
      let end = endOfParameter(rest)
      if isTracker(rest[..<end]) {
        hasTrackers = true
      } else if text.count > start || end > rest.startIndex {
        text += text.count > start ? sign : query.prefix(1)
        text += rest[..<end]
      }
      guard end < rest.endIndex else { break }
      let length = rest[end...].starts(with: "&amp;".utf8) ? 5 : 1
      (sign, rest) = (rest[end...].prefix(length), rest[(end + length)...])
    }
    if !hasTrackers { text.replaceSubrange(start..., with: query) }
  }

  /// Finds the end of the first parameter.
  ///
  /// Behind the address of another page nobody knows whose parameters are whose: all of it is one.
  private static func endOfParameter(_ rest: Part) -> Int {
    guard let end = rest.firstIndex(where: isSeparator) else { return rest.endIndex }
    return holdsURL(rest[..<end]) && !isTracker(rest[..<end]) ? rest.endIndex : end
  }

  /// Appends a fragment without trackers, behind a `?` of its own or alone.
  private static func appendCleaned(fragment: Part, to text: inout [UInt8]) {
    guard fragment.contains(0x3D) else {
      text += fragment
      return
    }
    let start = text.count
    let query = fragment.lastIndex(of: 0x3F) ?? fragment.startIndex
    text += fragment[..<query]
    appendCleaned(fragment[query...], to: &text)
    if text.count == start + 1 { text.removeLast() }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == 0x26 || byte == 0x3B || byte == 0x3F
  }

  private static func isTracker(_ parameter: Part) -> Bool {
    guard parameter.contains(0x25) else {
      return isTracker(UnsafeRawBufferPointer(rebasing: parameter))
    }
    return unescaped(Array(parameter)[...]).withUnsafeBytes { isTracker($0) }
  }

  private static func isTracker(_ parameter: UnsafeRawBufferPointer) -> Bool {
    trackers.contains(nameOf: parameter) || saysOnlyOfFeeds(parameter)
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
