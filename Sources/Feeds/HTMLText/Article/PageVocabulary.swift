/// The meanings of names that many pages use for elements, whole or as parts between hyphens.
///
/// Collected from content management systems, newspapers and advertisers.
enum PageVocabulary {
  static func meaning(ofWhole name: String) -> PageNames {
    never.contains(name) || walls.begins(Array(name.utf8)[...]) ? .never : []
  }

  static func meaning(of name: String) -> PageNames {
    var found = meaning(ofWhole: name)
    if name == "hid" { found.insert(.negativeClass) }
    if name.utf8.starts(with: paywall) { found.insert(.paywall) }
    let parts = name.split { $0 == "-" || $0 == "_" }
    // `no-ads`, `has-comments` and the like describe a page, and name no part of it.
    guard !parts.contains(where: conditions.contains) else { return found }
    let joined = parts.joined()
    if bodies.begins(joined.utf8.reversed()[...]) { found.insert(.body) }
    if foreign.contains(joined) { found.insert(.foreign) }
    for part in parts {
      if let meaning = meanings[part] { found.formUnion(meaning) }
    }
    return found
  }

  private static let conditions: Set<Substring> = [
    "no", "has", "had", "is", "not", "with", "without", "hide", "show", "js",
  ]

  private static let never: Set<String> = [
    "comments", "comment-list", "commentlist", "comments-area", "respond", "disqus_thread",
    "noprint", "mw-editsection", "mw-jump-link", "navbox", "sr-only", "visually-hidden",
    "visuallyhidden", "screen-reader-text", "screenreader", "a11y-hidden", "skip-link", "skiplink",
  ]

  private static let paywall = Array("paywall".utf8)

  private static let walls = PhraseTable([
    "cookie", "consent", "gdpr", "onetrust", "didomi", "usercentrics", "cybotcookiebot", "qc-cmp",
    "sp_message", "truste",
  ])

  /// Ends of names without hyphens, backwards.
  private static let bodies = PhraseTable(bodyNames.map { String($0.reversed()) })

  private static let bodyNames = [
    "articlebody", "articlecontent", "articletext", "articlebodytext", "articlebodycontent",
    "articlefulltext", "articlemaintext", "entrycontent", "postcontent", "postbody", "posttext",
    "entrybody", "storybody", "storycontent", "storytext", "newsbody", "newstext", "newscontent",
    "bodytext", "blogpostcontent", "storybodytext", "artikeltext", "artikelinhalt", "textearticle",
    "cuerponoticia", "testoarticolo", "corpoarticolo", "artikelbody", "fulltext", "econtent",
  ]

  private static let foreign: Set<String> = [
    "relatedposts", "relatedarticles", "relatedstories", "relatedcontent", "relatedlinks",
    "relatednews", "jprelatedposts", "readmore", "readalso", "readnext", "mostread", "mostpopular",
    "morestories", "morefrom", "moreon", "upnext", "nextpost", "prevpost", "postnavigation",
    "postnav", "navlinks", "tagslinks", "tagcloud", "taglist", "posttags", "entrytags",
    "articletags",
    "catlinks", "authorbox", "authorbio", "aboutauthor", "abouttheauthor", "authorinfo",
    "authorcard", "newslettersignup", "newsletterbox", "signupform", "subscribeform", "sharebar",
    "sharebuttons", "sharelinks", "sharetools", "sociallinks", "socialshare", "socialmedia",
    "socialicons", "addtoany", "sharedaddy", "articletools", "backtotop", "mehrzumthema",
    "lireaussi", "alireaussi", "youmaylike", "youmayalsolike", "entryfooter", "postfooter",
    "wpblocklatestposts", "servicebox", "serviceteaser",
    "servicelinks", "appteaser", "appbanner", "podcastteaser", "videoteaser", "pushteaser",
    "whatsappteaser", "newsletterteaser", "logindialog", "loginbox", "loginform", "loginprompt",
    "loginmodal", "signinprompt", "signinmodal", "signupmodal", "signupbox", "registerbox",
    "registrationwall", "regwall", "zemantarelated", "yarpp", "trcrelatedcontainer", "obwidget",
  ]

  private static let meanings: [Substring: PageNames] = {
    var meanings: [Substring: PageNames] = [:]
    for (meaning, words) in vocabulary {
      for word in words.split(separator: " ") { meanings[word, default: []].formUnion(meaning) }
    }
    return meanings
  }()

  private static let vocabulary: [(PageNames, String)] = [
    (.sharing, "share sharedaddy sharing social"),
    (
      .never,
      "comments commentform kommentare kommentarer commentaires comentarios commenti reacties"
        + " komentarze livefyre",
    ),
    (
      .lead,
      "lead lede standfirst chapo chapeau vorspann sapo dek ingress intro perex manchet entradilla"
        + " bajada copete lid underrubrik zajawka",
    ),
    (.byline, "byline bylines dateline author writtenby pubdate timestamp"),
    (
      .foreign,
      // Advertisements, in the languages of newspapers.
      "ad ads adv advert adverts advertisement advertisements advertising adsbygoogle adslot adunit"
        + " adbox adwrapper adcontainer dfp googlead anzeige anzeigen werbung publicite publicidad"
        + " publicidade pubblicita reklama reklame reklam annons annonse annonce advertentie mainos"
        + " taboola outbrain sponsored sponsoredlinks promobox"
        + " related recommended recommendations relacionadas relacionados correlati gerelateerd"
        + " relaterat relaterte breadcrumb breadcrumbs newsletter trending shoutbox"
        + " meistgelesen empfehlungen"
        // Elements that cover the page until somebody has answered them.
        + " modal dialog popup lightbox",
    ),
  ]
}
